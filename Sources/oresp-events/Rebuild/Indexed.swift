/// Values by an index that a stream names: indexes may have gaps and come in any order.
package struct Indexed<Value> {
  /// The place in `values` of each index that differs from its place.
  private var places: [Int: Int] = [:]
  private var values: [(index: Int, value: Value)] = []

  package init() {}

  package var isEmpty: Bool { values.isEmpty }
  package var count: Int { values.count }

  /// The value at `index`; `nil` when there is none.
  package subscript(index: Int) -> Value? {
    get { place(of: index).map { values[$0].value } }
    set {
      if let newValue { update(index, with: newValue) { $0 = newValue } }
    }
  }

  /// Changes the value at `index`, which starts as `fresh` if there is none.
  package mutating func update(
    _ index: Int, with fresh: @autoclosure () -> Value, _ change: (inout Value) -> Void
  ) {
    if let place = place(of: index) {
      change(&values[place].value)
    } else {
      if index != values.count { places[index] = values.count }
      last = max(last ?? index, index)
      values.append((index, fresh()))
      change(&values[values.count - 1].value)
    }
  }

  private func place(of index: Int) -> Int? {
    if values.indices.contains(index), values[index].index == index { return index }
    return places.isEmpty ? nil : places[index]
  }

  /// The highest index; `nil` when there is none.
  package private(set) var last: Int?

  /// The index of the last value to come for which `matches` is true; `nil` when there is none.
  package func lastIndex(where matches: (Value) -> Bool) -> Int? {
    values.last { matches($0.value) }?.index
  }

  /// All values in the order of their indexes.
  package var sorted: [(index: Int, value: Value)] { values.sorted { $0.index < $1.index } }
}
