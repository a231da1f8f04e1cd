import CLibcurl
import Core

/// Finds out why a transfer failed, from libcurl's words and its limits.
struct FaultCause {
  private let settings: TransportSettings
  /// The variable or option that names the server.
  private let place: String
  /// The advice when the server cannot be reached.
  private let reachAdvice: String
  private let isEncrypted: Bool
  /// The limit of the transfer in milliseconds; 0 is no limit.
  private let limit: Int

  init(_ request: HTTPRequest, _ settings: TransportSettings, within milliseconds: Int) {
    self.settings = settings
    limit = milliseconds
    place = request.serverSource
    isEncrypted = request.url.lowercased().hasPrefix("https:")
    let hasProxy = settings.proxy != nil || settings.hasProxies && !request.isLocal
    reachAdvice =
      if hasProxy { "check \(place), the proxy and the network" } else if request.isLocal {
        "start the server, or check \(place)"
      } else { "check \(place) and the network" }
  }

  /// The fault of an event stream that was silent for too long.
  var silence: TransportFault {
    let time = Seconds.text(milliseconds: settings.idleMilliseconds)
    return TransportFault(
      .silence, "nothing came from the server for \(time) seconds",
      advice: "--idle-timeout sets another limit")
  }

  /// The fault of a transfer that ended with libcurl's `code` and `words`, which may be empty;
  /// `hasHead` says that all headers of the reply came.
  func fault(
    _ code: Int, _ words: String, hasHead: Bool, _ facts: TransferFacts
  ) throws(Failure) -> TransportFault {
    if code == clibcurl_bad_ca_file {
      throw .other("\(settings.caFile ?? "libcurl"): no certificates in it", .usage)
    }
    if facts.proxyStatus >= 400 {
      let why = "the proxy refused the connection with HTTP \(facts.proxyStatus)"
      let isForGood = APIError.status(http: facts.proxyStatus) == .refusedForGood
      return isForGood
        ? TransportFault(.proxyRefused, why, advice: "check the proxy and its password")
        : TransportFault(.proxyFailed, why, advice: "try again later")
    }
    let words = words.isEmpty ? Self.words(for: code) : words
    if code == clibcurl_bad_client_certificate {
      throw .other("--cert, --key: " + words, .usage)
    }
    // OpenSSL's words when a server ends the connection by an alert (RFC 8446, section 6.2).
    if words.contains("alert"), words.contains("certificate") {
      return TransportFault(
        .clientCertificateRefused, words, advice: "--cert shows the server another certificate")
    }
    return known(code, words, hasHead: hasHead, facts)
      ?? TransportFault(.transportFailed, Redaction.userInfo(words), advice: "try again")
  }

  private func known(
    _ code: Int, _ words: String, hasHead: Bool, _ facts: TransferFacts
  ) -> TransportFault? {
    if Self.isLost(code, words) {
      let isShaking =
        isEncrypted && !hasHead && (code == clibcurl_tls_connect_error || facts.tlsTime == 0)
      let why = "the connection was lost" + (isShaking ? " in the TLS handshake" : "")
      return TransportFault(.connectionLost, why, advice: "try again")
    }
    let row: (cause: TransportFault.Cause, words: String, advice: String)?
    switch code {
    case clibcurl_could_not_resolve_host, clibcurl_could_not_resolve_proxy:
      row = (.nameNotResolved, words, reachAdvice)
    case clibcurl_could_not_connect: row = (.connectionFailed, told(words, facts), reachAdvice)
    case clibcurl_timed_out: return overTime(facts)
    case clibcurl_peer_failed_verification, clibcurl_tls_issuer_error:
      let advice = "check \(place); --cacert names other authorities to trust"
      row = (.certificateNotTrusted, words, advice)
    // HTTP/1.1 400 Bad Request, in place of TLS.
    case clibcurl_tls_connect_error where words.contains("wrong version number"):
      let advice = "check \(place): the server may speak http:// there"
      row = (.tlsFailed, "the server does not speak TLS: " + words, advice)
    case clibcurl_tls_connect_error, clibcurl_tls_cipher: row = (.tlsFailed, words, reachAdvice)
    // Bytes in place of the headers; behind them, trailers without an end fail by that code.
    case clibcurl_unsupported_protocol where facts.connectTime > 0,
      clibcurl_write_error where !hasHead:
      row = (.transportFailed, "the server does not answer in HTTP", "check \(place)")
    case clibcurl_receive_error where !words.contains("response headers"), clibcurl_http2,
      clibcurl_http2_stream:
      row = (.connectionLost, words, "try again")
    default: row = nil
    }
    return row.map { TransportFault($0.cause, Redaction.userInfo($0.words), advice: $0.advice) }
  }

  /// Whether the connection was lost, for which libcurl has several codes.
  private static func isLost(_ code: Int, _ words: String) -> Bool {
    switch code {
    case clibcurl_ok, clibcurl_partial_file, clibcurl_got_nothing, clibcurl_send_error: true
    case clibcurl_tls_connect_error:
      ["SSL_ERROR_SYSCALL", "reset by peer", "Broken pipe", "unexpected eof"].contains {
        words.contains($0)
      }
    case clibcurl_receive_error: !words.contains("header")
    default: false
    }
  }

  private func overTime(_ facts: TransferFacts) -> TransportFault {
    // `totalTime` is in microseconds; libcurl's clock may run a little ahead, hence the 5 ms.
    if limit > 0, facts.totalTime / 1000 >= limit - 5 {
      return .overTime(settings.totalMilliseconds)
    }
    let time = Seconds.text(milliseconds: settings.connectMilliseconds)
    return TransportFault(
      .timeout, "no connection within \(time) seconds",
      advice: "--connect-timeout sets another limit")
  }

  /// libcurl's words on a failed connection, with the system's error in place of the time it took.
  /// They name the host of the URL where a socket of this machine was to be connected to.
  private func told(_ words: String, _ facts: TransferFacts) -> String {
    if let socket = settings.unixSocket {
      let error = facts.systemError
      return error == 0
        ? "\(socket): no connection"
        : Failure.file(name: socket, errno: error).message ?? words
    }
    guard facts.systemError != 0, let parts = words[...].cut(at: " after ") else { return words }
    return Failure.file(name: String(parts.before), errno: facts.systemError).message ?? words
  }

  private static func words(for code: Int) -> String {
    unsafe curl_easy_strerror(UInt32(code)).map { unsafe String(cString: $0) } ?? "code \(code)"
  }
}

extension TransportFault {
  /// The fault when the run's limit of `milliseconds` is over; 0 when nobody set one.
  static func overTime(_ milliseconds: Int) -> TransportFault {
    let time = milliseconds > 0 ? " of \(Seconds.text(milliseconds: milliseconds)) seconds" : ""
    return TransportFault(
      .timeLimit, "the time limit\(time) is over", advice: "--max-time sets another limit")
  }
}
