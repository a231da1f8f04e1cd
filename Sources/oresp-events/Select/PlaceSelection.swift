import Core

/// The events to keep by their place: in the stream, and in which item.
///
/// Of several values of one kind any will do; values of several kinds must all fit.
package struct PlaceSelection: Sendable {
  package var itemIDs: [[UInt8]] = []
  package var itemTypes: [Glob] = []
  package var indexes: [Int] = []
  package var after: Int?
  package var before: Int?

  /// Whether every event is kept.
  var isEmpty: Bool {
    itemIDs.isEmpty && itemTypes.isEmpty && indexes.isEmpty && after == nil && before == nil
  }

  /// Whether an event is kept, whatever the type of its item.
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
    let hasItem = event.object(of: "item", in: line) != nil
    // Old streams call it by the name of the call.
    let id =
      hasItem
      ? event.value(of: "item", "id", in: line)
      : event.value(of: "item_id", in: line) ?? event.value(of: "web_search_call_id", in: line)
    guard let id, line[id.lowerBound] == ASCII.quote else { return false }
    return itemIDs.contains(JSONString.decoded(line.extracting(id)))
  }
}

/// Selects events by their place, and follows items only where their types matter.
struct PlaceSelector {
  private let selection: PlaceSelection
  private var slots = PerResponse(Items())
  /// Whether the last event that may be selected is about an item of a selected type.
  private var isOfItem = false

  /// The items of one response, and whether the type of each is selected.
  private struct Items {
    var router = ItemRouter()
    var isSelected: [Bool] = []

    /// Whether `event` is about an item whose type one of `globs` matches.
    mutating func isSelected(
      _ event: borrowing Event, _ line: Span<UInt8>, _ globs: [Glob]
    ) -> Bool {
      guard let type = event.type else { return false }
      let members = EventMembers(event, line)
      guard members.item != nil || members.outputIndex != nil || members.itemID != nil else {
        return false
      }
      if type.family == .outputItem, members.item == nil {
        let known = members.outputIndex.flatMap { router.number(at: $0) }
        return known.map { isSelected[$0] } ?? false
      }
      let number = router.item(of: type, members, line)
      if number == isSelected.count { isSelected.append(false) }
      if members.item != nil {
        let type = event.text(of: "item", "type", in: line)
        isSelected[number] = [type, ItemCatalogue.kin(of: type)].contains { name in
          globs.contains { $0.matches(Array(name.utf8).span) }
        }
      }
      return isSelected[number]
    }
  }

  init(_ selection: PlaceSelection) { self.selection = selection }

  /// Whether `event` is selected; `isTypeKept` says whether its type is.
  mutating func selects(
    _ event: borrowing Event, _ line: Span<UInt8>, isTypeKept: Bool
  ) -> Bool {
    if selection.itemTypes.isEmpty { return isTypeKept && selection.selects(event, line) }
    if event.step.isFirst { slots[event.slot] = Items() }
    guard isTypeKept || event.type?.family == .outputItem else { return false }
    if !event.isContinuation {
      isOfItem = slots[event.slot].isSelected(event, line, selection.itemTypes)
    }
    return isTypeKept && isOfItem && selection.selects(event, line)
  }
}
