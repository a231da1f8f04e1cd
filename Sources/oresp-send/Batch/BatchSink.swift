import Core

/// Makes lines of the reply to one request of a batch: its result when it is whole, or the lines of
/// its events as they come.
final class BatchSink: ReplySink {
  private let line: BatchLine
  /// The number of its line in the input, from 1, and its number in the order of starts, from 0.
  private let place: Int
  private let number: Int
  private let output: BatchOutput
  private let redaction: Redaction
  /// The lines of the events; `nil` where a result is printed.
  private var lines: TaggedLines?
  /// The bytes of the answer so far, for the result.
  private var document: [UInt8] = []
  private var status = ExitStatus.completed

  init(
    _ line: BatchLine, at place: Int, _ number: Int, givesEvents: Bool, to output: BatchOutput,
    _ redaction: Redaction
  ) {
    (self.line, self.place, self.number, self.output) = (line, place, number, output)
    self.redaction = redaction
    lines = givesEvents ? TaggedLines(tag: line.customID) : nil
  }

  var isClosed: Bool { output.isClosed }

  var marking: NoticeSettings? { lines == nil ? nil : output.notifier.marking }

  func write(_ made: inout Output) throws(Failure) {
    let name = String(decoding: line.customID, as: UTF8.self)
    status = max(status, made.status)
    for var notice in made.notices {
      if !notice.countsLater { status = max(status, notice.status ?? .completed) }
      // A result has its errors in it.
      guard notice.kind == .summary || lines != nil && notice.kind == .error else { continue }
      notice.response = name
      notice.facts.append(("request", .text(name)))
      output.report(redaction.of(notice))
    }
    made.notices = []
    if lines == nil {
      document += made.bytes
    } else if !made.bytes.isEmpty {
      try writeLines(of: made.bytes.span, isEnd: false)
    }
    made.bytes.removeAll(keepingCapacity: true)
  }

  func end(_ reply: Reply) throws(Failure) -> ExitStatus {
    if lines == nil {
      try output.write(result(of: reply) + [ASCII.lf], of: number)
    } else {
      try writeLines(of: Span(), isEnd: true)
    }
    try output.end(number)
    return status
  }

  private func writeLines(of bytes: Span<UInt8>, isEnd: Bool) throws(Failure) {
    var made: [UInt8] = []
    lines?.append(bytes, isEnd: isEnd, to: &made)
    if !made.isEmpty { try output.write(made, of: number) }
  }

  /// The next run asks again.
  func giveUp(after failure: Failure) {}
}

/// The result line, in the Batch API's form.
extension BatchSink {
  private func result(of reply: Reply) -> [UInt8] {
    let content = content(of: reply)
    if content.body == nil, status == .completed { status = .badInput }
    let response: JSONValue? = content.body.map { body in
      [
        "status_code": .integer(reply.head?.status ?? 0),
        "request_id": reply.head?.requestID.map(JSONValue.text) ?? .null, "body": body,
      ]
    }
    return BatchLine.result(
      place, line.digest, customID: line.customID, response: response, error: content.error)
  }

  /// The body of the answer: the refusal, the document or the last response of a stream. Without
  /// one, the error in its place.
  private func content(of reply: Reply) -> (body: JSONValue?, error: JSONValue?) {
    let isSuccess = reply.head?.isSuccess != false
    if !reply.ownError.isEmpty {
      return isSuccess ? (nil, error(in: reply.ownError)) : (.raw(reply.ownError), nil)
    }
    var document = document
    if document.span.byteOrderMarkLength == 3 { document.removeFirst(3) }
    let content = document.span.extracting(document.span.trimmed())
    // A line of results is JSON, whatever a server answers.
    let isJSON = JSONScan.accepts(content)
    let hasFailed = Event(of: reply.lastEvent.span).isError
    if !isJSON, reply.isStream, !hasFailed, let response = StreamedResponse.last(in: document) {
      return (response, nil)
    }
    if isJSON, reply.plan.form != .response || content[0] == ASCII.openBrace {
      return (.raw(content.withoutLineEnds), nil)
    }
    guard reply.lastEvent.isEmpty else { return (nil, error(in: reply.lastEvent)) }
    return (nil, ["code": "unsupported_answer", "message": "the answer is no JSON object"])
  }

  private func error(in body: [UInt8]) -> JSONValue {
    let error = APIError(in: body.span)
    return ["code": "\(error.name)", "message": "\(error.words)"]
  }
}
