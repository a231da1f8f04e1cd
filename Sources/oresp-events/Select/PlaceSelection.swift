package import Core

/// Which events to keep by where they belong: to which item, and where in the stream.
///
/// What of one kind is given several times allows each; what of several kinds is given must all hold.
package struct PlaceSelection: Sendable {
  package var itemIDs: [[UInt8]] = []
  package private(set) var itemTypes: [Glob] = []
  package var indexes: [Int] = []
  package var after: Int?
  package var before: Int?

  package init() {}

  /// Whether every event is kept.
  package var isEmpty: Bool {
    itemIDs.isEmpty && itemTypes.isEmpty && indexes.isEmpty && after == nil && before == nil
  }

  /// Keeps events of items whose type `glob` matches.
  package mutating func keep(itemType glob: String) throws(Failure) {
    guard let parsed = Glob(glob) else {
      throw .usage("a bracket or brace is not closed in \(glob)")
    }
    itemTypes.append(parsed)
  }

  /// Whether an event with these members is kept, the type of its item aside.
  func selects(_ members: EventMembers, _ line: Span<UInt8>) -> Bool {
    selects(number: members.sequenceNumber)
      && (indexes.isEmpty || members.outputIndex.map(indexes.contains) ?? false)
      && (itemIDs.isEmpty || selectsItem(members, line))
  }

  private func selects(number: Int?) -> Bool {
    guard after != nil || before != nil else { return true }
    guard let number else { return false }
    return number > after ?? -1 && number < before ?? .max
  }

  private func selectsItem(_ members: EventMembers, _ line: Span<UInt8>) -> Bool {
    let id: Range<Int>?
    if let item = members.item {
      id = JSONChildren.value(of: "id", in: line.extracting(item)).map {
        item.lowerBound + $0.lowerBound..<item.lowerBound + $0.upperBound
      }
    } else {
      // Old streams call it by the name of the call.
      id = members.itemID ?? JSONChildren.value(of: "web_search_call_id", in: line)
    }
    guard let id, line[id.lowerBound] == ASCII.quote else { return false }
    return itemIDs.contains(JSONString.decoded(line.extracting(id)))
  }
}

/// The items of the current response whose type is selected, as far as they were shown.
struct SelectedItems {
  private let types: [Glob]
  /// For each output index, whether its item is selected.
  private var isSelected: [Int: Bool] = [:]

  init(types: [Glob]) { self.types = types }

  /// Forgets the items: another response begins.
  mutating func reset() { isSelected.removeAll(keepingCapacity: true) }

  /// Takes an event; whether the item that it belongs to is selected.
  mutating func take(_ members: EventMembers, _ line: Span<UInt8>) -> Bool {
    guard let item = members.item else {
      return members.outputIndex.flatMap { isSelected[$0] } ?? false
    }
    let type = Array(JSONChildren.text(of: "type", in: line.extracting(item)).utf8)
    let matches = types.contains { $0.matches(type.span) }
    if let index = members.outputIndex { isSelected[index] = matches }
    return matches
  }
}
