/// Values by an index that a stream names: indexes may have gaps and come in any order.
struct Indexed<Value> {
  /// The place in `values` of each index that differs from its place.
  private var places: [Int: Int] = [:]
  private var values: [(index: Int, value: Value)] = []
  /// The highest index; `nil` when there is none.
  private(set) var last: Int?

  var isEmpty: Bool { values.isEmpty }

  /// The value at `index`; `nil` when there is none. It is replaced, and never removed.
  subscript(index: Int) -> Value? {
    get { place(of: index).map { values[$0].value } }
    set {
      guard let newValue else { return }
      if let place = place(of: index) {
        values[place].value = newValue
      } else {
        if index != values.count { places[index] = values.count }
        last = max(last ?? index, index)
        values.append((index, newValue))
      }
    }
  }

  private func place(of index: Int) -> Int? {
    if values.indices.contains(index), values[index].index == index { return index }
    return places.isEmpty ? nil : places[index]
  }

  /// All values in the order of their indexes.
  var sorted: [Value] { values.sorted { $0.index < $1.index }.map(\.value) }
}
