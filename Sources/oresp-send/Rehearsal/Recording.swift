import Core

/// A recording that is played as the reply of a server: an event stream as it came, a document, or
/// events in another form, which become an event stream. It may have the head of the reply before it,
/// as `curl -i` prints it.
struct Recording {
  /// How much is given at once.
  private static let blockSize = 64 << 10

  let head: ReplyHead
  let blocks: [[UInt8]]

  /// Reads the recording at `path`, which must have an event or a document in it.
  init(_ path: String, open: (String) throws(Failure) -> Descriptor) throws(Failure) {
    let file = RequestBuilder.Sources.file(try open(path).readAll(), path)
    let (told, start) = Self.head(of: file.bytes)
    let body = file.bytes[start...]
    let first = body.first { !ASCII.isSpace($0) }
    let isJSON = first == ASCII.openBrace || first == ASCII.openBracket
    let isDocument = JSONValue(object: Array(body).span).map { $0["type"] == nil } == true
    let isRefusal = told?.isSuccess == false
    let events = isDocument || isRefusal ? nil : try Self.events(in: Array(body), of: file)
    let played = isJSON ? events ?? Array(body) : Array(body)
    let type = isDocument ? "application/json" : "text/event-stream"
    head =
      told
      ?? ReplyHead(
        status: 200, headers: [("content-type", type), ("x-request-id", "req_recorded")])
    blocks = stride(from: 0, to: played.count, by: Self.blockSize).map {
      Array(played[$0..<min($0 + Self.blockSize, played.count)])
    }
  }

  /// The head that `bytes` begin with, and where the body starts behind it.
  private static func head(of bytes: [UInt8]) -> (ReplyHead?, Int) {
    guard bytes.span.starts(with: "HTTP/", at: 0) else { return (nil, 0) }
    var decoder = ReplyHeadDecoder()
    var start = 0
    while let end = bytes.span.firstIndex(of: ASCII.lf, from: start) {
      let head = decoder.take(bytes.span.extracting(start..<end))
      start = end + 1
      if let head { return (head, start) }
    }
    return (nil, 0)
  }

  /// The events of `body`, in whatever form they are, as an event stream.
  private static func events(
    in body: [UInt8], of file: FileText
  ) throws(Failure) -> [UInt8] {
    var settings = EventReader.Settings()
    settings.validates = true
    var feed = EventFeed(settings, sorting: .takingAll)
    var input = InputBuffer()
    var output = Output()
    var stream: [UInt8] = []
    input.append(body.span)
    feed.each(in: &input, isEnd: true, into: &output) { event, line, _ in
      let name = event.typeName.map { JSONString.decoded(inside: line.extracting($0)) } ?? []
      var data: [UInt8] = []
      EventLine.appendWithoutOwn(line, to: &data)
      EventStreamEncoder.append(data: data.span, name: name.span, to: &stream)
      return .counts
    }
    guard !stream.isEmpty else {
      let fault = output.notices.first { $0.kind == .error }
      throw file.fault(fault?.message ?? "expected an event stream, lines of JSON or a document")
    }
    return stream
  }
}
