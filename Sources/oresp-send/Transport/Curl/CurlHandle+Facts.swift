import CLibcurl

extension CurlHandle {
  /// What the transfer came to, once it is over.
  var facts: TransferFacts {
    var facts = TransferFacts()
    let versions = [1: "1.0", 2: "1.1", 3: "2", 30: "3"]
    facts.httpVersion = versions[number(clibcurl_info_http_version)] ?? ""
    facts.proxyStatus = number(clibcurl_info_proxy_status)
    facts.address = text(clibcurl_info_address)
    facts.sentBytes = size(clibcurl_info_sent)
    facts.receivedBytes = size(clibcurl_info_received)
    facts.nameTime = size(clibcurl_info_name_time)
    facts.connectTime = size(clibcurl_info_connect_time)
    facts.tlsTime = size(clibcurl_info_tls_time)
    facts.firstByteTime = size(clibcurl_info_first_byte_time)
    facts.totalTime = size(clibcurl_info_total_time)
    return facts
  }

  private func number(_ info: Int) -> Int {
    var value = 0
    _ = unsafe clibcurl_get_long(raw, UInt32(info), &value)
    return value
  }

  private func size(_ info: Int) -> Int {
    var value: Int64 = 0
    _ = unsafe clibcurl_get_size(raw, UInt32(info), &value)
    return Int(value)
  }

  private func text(_ info: Int) -> String {
    var value: UnsafePointer<CChar>?
    guard unsafe clibcurl_get_text(raw, UInt32(info), &value) == 0, let value = unsafe value else {
      return ""
    }
    return unsafe String(cString: value)
  }
}
