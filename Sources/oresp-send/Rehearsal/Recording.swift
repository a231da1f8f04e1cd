import Core

/// A file that is played as the reply of a server: a document, or events in any form, which become
/// an event stream. The head of the reply may stand before it, as `curl -i` prints it:
///
///     HTTP/1.1 429 Too Many Requests
///     retry-after: 20
///
///     {"error":{"message":"Rate limit reached"}}
struct Recording {
  let head: ReplyHead
  let body: [UInt8]

  /// Reads the recording at `path`, which must have an event or a document in it.
  init(_ path: String, open: (String) throws(Failure) -> Descriptor) throws(Failure) {
    let file = Sources.file(try open(path).readAll(), path)
    var decoder = ReplyHeadDecoder()
    var head: ReplyHead?
    var start = 0
    if file.bytes.span.starts(with: "HTTP/", at: 0) {
      while head == nil, let end = file.bytes.span.firstIndex(of: ASCII.lf, from: start) {
        head = decoder.append(file.bytes.span.extracting(start..<end))
        start = end + 1
      }
    }
    let body = Array(file.bytes[(head == nil ? 0 : start)...])
    let isDocument = JSONValue(object: body.span).map { $0["type"] == nil } == true
    let type = isDocument ? "application/json" : "text/event-stream"
    let headers = [("content-type", type), ("x-request-id", "req_recorded")]
    self.head = head ?? ReplyHead(status: 200, headers: headers)
    let isPlain = isDocument || !self.head.isSuccess
    let stream = isPlain ? body : try Self.stream(of: body, in: file)
    let first = body.first { !ASCII.isSpace($0) }
    self.body = [ASCII.openBrace, ASCII.openBracket].contains(first) ? stream : body
  }

  /// The events in `body` as an event stream.
  private static func stream(of body: [UInt8], in file: FileText) throws(Failure) -> [UInt8] {
    var stream: [UInt8] = []
    let read = EventFeed.all(in: body, sorting: .handlingAll) { event, line in
      let name = event.typeName.map { JSONString.decoded(inside: line.extracting($0)) } ?? []
      var data: [UInt8] = []
      EventLine.appendWithoutOwn(line, to: &data)
      EventStreamEncoder.append(data: data.span, name: name.span, to: &stream)
    }
    guard stream.isEmpty else { return stream }
    throw file.fault(read.fault?.message ?? "expected an event stream, lines of JSON or a document")
  }
}
