import CLibcurl
package import Core

/// Carries requests by the system's libcurl.
package struct CurlTransport: Transport {
  private let settings: TransportSettings
  private let watchers: [any TransferWatcher]
  private let showsWork: Bool

  /// `watchers` are shown each transfer; with `showsWork` also what libcurl says and sends.
  package init(
    _ settings: TransportSettings, watchers: [any TransferWatcher] = [], showsWork: Bool = false
  ) {
    (self.settings, self.watchers, self.showsWork) = (settings, watchers, showsWork)
  }

  package func send(
    _ request: HTTPRequest, to receiver: any ReplyReceiver
  ) throws(Failure) -> TransportFault? {
    guard var handle = CurlHandle() else { throw .other("libcurl does not start", .usage) }
    let exchange = CurlExchange(
      receiver, watchers: watchers, idleMilliseconds: settings.idleMilliseconds)
    let rest = request.deadline.map { $0 - Clock.steadyMilliseconds() }
    if let rest, rest <= 0 { return .late }
    handle.set(clibcurl_option_url, text: request.url)
    handle.set(clibcurl_option_user_agent, text: Self.userAgent)
    // Without the last, libcurl waits a second for leave to send a large body.
    handle.set(headers: request.headers + ["Expect:"])
    for option in settings.options(isLocal: request.isLocal, within: rest ?? 0) {
      switch option.value {
      case .text(let text): handle.set(option.number, text: text)
      case .number(let number): handle.set(option.number, number: number)
      }
    }
    handle.attach(exchange)
    if showsWork { handle.showWork(to: exchange) }
    guard handle.takesAll else { throw .other("the system's libcurl is too old", .usage) }
    let upload = CurlUpload(request.body)
    let code = handle.perform(posting: upload)
    let facts = handle.facts
    for watcher in watchers { watcher.ended(facts) }
    if let failure = upload.failure { throw failure }
    return try withExtendedLifetime(exchange) { () throws(Failure) in
      try outcome(of: code, exchange, facts)
    }
  }

  /// How the transport names itself to servers.
  static let userAgent = "oresp/\(CommandPage.version)"

  private func outcome(
    of code: Int, _ exchange: CurlExchange, _ facts: TransferFacts
  ) throws(Failure) -> TransportFault? {
    if let failure = exchange.failure { throw failure }
    if code == clibcurl_ok || exchange.isStopped { return nil }
    if code == clibcurl_bad_ca_file {
      throw .other("\(settings.caFile ?? "libcurl"): no certificates in it", .usage)
    }
    if exchange.isIdle {
      let time = Double(settings.idleMilliseconds) / 1000
      return TransportFault(
        "timeout", "nothing came from the server for \(time) seconds",
        advice: "--idle-timeout sets another limit")
    }
    let words = exchange.words
    if facts.proxyStatus >= 400 {
      let why = "the proxy refuses the way to the server with HTTP \(facts.proxyStatus)"
      return TransportFault("proxy_refused", why, advice: "check the proxy and its password")
    }
    return Self.fault(code, Redaction.userInfo(words.isEmpty ? Self.words(for: code) : words))
  }

  private static func words(for code: Int) -> String {
    unsafe curl_easy_strerror(UInt32(code)).map { unsafe String(cString: $0) } ?? "code \(code)"
  }

  private static func fault(_ code: Int, _ words: String) -> TransportFault {
    switch code {
    case clibcurl_could_not_resolve_host, clibcurl_could_not_resolve_proxy:
      TransportFault(
        "name_not_resolved", words, advice: "check OPENAI_BASE_URL, the proxy and the network")
    case clibcurl_could_not_connect:
      TransportFault(
        "connection_failed", words, advice: "check OPENAI_BASE_URL, the proxy and the network")
    case clibcurl_timed_out:
      TransportFault(
        "timeout", words, advice: "--connect-timeout and --max-time set other limits")
    case clibcurl_tls_connect_error, clibcurl_bad_client_certificate, clibcurl_tls_cipher,
      clibcurl_peer_failed_verification, clibcurl_tls_issuer_error:
      TransportFault("tls_failed", words, advice: "--cacert names other authorities to trust")
    case clibcurl_bad_content_encoding:
      TransportFault("bad_encoding", words, advice: "try without --compressed")
    case clibcurl_partial_file, clibcurl_got_nothing, clibcurl_send_error,
      clibcurl_receive_error, clibcurl_http2, clibcurl_http2_stream:
      TransportFault("connection_lost", words, advice: "try again")
    default: TransportFault("transport_failed", words, advice: "try again")
    }
  }
}

extension TransportFault {
  /// The time of `--max-time` was over before the request was sent.
  fileprivate static let late = TransportFault(
    "timeout", "the time was over", advice: "--max-time sets another limit")
}
