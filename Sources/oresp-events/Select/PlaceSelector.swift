import Core

/// Selects events by where they belong, and reads only the lines that it takes to know.
struct PlaceSelector {
  private let selection: PlaceSelection
  /// `nil` when the types of items do not matter.
  private var items: SelectedItems?
  private var bounds = ResponseBounds()

  init(_ selection: PlaceSelection) {
    self.selection = selection
    if !selection.itemTypes.isEmpty { items = SelectedItems(types: selection.itemTypes) }
  }

  /// Whether `event` is selected; `isTypeKept` says whether its type is.
  mutating func selects(
    _ event: Event, _ line: Span<UInt8>, isTypeKept: Bool, into output: inout Output
  ) -> Bool {
    if case .first = bounds.handle(event.type) { items?.reset() }
    let showsItem = items != nil && event.type?.family == .outputItem
    guard isTypeKept || showsItem else { return false }
    guard let members = EventMembers(line) else {
      output.notices.append(.brokenMember(at: event.inputPlace))
      return false
    }
    let isOfItem = items?.take(members, line) ?? true
    return isTypeKept && isOfItem && selection.selects(members, line)
  }
}
