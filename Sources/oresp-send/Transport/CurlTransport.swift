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
    let fault = faults.first { $0.codes.contains(code) }
    return TransportFault(
      fault?.name ?? "transport_failed", words, advice: fault?.advice ?? "try again")
  }

  private static let place = "check OPENAI_BASE_URL, the proxy and the network"

  private static let faults: [(name: String, advice: String, codes: [Int])] = [
    (
      "name_not_resolved", place,
      [clibcurl_could_not_resolve_host, clibcurl_could_not_resolve_proxy]
    ),
    ("connection_failed", place, [clibcurl_could_not_connect]),
    (
      "timeout", "--connect-timeout and --max-time set other limits", [clibcurl_timed_out]
    ),
    (
      "tls_failed", "--cacert names other authorities to trust",
      [
        clibcurl_tls_connect_error, clibcurl_bad_client_certificate, clibcurl_tls_cipher,
        clibcurl_peer_failed_verification, clibcurl_tls_issuer_error,
      ]
    ),
    ("bad_encoding", "try without --compressed", [clibcurl_bad_content_encoding]),
    (
      "connection_lost", "try again",
      [
        clibcurl_partial_file, clibcurl_got_nothing, clibcurl_send_error, clibcurl_receive_error,
        clibcurl_http2, clibcurl_http2_stream,
      ]
    ),
  ]
}

extension TransportFault {
  /// The time of `--max-time` was over before the request was sent.
  fileprivate static let late = TransportFault(
    "timeout", "the time was over", advice: "--max-time sets another limit")
}
