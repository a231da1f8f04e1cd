import Core

/// Reads a page of a list to its end, and passes on its items.
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
      if let item = passItems(into: &output), item != answer.lastPage {
        answer.lastPage = item
        return .goesOn(ResponseRest(reason: .page(item), id: "", last: nil))
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
      output.bytes += answer.held.bytes
    }
    answer.conclude(explaining: start, fault?.advice, into: &output)
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
