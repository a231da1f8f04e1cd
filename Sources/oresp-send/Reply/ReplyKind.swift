import Core

/// The way in which a reply is read. It is decided once, by its status, its `Content-Type` and the
/// first bytes of its content:
///
///     HTTP/1.1 200 OK                       {"id":"resp_1","object":"response",…   blocks
///     HTTP/1.1 200 OK                       data: {"type":"response.created",…     blocks
///     HTTP/1.1 200 OK                       <html>                                 refusal
///     HTTP/1.1 429 Too Many Requests        {"error":{"message":"Slow down."}}     refusal
enum ReplyKind: Equatable, Sendable {
  /// A refusal, or an answer that no API gives: it becomes one `error` event.
  case refusal
  /// A text in place of a response, which becomes an `error` event, too, if it comes whole.
  case text
  /// Bytes that are passed on as they come.
  case raw
  /// A document that is held to its end: a page of a list.
  case document
  /// Events or a response, passed on a whole block at a time.
  case blocks

  /// The most bytes of the content that decide.
  static let openingSize = 6

  /// The kind of the reply with `head` to a request with `plan`. `opening` has the first bytes of
  /// its content, without white space before them, all of it if it `isEnd`. `nil` when more bytes
  /// are needed.
  static func of(
    _ head: ReplyHead, _ plan: ReplyPlan, opening: Span<UInt8>, isEnd: Bool
  ) -> ReplyKind? {
    guard head.isSuccess else { return .refusal }
    let usual: ReplyKind =
      switch plan.form {
      case _ where head.isEventStream: .blocks
      case .response: .blocks
      case .page: .document
      case .document, .bytes: .raw
      }
    // Bytes of a binary type may begin in any way.
    guard plan.form != .bytes, head.isText else { return usual }
    guard !opening.isEmpty else { return isEnd ? usual : nil }
    switch opening[0] {
    case UInt8(ascii: "<"): return .refusal
    case ASCII.openBrace, ASCII.openBracket: return usual
    default: break
    }
    guard usual == .blocks else { return plan.takesText ? usual : .refusal }
    if head.isEventStream { return .blocks }
    let fields = ["data", "event", "id", "retry", ":"]
    if fields.contains(where: { opening.starts(with: Array($0.utf8).span, at: 0) }) {
      return .blocks
    }
    let isPart = fields.contains { Array($0.utf8).span.starts(with: opening, at: 0) }
    guard isPart else { return .text }
    return isEnd ? .blocks : nil
  }
}
