/// A filter's choices for the lines that report the ends of responses (`oresp.end`).
package struct OwnEnds: Sendable {
  /// Whether such lines in the input are handed on.
  package var passes = false
  /// Whether what is made of events goes out in their place, so that a repeat is passed over.
  package var isBesideProduct = false
  /// The bad ends for which a line is written.
  package enum Written: Sendable {
    case none
    /// Those of which no event was handed on that says them.
    case missing
    /// Those of responses without an end, which the product leaves out.
    case cuts
    /// Those that the server's events say, which all are handed on, and that this tool reports:
    /// then no later tool does.
    case reported
  }

  package var written = Written.none
  /// Whether that line goes to `Output.ends`, before the event that shows the end, so that the
  /// filter puts it in its place.
  package var isSetAside = false
  /// The notices of this tool, which decide whether it reports the end itself.
  package var notices = NoticeSettings()
  /// The tag that this tool gives to responses without one; empty for none. It names them in
  /// notices.
  package var tag: [UInt8] = []

  package init() {}

  /// Whether a line is written for the bad end `judgement`, which this tool reports, or another
  /// did, if it `isReported`.
  func writes(_ judgement: Verdict.Judgement, isReported: Bool) -> Bool {
    switch written {
    case .none: false
    case .missing: true
    case .cuts: judgement.isCut
    case .reported: isReported && judgement.isOfServer
    }
  }
}

/// The line `oresp.end`, which stands for the end of a response if a selection does not hand that
/// on. It can only make a verdict worse, and is used for nothing else.
package struct OwnEnd {
  var status: ExitStatus
  var outcome: String
  var reason: String
  var responseID: String
  var message: String
  var isReported: Bool

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
    responseID = JSONChildren.text(of: "response_id", in: line)
    let message = JSONChildren.text(of: "message", in: line)
    self.message = message.isEmpty ? "the response ended badly" : message
    isReported = JSONChildren.value(of: "oresp", "told", in: line) != nil
  }

  /// The end of a response that did not complete.
  init(_ judgement: Verdict.Judgement, isReported: Bool) {
    status = judgement.status
    outcome = judgement.isCut ? "cut" : judgement.outcome
    reason = judgement.reason
    responseID = judgement.responseID
    message = judgement.message
    self.isReported = isReported
  }

  private init(_ status: ExitStatus, _ outcome: String, _ message: String) {
    self.status = status
    self.outcome = outcome
    reason = ""
    responseID = ""
    self.message = message
    isReported = true
  }

  /// The end of a response that completed.
  static let completed = OwnEnd(.completed, "completed", "the response completed")

  /// Its line, with `tag` and the WebSocket's `streamID`, each empty when there is none.
  func line(tag: [UInt8], streamID: [UInt8]) -> [UInt8] {
    var own: [(String, JSONValue)] = [("synthetic", .bool(true))]
    if isReported { own.append(("told", .bool(true))) }
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
