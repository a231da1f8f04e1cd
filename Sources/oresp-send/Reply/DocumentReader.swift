import Core

/// Reads a document to its end: a page of a list, of which the items are passed on, or an object,
/// which is asked for again until it is ready.
final class DocumentReader: ReplyReader {
  private let answer: Answer
  private let isArray: Bool
  private var isTooLong = false
  private var fault: TransportFault?

  init(_ answer: Answer, isArray: Bool) {
    self.answer = answer
    self.isArray = isArray
  }

  func receive(_ chunk: Span<UInt8>, into output: inout Output) -> Bool {
    answer.held.input.append(chunk)
    isTooLong = answer.held.count > answer.limit
    return !isTooLong
  }

  func flush(into output: inout Output) {}

  func end(_ fault: TransportFault?, into output: inout Output) -> ReplyOutcome {
    self.fault = isTooLong ? .tooLong : fault
    if self.fault == nil {
      if let reason = rest(into: &output) {
        return .goesOn(ResponseRest(reason: reason, id: "", last: nil))
      }
    } else if let fault, answer.held.count == 0 {
      return .failed(.broken(fault))
    }
    giveUp(into: &output)
    return .ended
  }

  func giveUp(into output: inout Output) {
    let start = output.notices.count
    if let fault {
      answer.append(FailureEvent(fault, answer.head), into: &output)
    } else {
      if answer.plan.form == .object { tellState(into: &output) }
      output.bytes += answer.held.bytes
    }
    answer.conclude(explaining: start, fault?.advice, into: &output)
  }

  /// The reason to send another request after the document, which came whole; `nil` when there is
  /// none.
  private func rest(into output: inout Output) -> ResponseRest.Reason? {
    guard answer.plan.form == .page else { return unready(into: &output) }
    guard let item = passItems(into: &output), item != answer.lastPage else { return nil }
    answer.lastPage = item
    return .page(item)
  }

  /// The id of the document's object and the wait for it; `nil` when it is ready.
  private func unready(into output: inout Output) -> ResponseRest.Reason? {
    let document = answer.held.bytes
    let state = JSONChildren.text(of: "status", in: document.span)
    let id = JSONChildren.text(of: "id", in: document.span)
    let running = [
      "queued", "pending", "validating", "in_progress", "running", "processing", "finalizing",
      "cancelling", "uploaded", "validating_files",
    ]
    let ready = [
      "completed", "failed", "incomplete", "cancelled", "canceled", "expired", "succeeded",
      "processed", "error", "deleted", "active", "paused", "requires_action", "",
    ]
    guard !ready.contains(state), !id.isEmpty else { return nil }
    if !running.contains(state) { answer.note(unknownStatus: state, into: &output) }
    return .unready(id, milliseconds: answer.pollMilliseconds)
  }

  /// Reports an object that was waited for and failed, expired or was cancelled.
  private func tellState(into output: inout Output) {
    let state = JSONChildren.text(of: "status", in: answer.held.bytes.span)
    let ends: [String: ExitStatus] = [
      "failed": .temporary, "expired": .temporary, "incomplete": .incomplete,
      "cancelled": .cancelled, "canceled": .cancelled,
    ]
    guard let status = ends[state] else { return }
    output.notices.append(Notice(.error, "its status is \(state)", status: status))
  }

  /// Passes on the items of the held page, one a line. Returns the query item for the next page;
  /// `nil` when there is none. A document that is no page stays held.
  private func passItems(into output: inout Output) -> String? {
    let page = answer.held.bytes
    let whole = isArray ? page.span.trimmed() : nil
    guard let data = whole ?? JSONChildren.value(of: "data", in: page.span) else { return nil }
    let items = JSONChildren.elements(at: data, in: page.span)
    for item in items {
      let line = page.span.extracting(item).withoutLineEnds
      output.append(line: line.span)
    }
    answer.held.drop()
    let next = JSONChildren.text(of: "next_page", in: page.span)
    if !next.isEmpty { return "page=" + next.percentEncoded }
    guard let more = JSONChildren.value(of: "has_more", in: page.span),
      page.span.extracting(more).equals("true"), let last = items.last
    else { return nil }
    let named = JSONChildren.text(of: "last_id", in: page.span)
    let id =
      named.isEmpty ? JSONChildren.text(of: "id", in: page.span.extracting(last)) : named
    return id.isEmpty ? nil : "after=" + id.percentEncoded
  }
}
