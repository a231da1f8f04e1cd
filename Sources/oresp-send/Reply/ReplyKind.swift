import Core

/// What a reply is. It is decided once, by its status, its `Content-Type` and the first bytes of its
/// content:
///
///     HTTP/1.1 200 OK                       {"id":"resp_1","object":"response",…   document
///     HTTP/1.1 200 OK                       data: {"type":"response.created",…     events
///     HTTP/1.1 200 OK                       <html>                                 refusal
///     HTTP/1.1 429 Too Many Requests        {"error":{"message":"Slow down."}}     refusal
enum ReplyKind: Equatable, Sendable {
  /// A refusal, or an answer that no API gives, as a web page or a text in place of a response: it
  /// becomes one `error` event.
  case refusal
  /// Bytes that are passed on as they come.
  case raw
  /// JSON that is held to its end: a response, a page of a list, or the result of a line of a batch.
  case document
  /// An event stream, passed on a whole block at a time.
  case events

  /// The most bytes of the content that decide.
  static let openingSize = 6

  /// The kind of the reply with `head` to a request with `plan`. `opening` has the first bytes of
  /// its content, without white space before them, all of it if it `isEnd`. `nil` when more bytes
  /// are needed.
  static func of(
    _ head: ReplyHead, _ plan: ReplyPlan, opening: Span<UInt8>, isEnd: Bool
  ) -> ReplyKind? {
    guard head.isSuccess else { return .refusal }
    let isHeld = plan.form == .response || plan.form == .page || plan.isOfBatch
    let usual: ReplyKind =
      switch plan.form {
      case _ where head.isEventStream: .events
      case .response: .events
      case .page: .document
      case .document, .bytes: .raw
      }
    // Bytes of a binary type may begin in any way.
    guard plan.form != .bytes, head.isText else { return usual }
    guard !opening.isEmpty else { return isEnd ? usual : nil }
    // The start of a byte order mark.
    if !isEnd, opening.byteOrderMarkLength == opening.count { return nil }
    switch opening[0] {
    case UInt8(ascii: "<"): return .refusal
    case ASCII.openBrace, ASCII.openBracket: return isHeld ? .document : .raw
    default: break
    }
    guard usual == .events else { return plan.takesText ? usual : .refusal }
    if head.isEventStream { return .events }
    let fields = ["data", "event", "id", "retry", ":"]
    if fields.contains(where: { opening.starts(with: Array($0.utf8).span, at: 0) }) {
      return .events
    }
    let isPart = fields.contains { Array($0.utf8).span.starts(with: opening, at: 0) }
    guard isPart else { return .refusal }
    return isEnd ? .events : nil
  }
}
