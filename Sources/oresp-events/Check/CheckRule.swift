/// What `--check` looks for; the raw value is the name in the report. The manual says what each
/// means.
package enum CheckRule: String, CaseIterable, Sendable {
  case notJSON = "not-json"
  case nameMismatch = "name-mismatch"
  case unknownType = "unknown-type"
  case missingMember = "missing-member"
  case sequenceGap = "sequence-gap"
  case sequenceRepeat = "sequence-repeat"
  case sequenceDisorder = "sequence-disorder"
  case noBeginning = "no-beginning"
  case noEnd = "no-end"
  case twoEnds = "two-ends"
  case eventAfterEnd = "event-after-end"
  case addedTwice = "added-twice"
  case addedWithoutDone = "added-without-done"
  case deltaWithoutAdded = "delta-without-added"
  case deltaAfterDone = "delta-after-done"
  case deltaWithoutDone = "delta-without-done"
  case doneWithoutAdded = "done-without-added"
  case doneWithoutDelta = "done-without-delta"
  case doneTwice = "done-twice"
  case indexGap = "index-gap"
  case textMismatch = "text-mismatch"
  case refusalMismatch = "refusal-mismatch"
  case reasoningMismatch = "reasoning-mismatch"
  case summaryMismatch = "summary-mismatch"
  case argumentsMismatch = "arguments-mismatch"
  case inputMismatch = "input-mismatch"
  case codeMismatch = "code-mismatch"
  case commandMismatch = "command-mismatch"
  case diffMismatch = "diff-mismatch"
  case itemType = "item-type"
  case itemStatus = "item-status"
  case idMismatch = "id-mismatch"
  case outputMismatch = "output-mismatch"
  case outputMissing = "output-missing"

  /// Whether it is about something that every careful reader gets over.
  package var isStrict: Bool {
    switch self {
    case .unknownType, .missingMember, .noBeginning, .deltaWithoutDone, .doneWithoutDelta,
      .idMismatch, .outputMissing:
      true
    default: false
    }
  }
}
