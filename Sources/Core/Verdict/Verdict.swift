/// The verdict on a stream's responses, by their events alone (the manuals' EXIT STATUS).
///
/// A response that began and never ended (`Lifecycle`) was cut. A stream that shows no beginning
/// was filtered on purpose and is not judged, unless it shows an end. Of several responses, laid
/// end to end, the worst counts.
package struct Verdict {
  /// The end of one response that did not simply complete.
  package struct Judgement: Sendable {
    package var status: ExitStatus
    package var message: String
    package var responseID: String
    /// Whether it is about a response before the event's own.
    package var isOfFormer = false
    /// Whether another tool has reported it.
    var isReported = false
    /// The API's code for it; empty when there is none.
    var reason = ""
    /// Whether the toolkit's own line `oresp.end` reported it.
    var isOwn = false
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
    /// Whether the server's own bytes say it.
    var isOfServer = true
  }

  /// The worst status so far, of the responses that have ended.
  package private(set) var status = ExitStatus.completed
  /// The step of the event that was handled last.
  private(set) var step = Lifecycle.Step.inside
  /// The number of responses that have ended or failed.
  package private(set) var ends = 0
  private(set) var life = Lifecycle()
  /// The text of the refusal, which may be empty; `nil` when there was none.
  private var refusal: String?
  /// An error that came; a `response.failed` that follows is the same failure.
  private var error: Judgement?
  /// Whether the last lifecycle event was made of a whole Response that had not ended.
  private var isDocument = false

  package init() {}

  /// Whether a response began and has not ended.
  package var isOpen: Bool { life.isOpen }

  /// Whether the last response ended, or failed.
  package var hasEnd: Bool { life.hasEnded || life.hasFailed }

  /// Whether an error came, the server's or one that `oresp.end` reports, and no end has followed.
  var hasFailed: Bool { life.hasFailed || error != nil }

  /// Whether its last lifecycle event was a whole Response that has not ended yet.
  package var isPending: Bool { life.isOpen && isDocument }

  /// Whether the last event of a response was its end.
  package var isAtEnd: Bool { life.hasEnded && !life.isUnfinished }

  /// Handles the next event, whose line is `line`. Returns the judgements on responses that it ends
  /// and that did not complete: one may have been cut, and another be whole in this event.
  package mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>) -> [Judgement] {
    step = .inside
    guard let type = event.type, type.isJudged else { return [] }
    if type.family == .refusal {
      let text = event.text(of: "refusal", in: line)
      refusal = text.isEmpty ? refusal ?? "" : text
      return []
    }
    if type.family == .ownEnd {
      noteOwnEnd(line)
      return []
    }
    let own = ownError(before: type, line)
    let wasCut = life.isOpen
    let (formerID, hadFailed) = (life.id, life.hasFailed)
    step = life.handle(event, line)
    var judgements = own.map { [settle($0)] } ?? []
    if step.leavesCut, var cut = settle(wasCut: wasCut, formerID) {
      cut.isOfFormer = true
      judgements.append(cut)
    }
    if step.leavesCut, !hadFailed { ends += 1 }
    switch step.kind {
    case .begins: refusal = nil
    case .fails:
      if !hadFailed { ends += 1 }
      noteError(event, line)
    case .ends:
      if step.isFirst || wasCut && !hadFailed { ends += 1 }
      if let judgement = end(type.row.name.description, event, line) {
        judgements.append(judgement)
      }
    case .goesOn, .inside: break
    }
    if step.kind == .begins || step.kind == .goesOn {
      isDocument =
        type.phase != .start && event.isSynthetic(line)
    }
    return judgements
  }

  private mutating func noteOwnEnd(_ line: Span<UInt8>) {
    guard let end = OwnEnd(line), error.map({ $0.status < end.status }) ?? true else { return }
    var own = Judgement(status: end.status, message: end.message, responseID: end.responseID)
    (own.isReported, own.reason, own.isCut) = (end.isReported, end.reason, end.outcome == "cut")
    (own.isOwn, own.isOfServer) = (true, false)
    error = own
  }

  /// Forgets a cut that `oresp.end` reported, as the response goes on.
  mutating func voidOwnCut() {
    if let error, error.isOwn, error.isCut { self.error = nil }
  }

  /// The judgement of `oresp.end` on a response that an event of another one follows; else `nil`. A
  /// cut becomes void if the event is of the same response.
  private mutating func ownError(before type: EventType, _ line: Span<UInt8>) -> Judgement? {
    guard var own = error, own.isOwn, type.family == .lifecycle else { return nil }
    let id = JSONChildren.text(of: "response", "id", in: line)
    let isSame = own.responseID.isEmpty || id.isEmpty || id == own.responseID
    if own.isCut, isSame { error = nil }
    guard !isSame else { return nil }
    error = nil
    own.isOfFormer = true
    return own
  }

  private mutating func noteError(_ event: borrowing Event, _ line: Span<UInt8>) {
    let found = APIError(in: line)
    if let error, error.status > found.status { return }
    error = judgement(found.status, "error: " + found.summary)
    // An error behind the end of a response is outside of it.
    if !life.isOpen { error?.responseID = "" }
    error?.reason = found.code.isEmpty ? found.type : found.code
    error?.error = found
    error?.isReported = event.value(of: "oresp", "told", in: line) != nil
    error?.isOfServer = !event.isSynthetic(line)
  }

  /// Ends the input. Returns the judgement on the last response, if it was not returned yet.
  package mutating func conclude() -> Judgement? {
    defer { life.conclude() }
    return settle(wasCut: life.isOpen, life.id)
  }

  /// The judgement on the response if nothing more comes of it; `nil` for none.
  var ifCut: Judgement? {
    var verdict = self
    return verdict.conclude()
  }

  /// Ends the response `id` without a terminal event: by its error, or as cut. `nil` for neither.
  private mutating func settle(wasCut: Bool, _ id: String) -> Judgement? {
    defer { (refusal, error) = (nil, nil) }
    if let error { return settle(error) }
    guard wasCut else { return nil }
    var cut = Judgement(
      status: .temporary, message: isDocument ? Self.running : Self.cut, responseID: id)
    if !isDocument { cut.reason = "truncated_stream" }
    (cut.isCut, cut.isOfServer) = (!isDocument, false)
    return settle(cut)
  }

  private static let cut = "the stream ended before the response did"
  private static let running = "the response has not ended yet"

  private mutating func end(
    _ name: String, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Judgement? {
    defer { (refusal, error) = (nil, nil) }
    var worst = judge(name.dropFirst("response.".count), event, line)
    // Only for the worse: {"type":"response.completed","response":{"status":"incomplete",…}}
    let inside = judge(event.text(of: "response", "status", in: line)[...], event, line)
    if inside.status > worst.status { worst = inside }
    if let refusal = Self.refusal(in: event, line) ?? refusal, worst.status < .refusal {
      let words = refusal.isEmpty ? "" : ": " + refusal
      worst = judgement(.refusal, "the model refused" + words)
    }
    // An `error` event says more than the `response.failed` that follows it.
    if let error, [.completed, .temporary].contains(worst.status) {
      worst = error
      if worst.responseID.isEmpty { worst.responseID = life.id }
    }
    return worst.status == .completed ? nil : settle(worst)
  }

  /// The judgement on the response in the event `line`, which ended with `state`.
  private func judge(
    _ state: Substring, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Judgement {
    switch state {
    case "failed":
      let error = event.value(of: "response", "error", in: line)
      let failure = error.map { APIError(value: line.extracting($0)) } ?? APIError()
      var failed = judgement(failure.status, "the response failed: " + failure.summary)
      failed.error = failure
      failed.reason = failure.code.isEmpty ? failure.type : failure.code
      return failed
    case "incomplete":
      let details = event.value(of: "response", "incomplete_details", in: line)
      let reason = details.map { JSONChildren.text(of: "reason", in: line.extracting($0)) } ?? ""
      // Rebuilt from a cut stream: {"incomplete_details":{"reason":"truncated_stream"}}
      if reason == "truncated_stream" {
        var cut = judgement(.temporary, Self.cut)
        (cut.reason, cut.isCut) = (reason, true)
        return cut
      }
      var incomplete = judgement(
        .incomplete, "the response is incomplete: " + (reason.isEmpty ? "no reason given" : reason))
      incomplete.reason = reason
      return incomplete
    case "cancelled": return judgement(.cancelled, "the response was cancelled")
    default: return judgement(.completed, "")
    }
  }

  private func judgement(_ status: ExitStatus, _ message: String) -> Judgement {
    Judgement(status: status, message: message, responseID: life.id)
  }

  private mutating func settle(_ judgement: Judgement) -> Judgement {
    status = max(status, judgement.status)
    return judgement
  }

  /// The text of the first refusal in the output of the response in `line`; `nil` for none.
  private static func refusal(in event: borrowing Event, _ line: Span<UInt8>) -> String? {
    guard let output = event.value(of: "response", "output", in: line),
      line.extracting(output).mayHave("refusal")
    else { return nil }
    var items = JSONChildren(at: output.lowerBound)
    while let item = items.next(in: line), !items.isObject {
      let item = line.extracting(item.value)
      guard var parts = JSONChildren.children(at: ["content"], in: item) else { continue }
      while let part = parts.next(in: item), !parts.isObject {
        let part = item.extracting(part.value)
        guard JSONChildren.text(of: "type", in: part) == "refusal" else { continue }
        return JSONChildren.text(of: "refusal", in: part)
      }
    }
    return nil
  }
}
