package import Core

/// The events to select, and the output that they make.
package struct SelectSettings: Sendable {
  package var types = TypeSelection()
  package var place = PlaceSelection()
  /// The most events to select.
  package var limit: Int?
  /// Whether the number of selected events is printed in place of them.
  package var printsCount = false
  /// Whether the status is 1 when no event was selected.
  package var needsOne = false
  /// Whether the ends of responses are printed, too.
  package var keepsEnds = false

  /// Whether it may leave events out.
  var narrows: Bool { !types.isEmpty || !place.isEmpty || limit != nil }
}

/// Lets the lines of selected events through, unchanged, or counts them.
package struct SelectFilter: EventFilter {
  private let settings: SelectSettings
  package let ownEnds: OwnEnds
  /// Whether each type of the catalogue is selected.
  private let isSelected: [Bool]
  /// `nil` when only the type of an event matters: then no line is read beyond its type.
  private var place: PlaceSelector?
  private var count = 0
  private var selected = 0

  init(_ settings: SelectSettings, _ ownEnds: OwnEnds) {
    (self.settings, self.ownEnds) = (settings, ownEnds)
    let types = settings.types
    isSelected = EventCatalogue.rows.map { types.selects(Array($0.name.description.utf8).span) }
    if !settings.place.isEmpty { place = PlaceSelector(settings.place) }
  }

  package var triage: EventTriage {
    // Without a limit, a type alone decides; the ends of responses are handled in any case.
    guard place == nil, settings.limit == nil else { return .handlingAll }
    return EventTriage(unknown: .handle) { type in
      isSelected[type.index] ? (settings.printsCount ? .count : .pass) : .drop
    }
  }

  package var needsItems: Bool { place?.needsItems == true }

  package mutating func note(_ skimmed: SkimmedEvents) {
    count += skimmed.count
    selected += skimmed.passed
  }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    if event.isOwnEnd(line) { return output.append(line: line) }
    if event.isHeartbeat {
      if !settings.printsCount { output.append(line: line) }
      return
    }
    count += 1
    let isSelected = selects(event, line)
    if isSelected { selected += 1 }
    let isKept =
      isSelected || settings.keepsEnds && isEnd(event) || ownEnds.passes && event.isUnparsed(line)
    if isKept, !settings.printsCount { output.pass(line: line) }
  }

  package mutating func finish(into output: inout Output) {
    if settings.printsCount { output.append(line: Array(String(selected).utf8).span) }
    output.notices.append(Notice(.summary, "selected \(selected) of \(count) events"))
  }

  package var status: ExitStatus { settings.needsOne && selected == 0 ? .negative : .completed }

  private mutating func selects(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    if let limit = settings.limit, selected >= limit { return false }
    let isTypeKept = keepsType(of: event, line)
    return place?.selects(event, line, isTypeKept: isTypeKept) ?? isTypeKept
  }

  private func keepsType(of event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    if let type = event.type { return isSelected[type.index] }
    guard let name = event.typeName else { return settings.types.selectsUntyped }
    return settings.types.selects(JSONString.decoded(inside: line.extracting(name)).span)
  }

  /// Whether a response begins, ends or fails with `event`.
  private func isEnd(_ event: borrowing Event) -> Bool {
    event.isBeginning || event.step == .fails || event.step == .ends
  }
}
