import Core

/// Replies that are no responses: documents of other kinds, pages of lists, and plain bytes.
extension ReplyRelay {
  /// Takes the end of such a reply. Returns what to do about a fault.
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
      // Nothing can be put behind a document that was cut.
      output.notices.append(Notice(.error, fault.message, status: .temporary))
    }
    return fault.advice
  }

  /// What is asked for behind a document that came whole, if anything is.
  mutating func documentRest(into output: inout Output) -> ResponseRest.Reason? {
    guard plan.form == .page else { return unready }
    guard let item = passItems(into: &output), item != lastPage else { return nil }
    lastPage = item
    return .page(item)
  }

  /// How long to wait for the thing that the document tells of, and its id, if it is not ready.
  private var unready: ResponseRest.Reason? {
    let document = held.bytes
    let state = JSONChildren.text(of: "status", in: document.span)
    let id = JSONChildren.text(of: "id", in: document.span)
    let running = [
      "queued", "pending", "validating", "in_progress", "running", "processing", "finalizing",
      "cancelling", "uploaded",
    ]
    guard running.contains(state), !id.isEmpty else { return nil }
    return .unready(id, milliseconds: pollMilliseconds)
  }

  /// Tells that the thing which was waited for came to nothing.
  private func tellState(into output: inout Output) {
    let state = JSONChildren.text(of: "status", in: held.bytes.span)
    let ends: [String: ExitStatus] = [
      "failed": .temporary, "expired": .temporary, "incomplete": .incomplete,
      "cancelled": .cancelled,
    ]
    guard let status = ends[state] else { return }
    output.notices.append(Notice(.error, "its status is \(state)", status: status))
  }

  /// Passes on the items of the page that is held, a line each. Returns the item of a query that
  /// asks for the next page, if there is one. What is no page stays held.
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
