/// The verdict on one response, by its events alone (the manuals' EXIT STATUS).
///
/// A response that began and never ended was cut. One that shows no beginning was filtered on
/// purpose and is not judged, unless it shows an end.
package struct Verdict {
  /// The end of one response that did not simply complete.
  package struct Judgement: Sendable {
    package var status: ExitStatus
    package var message: String
    /// Whether another tool has reported it.
    var isReported = false
    /// Whether its response is still open, so that its end may say more.
    var isOfOpen = false
    /// The API's code for it; empty when there is none.
    var reason = ""
    /// The server's error, if it failed.
    var error: APIError?

    /// The outcome in one word.
    var outcome: String {
      switch status {
      case .incomplete: "incomplete"
      case .refusal: "refused"
      case .cancelled: "cancelled"
      default: message == Verdict.cut ? "cut" : message == Verdict.running ? "unfinished" : "failed"
      }
    }

    /// Whether the response has no end.
    var isCut = false
  }

  /// Whether the response began and has not ended.
  package private(set) var isOpen = false
  /// Whether an error came that no terminal event has followed.
  private var hasFailed = false
  /// Whether the response ended.
  private var hasEnded = false
  /// Whether the toolkit's own line `oresp.end` came.
  private(set) var hasOwnEnd = false
  /// The text of the refusal, which may be empty; `nil` when there was none.
  private var refusal: String?
  /// Its failure: an error, or `response.failed`; both are one.
  private(set) var failure: Judgement?
  /// What it is beside: incomplete, refused, cancelled or cut, or as an `oresp.end` says.
  private var other: Judgement?
  /// Whether the last lifecycle event was made of a whole Response that had not ended.
  private var isDocument = false

  package init() {}

  /// Whether the response ended, or failed.
  package var hasEnd: Bool { hasEnded || hasFailed }

  /// Whether its last lifecycle event was a whole Response that has not ended yet.
  package var isPending: Bool { isOpen && isDocument }

  /// Whether its last event was its end.
  package var isAtEnd: Bool { hasEnded && !isOpen && !hasFailed }

  /// The worst judgement on it; `nil` when it completed, or nothing shows an end.
  var worst: Judgement? {
    guard let failure, failure.status >= other?.status ?? .completed else { return other }
    return failure
  }

  /// Handles the next event, whose line is `line`, and of which another tool told just now what it
  /// says, if it `isTold`. Returns the judgement, if it says that the response did not complete, and
  /// no event before said as much.
  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, isTold: Bool = false
  ) -> Judgement? {
    guard let type = event.type, type.isJudged else { return nil }
    if type.family == .refusal {
      let text = event.text(of: "refusal", in: line)
      refusal = text.isEmpty ? refusal ?? "" : text
      return nil
    }
    if type.family == .ownEnd {
      isOpen = false
      hasEnded = true
      hasOwnEnd = true
      return ownEnd(line, isTold)
    }
    switch event.step {
    case .begins, .inside:
      guard type.family == .lifecycle || event.isBeginning else { break }
      if !hasFailed { isOpen = true }
      isDocument = type.phase != .start && event.isSynthetic(line)
    case .fails:
      var error = error(in: line)
      error.isReported = isTold
      error.isOfOpen = true
      isOpen = false
      hasFailed = true
      return note(failure: error)
    case .ends:
      isOpen = false
      hasFailed = false
      hasEnded = true
      return end(type.endStatus, event, line, isTold)
    case .none, .again: break
    }
    return nil
  }

  private mutating func ownEnd(_ line: Span<UInt8>, _ isTold: Bool) -> Judgement? {
    guard let end = OwnEnd(line), end.status > worst?.status ?? .completed else { return nil }
    var own = Judgement(status: end.status, message: end.message)
    own.isReported = isTold
    own.reason = end.reason
    own.isCut = end.outcome == "cut"
    other = own
    return own
  }

  private func error(in line: Span<UInt8>) -> Judgement {
    let found = APIError(in: line)
    var error = Judgement(status: found.status, message: "error: " + found.summary)
    error.reason = found.code.isEmpty ? found.type : found.code
    error.error = found
    return error
  }

  /// Notes an error or `response.failed`. An error and the other are one failure: for good, if one of
  /// them says so. Returns it if it is the first.
  private mutating func note(failure found: Judgement) -> Judgement? {
    if failure == nil {
      failure = found
      return found
    }
    if found.status == .refusedForGood { failure?.status = found.status }
    return nil
  }

  /// Gives up the response. Returns the judgement on it, if it was not returned yet.
  package mutating func conclude() -> Judgement? {
    defer {
      refusal = nil
      isOpen = false
    }
    guard isOpen, failure == nil else { return nil }
    var cut = Judgement(status: .temporary, message: isDocument ? Self.running : Self.cut)
    if !isDocument { cut.reason = "truncated_stream" }
    cut.isCut = !isDocument
    other = cut
    return cut
  }

  static let cut = "the stream ended before the response did"
  private static let running = "the response has not ended yet"

  private mutating func end(
    _ status: String, _ event: borrowing Event, _ line: Span<UInt8>, _ isTold: Bool
  ) -> Judgement? {
    defer { refusal = nil }
    var worst = judge(status, event, line)
    // Only for the worse: {"type":"response.completed","response":{"status":"incomplete",…}}
    let inside = judge(event.text(of: "response", "status", in: line), event, line)
    if inside.status > worst.status { worst = inside }
    if worst.status == .completed, let refusal = Self.refusal(in: event, line) ?? refusal {
      let words = refusal.isEmpty ? "" : ": " + refusal
      worst = Judgement(status: .refusal, message: "the model refused" + words)
    }
    worst.isReported = isTold
    if worst.error != nil { return note(failure: worst) }
    guard worst.status > failure?.status ?? .completed else { return nil }
    other = worst
    return worst
  }

  /// The judgement on the response in the event `line`, which ended with `state`.
  private func judge(
    _ state: String, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Judgement {
    switch state {
    case "failed":
      let error = event.value(of: "response", "error", in: line)
      let failure = error.map { APIError(value: line.extracting($0)) } ?? APIError()
      var failed = Judgement(
        status: failure.status, message: "the response failed: " + failure.summary)
      failed.error = failure
      failed.reason = failure.code.isEmpty ? failure.type : failure.code
      return failed
    case "incomplete":
      let details = event.value(of: "response", "incomplete_details", in: line)
      let reason = details.map { JSONChildren.text(of: "reason", in: line.extracting($0)) } ?? ""
      // Rebuilt from a cut stream: {"incomplete_details":{"reason":"truncated_stream"}}
      if reason == "truncated_stream" {
        var cut = Judgement(status: .temporary, message: Self.cut)
        cut.reason = reason
        cut.isCut = true
        return cut
      }
      let why = "the response is incomplete: " + (reason.isEmpty ? "no reason given" : reason)
      var incomplete = Judgement(status: .incomplete, message: why)
      incomplete.reason = reason
      return incomplete
    case "cancelled": return Judgement(status: .cancelled, message: "the response was cancelled")
    default: return Judgement(status: .completed, message: "")
    }
  }

  /// The text of the first refusal in the output of the response in `line`; `nil` for none.
  private static func refusal(in event: borrowing Event, _ line: Span<UInt8>) -> String? {
    for place in event.output {
      let item = line.extracting(place)
      let type = ItemCatalogue.kin(of: JSONChildren.text(of: "type", in: item))
      guard type == "message" || ItemCatalogue.row(of: type) == nil,
        var parts = JSONChildren.children(at: ["content"], in: item)
      else { continue }
      while let part = parts.next(in: item), !parts.isObject {
        let part = item.extracting(part.value)
        if JSONChildren.text(of: "type", in: part) == "refusal" {
          return JSONChildren.text(of: "refusal", in: part)
        }
      }
    }
    return nil
  }
}

extension Response.Outcome {
  init(_ judgement: Verdict.Judgement) {
    isError = judgement.error != nil
    isCut =
      judgement.isCut || judgement.outcome != "failed"
      || judgement.error?.code == "truncated_stream"
    isUnfinished = judgement.outcome == "unfinished"
    status = judgement.status
    message = judgement.message
  }
}
