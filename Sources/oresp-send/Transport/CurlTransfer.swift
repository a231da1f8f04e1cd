import CLibcurl
import Core

/// One request on its way: what libcurl is told of it, and what its end means.
final class CurlTransfer {
  private var handle: CurlHandle
  private let exchange: CurlExchange
  private let form: CurlForm?
  private let settings: TransportSettings
  /// Where people have said where the server is.
  private let place: String

  /// Sets the request up, which is to be over in `milliseconds`; 0 is no limit.
  init(
    _ request: HTTPRequest, to receiver: any ReplyReceiver, by transport: CurlTransport,
    within milliseconds: Int
  ) throws(Failure) {
    guard var handle = CurlHandle() else { throw .other("libcurl does not start", .usage) }
    (settings, place) = (transport.settings, request.origin.place)
    handle.set(clibcurl_option_url, text: request.url)
    handle.set(clibcurl_option_user_agent, text: CurlTransport.userAgent)
    // Without the last, libcurl waits a second for leave to send a large body.
    handle.set(headers: request.headers + ["Expect:"])
    for option in settings.options(isLocal: request.isLocal, within: milliseconds) {
      handle.set(option)
    }
    if transport.showsWork { handle.set(clibcurl_option_verbose, number: 1) }
    exchange = CurlExchange(request.body, receiver, watchers: transport.watchers, settings)
    form = request.form.isEmpty ? nil : CurlForm(request.form, for: handle)
    guard form != nil || request.form.isEmpty, handle.prepare(request.method, form, exchange) else {
      throw .other("the system's libcurl is too old", .usage)
    }
    self.handle = handle
  }

  /// libcurl's handle, as long as the transfer lives.
  @unsafe var raw: UnsafeMutableRawPointer { unsafe handle.raw }

  /// Carries it out. Returns what went wrong on the way, if anything did.
  func perform() throws(Failure) -> TransportFault? {
    try end(with: unsafe Int(curl_easy_perform(handle.raw)))
  }

  /// Takes its end, libcurl's `code` for how it went. Returns what went wrong, if anything did.
  func end(with code: Int) throws(Failure) -> TransportFault? {
    let facts = handle.facts
    exchange.show(.ended(facts))
    if let failure = exchange.failure ?? form?.failure { throw failure }
    if code == clibcurl_ok || exchange.isStopped { return nil }
    return try fault(code, facts)
  }

  /// What went wrong in a transfer that ended with `code`.
  private func fault(_ code: Int, _ facts: TransferFacts) throws(Failure) -> TransportFault {
    if code == clibcurl_bad_ca_file {
      throw .other("\(settings.caFile ?? "libcurl"): no certificates in it", .usage)
    }
    if exchange.isIdle {
      let time = Seconds.text(milliseconds: settings.idleMilliseconds)
      return TransportFault(
        "timeout", "nothing came from the server for \(time) seconds",
        advice: "--idle-timeout sets another limit")
    }
    if facts.proxyStatus >= 400 {
      let why = "the proxy refused the connection with HTTP \(facts.proxyStatus)"
      let isForGood = APIError.status(http: facts.proxyStatus) == .refusedForGood
      return isForGood
        ? TransportFault("proxy_refused", why, advice: "check the proxy and its password")
        : TransportFault("proxy_failed", why, advice: "try again later")
    }
    let words = exchange.words.isEmpty ? Self.words(for: code) : exchange.words
    if code == clibcurl_bad_client_certificate {
      throw .other("--cert, --key: " + words, .usage)
    }
    // What OpenSSL says when a server ends a connection that was made (RFC 8446, section 6.2).
    if words.contains("alert"), words.contains("certificate") {
      return TransportFault(
        "client_certificate_refused", words, advice: "--cert shows the server another certificate")
    }
    let (name, advice) = Self.row(for: code, "check \(place), the proxy and the network")
    return TransportFault(name, Redaction.userInfo(words), advice: advice)
  }

  private static func words(for code: Int) -> String {
    unsafe curl_easy_strerror(UInt32(code)).map { unsafe String(cString: $0) } ?? "code \(code)"
  }

  private static func row(for code: Int, _ place: String) -> (name: String, advice: String) {
    switch code {
    case clibcurl_could_not_resolve_host, clibcurl_could_not_resolve_proxy:
      ("name_not_resolved", place)
    case clibcurl_could_not_connect: ("connection_failed", place)
    case clibcurl_timed_out: ("timeout", "--connect-timeout and --max-time set other limits")
    case clibcurl_peer_failed_verification, clibcurl_tls_issuer_error:
      ("certificate_not_trusted", "--cacert names other authorities to trust")
    case clibcurl_tls_connect_error, clibcurl_tls_cipher: ("tls_failed", place)
    case clibcurl_bad_content_encoding: ("bad_encoding", "try without --compressed")
    case clibcurl_partial_file, clibcurl_got_nothing, clibcurl_send_error, clibcurl_receive_error,
      clibcurl_http2, clibcurl_http2_stream:
      ("connection_lost", "try again")
    default: ("transport_failed", "try again")
    }
  }
}
