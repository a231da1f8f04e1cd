package import Core

/// Which events to keep by where they belong: to which item, and where in the stream.
///
/// What of one kind is given several times allows each; what of several kinds is given must all
/// hold.
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

  /// Whether an event is kept, the type of its item aside.
  @inline(__always)
  func selects(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    selects(number: event, line) && selects(index: event, line)
      && (itemIDs.isEmpty || selectsItem(event, line))
  }

  @inline(__always)
  private func selects(index event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    if indexes.isEmpty { return true }
    return event.integer(of: "output_index", in: line).map(indexes.contains) ?? false
  }

  @inline(__always)
  private func selects(number event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    guard after != nil || before != nil else { return true }
    guard let number = event.sequenceNumber(in: line) else { return false }
    return number > after ?? -1 && number < before ?? .max
  }

  private func selectsItem(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    let id: Range<Int>?
    if event.value(of: "item", in: line) != nil {
      id = event.value(of: "item", "id", in: line)
    } else {
      // Old streams call it by the name of the call.
      id =
        event.value(of: "item_id", in: line) ?? event.value(of: "web_search_call_id", in: line)
    }
    guard let id, line[id.lowerBound] == ASCII.quote else { return false }
    return itemIDs.contains(JSONString.decoded(line.extracting(id)))
  }
}

/// Selects events by where they belong, and reads only the lines that it takes to know.
struct PlaceSelector {
  private let selection: PlaceSelection
  /// The items of one response, and of each whether its type is selected.
  private struct Items {
    var router = ItemRouter()
    var isSelected: [Bool] = []

    /// Whether `event` is about an item of which `selects` holds for one of the names of its type.
    mutating func isSelected(
      _ event: borrowing Event, _ line: Span<UInt8>, _ selects: ([[UInt8]]) -> Bool
    ) -> Bool {
      guard let type = event.type else { return false }
      let members = EventMembers(event, line)
      guard members.item != nil || members.outputIndex != nil || members.itemID != nil else {
        return false
      }
      let number = router.item(of: type, members, line)
      if number == isSelected.count { isSelected.append(false) }
      if members.item != nil {
        let type = event.text(of: "item", "type", in: line)
        isSelected[number] = selects([type, ItemCatalogue.kin(of: type)].map { Array($0.utf8) })
      }
      return isSelected[number]
    }
  }

  /// Those of each lane; they are followed only where the types of items matter.
  private var lanes = PerLane(Items())

  init(_ selection: PlaceSelection) { self.selection = selection }

  /// Whether `event` is selected; `isTypeKept` says whether its type is.
  mutating func selects(
    _ event: borrowing Event, _ line: Span<UInt8>, isTypeKept: Bool
  ) -> Bool {
    let followsItems = !selection.itemTypes.isEmpty
    if followsItems, event.step.isFirst { lanes[event.lane] = Items() }
    guard isTypeKept || followsItems && event.type?.family == .outputItem else { return false }
    let isOfItem = !followsItems || isOfSelectedItem(event, line)
    return isTypeKept && isOfItem && selection.selects(event, line)
  }

  private mutating func isOfSelectedItem(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    let globs = selection.itemTypes
    func selects(_ names: [[UInt8]]) -> Bool {
      globs.contains { glob in names.contains { glob.matches($0.span) } }
    }
    return lanes[event.lane].isSelected(event, line, selects)
  }
}
