import CLibcurl
import Core

/// Carries requests by the system's libcurl.
struct CurlTransport: Transport {
  let settings: TransportSettings
  /// Who is shown each transfer.
  let watchers: [any TransferWatcher]
  /// Whether they are shown also what libcurl says and sends.
  let showsWork: Bool

  func send(
    _ request: HTTPRequest, to receiver: any ReplyReceiver
  ) throws(Failure) -> TransportFault? {
    let rest = request.deadline.map { $0 - Clock.steadyMilliseconds() }
    if let rest, rest <= 0 {
      // The time was over before the request was sent.
      return TransportFault(
        "timeout", "the time was over", advice: "--max-time sets another limit")
    }
    guard var handle = CurlHandle() else { throw .other("libcurl does not start", .usage) }
    handle.set(clibcurl_option_url, text: request.url)
    handle.set(clibcurl_option_user_agent, text: Self.userAgent)
    // Without the last, libcurl waits a second for leave to send a large body.
    handle.set(headers: request.headers + ["Expect:"])
    for option in settings.options(isLocal: request.isLocal, within: rest ?? 0) {
      handle.set(option)
    }
    if showsWork { handle.set(clibcurl_option_verbose, number: 1) }
    let exchange = CurlExchange(
      request.body, receiver, watchers: watchers, settings)
    let form = request.form.isEmpty ? nil : CurlForm(request.form, for: handle)
    guard form != nil || request.form.isEmpty,
      let code = handle.perform(request.method, form, exchange)
    else { throw .other("the system's libcurl is too old", .usage) }
    let facts = handle.facts
    exchange.show(.ended(facts))
    if let failure = exchange.failure ?? form?.failure { throw failure }
    if code == clibcurl_ok || exchange.isStopped { return nil }
    return try fault(code, request.origin.place, exchange, facts)
  }

  /// How the transport names itself to servers.
  static let userAgent = "oresp/\(CommandPage.version)"

  /// What went wrong in a transfer that ended with `code`.
  private func fault(
    _ code: Int, _ place: String, _ exchange: CurlExchange, _ facts: TransferFacts
  ) throws(Failure) -> TransportFault {
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
      let why = "the proxy refuses the way to the server with HTTP \(facts.proxyStatus)"
      return TransportFault("proxy_refused", why, advice: "check the proxy and its password")
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
