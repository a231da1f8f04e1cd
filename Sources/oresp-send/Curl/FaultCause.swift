import CLibcurl
import Core

/// Finds out why a transfer failed, from libcurl's words and its limits.
struct FaultCause {
  private let settings: TransportSettings
  /// The variable or option that names the server.
  private let place: String
  /// The limit of the transfer in milliseconds; 0 is no limit.
  private let limit: Int

  init(_ request: HTTPRequest, _ settings: TransportSettings, within milliseconds: Int) {
    self.settings = settings
    limit = milliseconds
    place = request.serverSource
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
    let words = Redaction.userInfo(words.isEmpty ? Self.words(for: code) : words)
    if code == clibcurl_bad_client_certificate {
      throw .other("--cert, --key: " + words, .usage)
    }
    let reach = "check \(place) and the network"
    switch code {
    case _ where facts.proxyStatus >= 400:
      let why = "the proxy refused the connection with HTTP \(facts.proxyStatus)"
      let isForGood = APIError.status(http: facts.proxyStatus) == .refusedForGood
      return isForGood
        ? TransportFault(.proxyRefused, why, advice: "check the proxy and its password")
        : TransportFault(.proxyFailed, why, advice: "try again later")
    // OpenSSL's words when a server ends the connection by an alert (RFC 8446, section 6.2).
    case _ where words.contains("alert") && words.contains("certificate"):
      return TransportFault(
        .clientCertificateRefused, words, advice: "--cert shows the server another certificate")
    case _ where Self.isLost(code, words):
      return TransportFault(.connectionLost, "the connection was lost", advice: "try again")
    case clibcurl_http2, clibcurl_http2_stream:
      return TransportFault(.connectionLost, words, advice: "try again")
    case clibcurl_could_not_resolve_host, clibcurl_could_not_resolve_proxy:
      return TransportFault(.nameNotResolved, words, advice: reach)
    case clibcurl_could_not_connect:
      return TransportFault(.connectionFailed, told(words, facts), advice: reach)
    case clibcurl_timed_out: return overTime(facts)
    case clibcurl_peer_failed_verification, clibcurl_tls_issuer_error:
      return TransportFault(
        .certificateNotTrusted, words,
        advice: "check \(place); --cacert names other authorities to trust")
    // HTTP/1.1 400 Bad Request, in place of TLS.
    case clibcurl_tls_connect_error where words.contains("wrong version number"):
      return TransportFault(
        .tlsFailed, "the server does not speak TLS: " + words,
        advice: "check \(place): the server may speak http:// there")
    case clibcurl_tls_connect_error, clibcurl_tls_cipher:
      return TransportFault(.tlsFailed, words, advice: reach)
    // Bytes in place of the headers; behind them, trailers without an end fail by that code.
    case clibcurl_unsupported_protocol where facts.connectTime > 0,
      clibcurl_write_error where !hasHead:
      return TransportFault(
        .transportFailed, "the server does not answer in HTTP", advice: "check \(place)")
    default: return TransportFault(.transportFailed, words, advice: "try again")
    }
  }

  /// Whether the connection was lost, for which libcurl has several codes.
  private static func isLost(_ code: Int, _ words: String) -> Bool {
    switch code {
    case clibcurl_ok, clibcurl_partial_file, clibcurl_got_nothing, clibcurl_send_error: true
    case clibcurl_tls_connect_error:
      ["SSL_ERROR_SYSCALL", "reset by peer", "Broken pipe", "unexpected eof"].contains {
        words.contains($0)
      }
    // It says so of headers that are too long, too.
    case clibcurl_receive_error: !words.contains("response headers")
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

  /// libcurl's words on a failed connection, with the system's error in place of the time it took;
  /// they name the host of the URL, where the socket of `--unix-socket` was to be connected to.
  private func told(_ words: String, _ facts: TransferFacts) -> String {
    let what = settings.unixSocket ?? words[...].cut(at: " after ").map { String($0.before) }
    guard let what, facts.systemError != 0 else { return words }
    return Failure.file(name: what, errno: facts.systemError).message ?? words
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
