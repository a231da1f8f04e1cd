import Core

/// Replies that are no responses: documents of other kinds, pages of lists, and plain bytes.
extension ReplyRelay {
  /// Ends such a reply. Returns the advice about a fault; `nil` without one.
  mutating func finishDocument(_ fault: TransportFault?, into output: inout Output) -> String? {
    if fault == nil {
      if plan.form == .page { _ = passItems(into: &output) }
      if plan.form == .object { tellState(into: &output) }
      output.bytes += held.bytes
    }
    guard let fault else { return nil }
    if !hasPassed {
      append(FailureEvent(fault, head), into: &output)
    } else {
      // No event can follow a document that was cut.
      output.notices.append(Notice(.error, fault.message, status: .temporary))
    }
    return fault.advice
  }

  /// The reason to send another request after a document that came whole; `nil` when there is none.
  mutating func documentRest(into output: inout Output) -> ResponseRest.Reason? {
    guard plan.form == .page else { return unready(into: &output) }
    guard let item = passItems(into: &output), item != lastPage else { return nil }
    lastPage = item
    return .page(item)
  }

  /// The id of the document's object and the wait for it; `nil` when it is ready.
  private mutating func unready(into output: inout Output) -> ResponseRest.Reason? {
    let document = held.bytes
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
    if !running.contains(state) { note(state, into: &output) }
    return .unready(id, milliseconds: pollMilliseconds)
  }

  /// Reports an object that was waited for and failed, expired or was cancelled.
  private func tellState(into output: inout Output) {
    let state = JSONChildren.text(of: "status", in: held.bytes.span)
    let ends: [String: ExitStatus] = [
      "failed": .temporary, "expired": .temporary, "incomplete": .incomplete,
      "cancelled": .cancelled, "canceled": .cancelled,
    ]
    guard let status = ends[state] else { return }
    output.notices.append(Notice(.error, "its status is \(state)", status: status))
  }

  /// Passes on the items of the held page, one a line. Returns the query item for the next page;
  /// `nil` when there is none. A document that is no page stays held.
  private mutating func passItems(into output: inout Output) -> String? {
    let page = held.bytes
    let whole = opening.first == ASCII.openBracket ? page.span.trimmed() : nil
    guard let data = whole ?? JSONChildren.value(of: "data", in: page.span) else { return nil }
    let items = JSONChildren.elements(at: data, in: page.span)
    for item in items {
      let line = page.span.extracting(item).withoutLineEnds
      output.append(line: line.span)
    }
    held.drop()
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
