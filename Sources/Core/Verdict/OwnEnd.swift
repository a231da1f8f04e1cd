/// A filter's choices for the lines that report the ends of responses (`oresp.end`), and for the marks
/// that say what was told.
package struct OwnEnds: Sendable {
  /// Whether such lines in the input are handed on.
  package var passes = false
  /// Whether a line is written for each response whose verdict no event says that was handed on.
  package var writesMissing = false
  /// The handling of marks on events that are handed on.
  package enum Marks: Sendable {
    /// They stay as they are.
    case kept
    /// They are taken off, as nobody believes them later.
    case removed
    /// An event that is told has one.
    case written
  }

  package var marks = Marks.kept
  /// The tag that this tool gives to responses without one; empty for none. It names them in
  /// notices.
  package var tag: [UInt8] = []

  package init() {}
}

/// The line `oresp.end`, which stands for the end of a response if a selection does not hand that
/// on. It can only make a verdict worse, and is used for nothing else.
package struct OwnEnd {
  var status: ExitStatus
  var outcome: String
  var reason: String
  var message: String

  /// The end that `line` reports; `nil` when it reports none, or the toolkit did not make it.
  init?(_ line: Span<UInt8>) {
    let exit = JSONChildren.integer(of: "exit", in: line) ?? 0
    guard let status = ExitStatus(rawValue: Int32(clamping: exit)),
      status > .badInput || status == .completed,
      JSONChildren.value(of: "oresp", "synthetic", in: line) != nil
    else { return nil }
    self.status = status
    outcome = JSONChildren.text(of: "status", in: line)
    reason = JSONChildren.text(of: "reason", in: line)
    let message = JSONChildren.text(of: "message", in: line)
    self.message = message.isEmpty ? "the response ended badly" : message
  }

  /// The end of a response that did not complete, or, without a judgement, of one that did.
  init(_ judgement: Verdict.Judgement?) {
    status = judgement?.status ?? .completed
    outcome = judgement.map { $0.isCut ? "cut" : $0.outcome } ?? "completed"
    reason = judgement?.reason ?? ""
    message = judgement?.message ?? "the response completed"
  }

  /// Its line, with the id and the `tag` of its response and the WebSocket's `streamID`, each empty
  /// when there is none, and with the time at which it was told, if it was.
  func line(
    responseID: String, tag: [UInt8], streamID: [UInt8], told seconds: Int?
  ) -> [UInt8] {
    var own: [(String, JSONValue)] = [("synthetic", .bool(true))]
    if let seconds { own.append(("told", .integer(seconds))) }
    if !tag.isEmpty { own.append(("request", .string(tag))) }
    var members: [(String, JSONValue)] = [
      ("type", .text("oresp.end")), ("exit", .integer(Int(status.rawValue))),
      ("status", .text(outcome)), ("reason", reason.isEmpty ? .null : .text(reason)),
      ("response_id", responseID.isEmpty ? .null : .text(responseID)), ("message", .text(message)),
    ]
    if !streamID.isEmpty { members.append(("stream_id", .string(streamID))) }
    return JSONValue.object(members + [("oresp", .object(own))]).line
  }
}

extension Event {
  /// Whether it is the toolkit's own report of a response's end.
  @inline(__always)
  package func isOwnEnd(_ line: Span<UInt8>) -> Bool {
    type?.family == .ownEnd && OwnEnd(line) != nil
  }
}
