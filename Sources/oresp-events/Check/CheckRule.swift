/// A rule by which `--check` judges a stream. The manual explains each.
///
/// A rule of Open Responses, the neutral standard (version 2026-04-24), has a section of it. Any
/// other rule is for careful readers, and names the rule of the standard that is broken with it, if
/// there is one.
package enum CheckRule: UInt8, CaseIterable, Sendable {
  case notJSON, nameMismatch, unknownType, missingMember, sequenceGap, sequenceRepeat,
    sequenceDisorder, noBeginning, noEnd, twoEnds, eventAfterEnd, addedTwice, addedWithoutDone,
    deltaWithoutAdded, deltaAfterDone, deltaWithoutDone, doneWithoutAdded, doneWithoutDelta,
    doneTwice, indexGap, textMismatch, refusalMismatch, reasoningMismatch, summaryMismatch,
    argumentsMismatch, inputMismatch, codeMismatch, commandMismatch, diffMismatch, itemType,
    itemStatus, idMismatch, outputMismatch, outputMissing
  // The rules of the standard.
  case oneJSON, doneMark, eventName, noID, eventType, eventMembers, sequence, itemMembers,
    itemKind, itemBegins, partOrder, itemEnds, itemState, incompleteLast, responseStatus,
    errorThenFailed, errorMembers, errorStatus, responseMembers, extensionHarmless

  /// The level at which breaches of a rule are reported.
  package enum Level: String, Sendable {
    /// `default` and `strict`.
    case tolerant = "default"
    /// `strict`: every careful reader gets over a breach.
    case strict
    /// `openresponses`: rules that must hold, and rules that should.
    case must, should
  }

  /// A row of the table of rules.
  package struct Row: Sendable {
    /// The name in the report.
    package let name: String
    package let level: Level
    /// The section of the standard, or the file of its schema; `nil` for other rules.
    package var section: String?
    /// The rule of the standard that is broken with it; the second where a part of an item is
    /// wrong.
    var standard: CheckRule?
    var standardOfPart: CheckRule?

    /// The name in a report that people read.
    package var title: String { level == .should ? name + " (should)" : name }
  }

  /// The rules of the standard, or all others.
  package static func rules(ofStandard: Bool) -> [CheckRule] {
    allCases.filter { ($0.row.section != nil) == ofStandard }
  }

  package var row: Row {
    func own(_ name: String, _ standard: CheckRule? = nil, part: CheckRule? = nil) -> Row {
      Row(name: name, level: .tolerant, standard: standard, standardOfPart: part ?? standard)
    }
    func strict(_ name: String, _ standard: CheckRule? = nil, part: CheckRule? = nil) -> Row {
      Row(name: name, level: .strict, standard: standard, standardOfPart: part ?? standard)
    }
    func must(_ name: String, _ section: String) -> Row {
      Row(name: name, level: .must, section: section)
    }
    func should(_ name: String, _ section: String) -> Row {
      Row(name: name, level: .should, section: section)
    }
    return switch self {
    case .notJSON: own("not-json", .oneJSON)
    case .nameMismatch: own("name-mismatch", .eventName)
    case .unknownType: strict("unknown-type")
    case .missingMember: strict("missing-member", .eventMembers)
    case .sequenceGap: own("sequence-gap", .sequence)
    case .sequenceRepeat: own("sequence-repeat", .sequence)
    case .sequenceDisorder: own("sequence-disorder", .sequence)
    case .noBeginning: strict("no-beginning", .responseStatus)
    case .noEnd: own("no-end", .responseStatus)
    case .twoEnds: own("two-ends", .responseStatus)
    case .eventAfterEnd: own("event-after-end", .responseStatus)
    case .addedTwice: own("added-twice", .itemBegins, part: .partOrder)
    case .addedWithoutDone: own("added-without-done", .itemEnds, part: .partOrder)
    case .deltaWithoutAdded: own("delta-without-added", .itemBegins, part: .partOrder)
    case .deltaAfterDone: own("delta-after-done", .itemEnds, part: .partOrder)
    case .deltaWithoutDone: strict("delta-without-done", .partOrder)
    case .doneWithoutAdded: own("done-without-added", .itemBegins, part: .partOrder)
    case .doneWithoutDelta: strict("done-without-delta", .partOrder)
    case .doneTwice: own("done-twice", .itemEnds, part: .partOrder)
    case .indexGap: own("index-gap", .extensionHarmless)
    case .textMismatch: own("text-mismatch", .extensionHarmless)
    case .refusalMismatch: own("refusal-mismatch", .extensionHarmless)
    case .reasoningMismatch: own("reasoning-mismatch", .extensionHarmless)
    case .summaryMismatch: own("summary-mismatch", .extensionHarmless)
    case .argumentsMismatch: own("arguments-mismatch", .extensionHarmless)
    case .inputMismatch: own("input-mismatch")
    case .codeMismatch: own("code-mismatch")
    case .commandMismatch: own("command-mismatch")
    case .diffMismatch: own("diff-mismatch")
    case .itemType: own("item-type", part: .itemMembers)
    case .itemStatus: own("item-status", .itemState)
    case .idMismatch: strict("id-mismatch", part: .itemMembers)
    case .outputMismatch: own("output-mismatch", .extensionHarmless)
    case .outputMissing: strict("output-missing")
    case .oneJSON: must("one-json", "Streaming HTTP Responses")
    case .doneMark: must("done-mark", "Streaming HTTP Responses")
    case .eventName: must("event-name", "Streaming HTTP Responses")
    case .noID: should("no-id", "Streaming HTTP Responses")
    case .eventType: must("event-type", "Extending streaming events")
    case .eventMembers: must("event-members", "Extending streaming events")
    case .sequence: must("sequence", "Extending streaming events")
    case .itemMembers: must("item-members", "Extending Items")
    case .itemKind: must("item-type", "Items are extensible")
    case .itemBegins: must("item-begins", "Items are streamable")
    case .partOrder: must("part-order", "Items are streamable")
    case .itemEnds: must("item-ends", "Items are streamable")
    case .itemState: must("item-status", "Items are state machines")
    case .incompleteLast: must("incomplete-last", "Items are state machines")
    case .responseStatus: must("response-status", "Streaming, state machine events")
    case .errorThenFailed: must("error-then-failed", "Errors")
    case .errorMembers: must("error-members", "Errors")
    case .errorStatus: should("error-status", "Error Types")
    case .responseMembers: must("response-members", "responses.tsp")
    case .extensionHarmless: must("extension-harmless", "Extending streaming events")
    }
  }
}
