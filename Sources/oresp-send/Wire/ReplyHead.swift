import Core

/// The status and the headers of a reply.
struct ReplyHead: Sendable {
  /// The longest wait that a server may ask for, in milliseconds.
  static let longestDelay = 120_000

  let status: Int
  /// Names in lower case, values without white space around them.
  private(set) var headers: [(name: String, value: String)] = []

  init(status: Int, headers: [(name: String, value: String)] = []) {
    (self.status, self.headers) = (status, headers)
  }

  /// The value of the first header called `name`, in lower case; `nil` when missing or empty.
  subscript(name: String) -> String? {
    let value = headers.first { $0.name == name }?.value
    return value == "" ? nil : value
  }

  /// The server's id for the request, to quote to its makers; Azure has two names for the header.
  var requestID: String? {
    self["x-request-id"] ?? self["apim-request-id"] ?? self["x-ms-request-id"]
  }

  var isEventStream: Bool {
    self["content-type"]?.lowercased().hasPrefix("text/event-stream") ?? false
  }

  /// Whether the body may be text or JSON, by its `Content-Type`; true when it has none.
  var isText: Bool {
    guard let type = self["content-type"]?.lowercased() else { return true }
    return type.hasPrefix("text/") || type.contains("json") || type.contains("xml")
  }

  var isSuccess: Bool { 200..<300 ~= status }

  /// The facts on the reply for `--notices=json`.
  var facts: JSONValue.Members {
    JSONValue.present([
      ("http_status", .integer(status)), ("request_id", requestID.map(JSONValue.text)),
      ("retry_after", self["retry-after"].map(JSONValue.text)),
    ])
  }

  fileprivate mutating func append(_ line: String) {
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = line[line.index(after: colon)...]
    headers.append((line[..<colon].lowercased(), Self.trimmed(value)))
  }

  private static func trimmed(_ text: Substring) -> String {
    let front = text.drop { $0 == " " || $0 == "\t" }
    guard let last = front.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return String(front[...last])
  }
}

/// Makes the head of a reply from its lines. Holds the head until its blank line; skips trailers
/// and heads of status 1xx, which announce another.
struct ReplyHeadDecoder {
  private var head: ReplyHead?
  private var isDone = false

  /// Takes a line, with or without its line end. Returns the head after its last line, else `nil`.
  mutating func append(_ line: Span<UInt8>) -> ReplyHead? {
    guard !isDone else { return nil }
    let text = String(decoding: line.extracting(line.trimmed { $0 == ASCII.lf || $0 == ASCII.cr }))
    if text.isEmpty { return endHead() }
    if text.hasPrefix("HTTP/") { head = Self.head(text) } else { head?.append(text) }
    return nil
  }

  private mutating func endHead() -> ReplyHead? {
    guard let head, head.status >= 200 else { return nil }
    isDone = true
    return head
  }

  private static func head(_ statusLine: String) -> ReplyHead? {
    let words = statusLine.split(separator: " ", maxSplits: 2)
    guard words.count > 1, let status = Int(words[1]) else { return nil }
    return ReplyHead(status: status)
  }
}
