/// Values that come out by rank, the lowest first; values of one rank come out as they went in. It
/// is a binary heap: 64,000 values in falling order take milliseconds, in a sorted array seconds.
struct RankedQueue<Value> {
  private typealias Entry = (rank: Int, number: Int, value: Value)

  private var heap: [Entry] = []
  /// The number of values that went in.
  private var count = 0

  var isEmpty: Bool { heap.isEmpty }

  /// The next value to come out.
  var first: (rank: Int, value: Value)? { heap.first.map { ($0.rank, $0.value) } }

  mutating func insert(_ value: Value, at rank: Int) {
    var index = heap.count
    heap.append((rank, count, value))
    count += 1
    while index > 0, isBefore(index, (index - 1) / 2) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var index = 0
    while case var child = 2 * index + 1, child < heap.count {
      if child + 1 < heap.count, isBefore(child + 1, child) { child += 1 }
      guard isBefore(child, index) else { return }
      heap.swapAt(index, child)
      index = child
    }
  }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    (heap[one].rank, heap[one].number) < (heap[other].rank, heap[other].number)
  }
}
