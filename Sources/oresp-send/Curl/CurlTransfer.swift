import CLibcurl
import Core

/// One request on its way: sets it up in libcurl, and finds out what its end means.
final class CurlTransfer {
  private var handle: CurlHandle
  private let exchange: CurlExchange
  private let form: CurlForm?
  private let cause: FaultCause

  /// The value of the header `User-Agent`.
  private static let userAgent = "oresp/\(CommandPage.version)"

  /// Sets up the request, which must end within `milliseconds`; 0 is no limit.
  init(
    _ request: HTTPRequest, to receiver: any ReplyReceiver, _ settings: TransportSettings,
    _ watchers: [any TransferWatcher], showsWork: Bool, within milliseconds: Int
  ) throws(Failure) {
    guard var handle = CurlHandle() else { throw .other("libcurl does not start", .usage) }
    cause = FaultCause(request, settings, within: milliseconds)
    handle.set(clibcurl_option_url, text: request.url)
    handle.set(clibcurl_option_user_agent, text: Self.userAgent)
    // Without `Expect:`, libcurl waits a second for permission to send a large body.
    handle.set(headers: request.headers + ["Expect:"])
    handle.set(settings, isLocal: request.isLocal, within: milliseconds)
    if showsWork { handle.set(clibcurl_option_verbose, number: 1) }
    exchange = CurlExchange(receiver, watchers: watchers, settings)
    form = request.form.isEmpty ? nil : CurlForm(request.form, for: handle)
    guard form != nil || request.form.isEmpty,
      handle.prepare(request.method, form, request.body, exchange)
    else {
      throw .other("the system's libcurl is too old", .usage)
    }
    self.handle = handle
  }

  /// libcurl's handle, as long as the transfer lives.
  @unsafe var raw: UnsafeMutableRawPointer { unsafe handle.raw }

  /// Hands on what was received by the time `now`. Returns whether the transfer goes on.
  func goesOn(at now: Int) -> Bool { exchange.goesOn(at: now) }

  /// Ends the transfer with libcurl's result `code`. Returns the fault; `nil` for a whole reply.
  func end(with code: Int) throws(Failure) -> TransportFault? {
    let facts = handle.facts
    exchange.show(.ended(facts))
    if let failure = exchange.failure { throw failure }
    if exchange.isStopped { return nil }
    if exchange.isIdle { return cause.silence }
    // libcurl reports success even for a reply whose headers do not end.
    if code == clibcurl_ok, exchange.hasHead { return nil }
    return try cause.fault(code, exchange.words, hasHead: exchange.hasHead, facts)
  }
}
