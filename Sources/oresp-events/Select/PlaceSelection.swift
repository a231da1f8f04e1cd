package import Core

/// The events to keep by their place: in the stream, and in which item.
///
/// Of several values of one kind any will do; values of several kinds must all fit.
package struct PlaceSelection: Sendable {
  package var itemIDs: [[UInt8]] = []
  package private(set) var itemTypes: [Glob] = []
  /// Warnings on globs that no known type of items matches.
  package private(set) var hints: [String] = []
  package var indexes: [Int] = []
  package var after: Int?
  package var before: Int?

  /// Keeps the events of items whose type `glob` matches.
  package mutating func keep(itemType glob: String) throws(Failure) {
    let parsed = try Glob(option: glob)
    itemTypes.append(parsed)
    let known = GlobHint(
      what: "type of items", list: "--help=item-type",
      names: ItemCatalogue.rows.map(\.type.description))
    if let hint = known.hint(on: glob, parsed) { hints.append(hint) }
  }

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
  /// Whether the type of each item of a response is selected, by the items' numbers.
  private var isWanted = PerResponse([Bool]())

  init(_ selection: PlaceSelection) { self.selection = selection }

  var needsItems: Bool { !selection.itemTypes.isEmpty }

  /// Whether `event` is selected; `isTypeKept` says whether its type is.
  mutating func selects(
    _ event: borrowing Event, _ line: Span<UInt8>, isTypeKept: Bool
  ) -> Bool {
    if selection.itemTypes.isEmpty { return isTypeKept && selection.selects(event, line) }
    let number = event.item
    guard number >= 0, let response = event.response else { return false }
    while isWanted[response].count <= number {
      // {"type":"response.web_search_call.searching","item_id":"ws_1"} in front of its item, or alone.
      let isNext = isWanted[response].count == number
      isWanted[response].append(isNext && selects(type: event.type?.itemType ?? ""))
    }
    if event.type?.family == .outputItem, event.object(of: "item", in: line) != nil {
      let type = event.text(of: "item", "type", in: line)
      isWanted[response][number] = selects(
        type: type.isEmpty ? response.type(ofItem: number) : type)
    }
    return isTypeKept && isWanted[response][number] && selection.selects(event, line)
  }

  /// Whether items of `type`, or of its kin, are selected.
  private func selects(type: String) -> Bool {
    [type, ItemCatalogue.kin(of: type)].contains { name in
      selection.itemTypes.contains { $0.matches(Array(name.utf8).span) }
    }
  }
}
