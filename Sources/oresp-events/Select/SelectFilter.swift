package import Core

/// Lets the lines of selected events through, unchanged, or counts them.
package struct SelectFilter: EventFilter {
  let types: TypeSelection
  /// Whether each type of the catalogue is selected.
  let isSelected: [Bool]
  /// `nil` when only the type of an event matters: then no line is read further than to there.
  var place: PlaceSelector?
  /// Whether the ends of responses go through too.
  let keepsEnds: Bool
  let limit: Int
  let tellsCount: Bool
  package let ownEnds: OwnEnds
  let needsOne: Bool
  private var count = 0
  private var selected = 0

  package var triage: EventTriage {
    // With more to go by than the type, every event is looked at; the ends of responses always are.
    guard place == nil, limit == .max else { return .handlingAll }
    return EventTriage(unknown: .handle) { type in
      isSelected[type.index] ? (tellsCount ? .count : .pass) : .drop
    }
  }

  package mutating func note(_ skimmed: SkimmedEvents) {
    count += skimmed.count
    selected += skimmed.passed
  }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    if event.isOwnEnd(line) { return output.append(line: line) }
    count += 1
    let isSelected = selects(event, line)
    if isSelected { selected += 1 }
    guard isSelected || keepsEnds && isEnd(event) || event.isUnparsed(line), !tellsCount else {
      return
    }
    output.append(line: line)
  }

  package mutating func finish(into output: inout Output) {
    if tellsCount { output.append(line: Array(String(selected).utf8).span) }
    output.notices.append(Notice(.summary, "selected \(selected) of \(count) events"))
  }

  package var status: ExitStatus { needsOne && selected == 0 ? .negative : .completed }

  private mutating func selects(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    guard selected < limit else { return false }
    let isTypeKept = keepsType(of: event, line)
    return place?.selects(event, line, isTypeKept: isTypeKept) ?? isTypeKept
  }

  private func keepsType(of event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    if let type = event.type { return isSelected[type.index] }
    guard let name = event.typeName else { return types.selectsUntyped }
    return types.selects(JSONString.decoded(inside: line.extracting(name)).span)
  }

  /// Whether `event` goes through for being where a response begins, ends or fails.
  private func isEnd(_ event: borrowing Event) -> Bool {
    switch event.step.kind {
    case .begins, .fails, .ends: true
    case .goesOn, .inside: false
    }
  }
}
