import CLibcurl
import Core

/// One request on its way: what libcurl is told of it, and what its end means.
final class CurlTransfer {
  private var handle: CurlHandle
  private let exchange: CurlExchange
  private let form: CurlForm?
  private let cause: FaultCause

  /// How the transport names itself to servers.
  private static let userAgent = "oresp/\(CommandPage.version)"

  /// Sets the request up, which is to be over in `milliseconds`; 0 is no limit.
  init(
    _ request: HTTPRequest, to receiver: any ReplyReceiver, _ settings: TransportSettings,
    _ watchers: [any TransferWatcher], showsWork: Bool, within milliseconds: Int
  ) throws(Failure) {
    guard var handle = CurlHandle() else { throw .other("libcurl does not start", .usage) }
    cause = FaultCause(request, settings, within: milliseconds)
    handle.set(clibcurl_option_url, text: request.url)
    handle.set(clibcurl_option_user_agent, text: Self.userAgent)
    // Without the last, libcurl waits a second for leave to send a large body.
    handle.set(headers: request.headers + ["Expect:"])
    handle.set(settings, isLocal: request.isLocal, within: milliseconds)
    if showsWork { handle.set(clibcurl_option_verbose, number: 1) }
    exchange = CurlExchange(request.body, receiver, watchers: watchers, settings)
    form = request.form.isEmpty ? nil : CurlForm(request.form, for: handle)
    guard form != nil || request.form.isEmpty, handle.prepare(request.method, form, exchange) else {
      throw .other("the system's libcurl is too old", .usage)
    }
    self.handle = handle
  }

  /// libcurl's handle, as long as the transfer lives.
  @unsafe var raw: UnsafeMutableRawPointer { unsafe handle.raw }

  /// Takes its end, libcurl's `code` for how it went. Returns what went wrong, if anything did.
  func end(with code: Int) throws(Failure) -> TransportFault? {
    let facts = handle.facts
    exchange.show(.ended(facts))
    if let failure = exchange.failure { throw failure }
    // An answer whose headers do not end is fine for libcurl.
    if exchange.isStopped || code == clibcurl_ok && exchange.progress >= .head { return nil }
    return try exchange.isIdle
      ? cause.silence : cause.fault(code, exchange.words, exchange.progress, facts)
  }
}
