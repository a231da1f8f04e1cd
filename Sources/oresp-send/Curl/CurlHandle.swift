import CLibcurl
import Core

/// An easy handle of libcurl, with its options.
@safe struct CurlHandle: ~Copyable {
  let raw: UnsafeMutableRawPointer
  private var headers: OpaquePointer?
  /// Whether libcurl accepted all options so far; an old release may not know some.
  private var takesAll = true

  /// `nil` when libcurl cannot start.
  init?() {
    guard let made = unsafe curl_easy_init() else { return nil }
    unsafe raw = made
  }

  deinit {
    unsafe curl_easy_cleanup(raw)
    unsafe curl_slist_free_all(headers)
  }

  mutating func set(_ option: Int, text: String) {
    note(unsafe clibcurl_set_text(raw, UInt32(option), text.cString))
  }

  mutating func set(_ option: Int, number: Int) {
    note(unsafe clibcurl_set_long(raw, UInt32(option), number))
  }

  mutating func set(headers lines: [String]) {
    for line in lines { unsafe headers = curl_slist_append(headers, line) }
    note(unsafe clibcurl_set_list(raw, UInt32(clibcurl_option_http_header), headers))
  }

  /// Gets ready to send a request of `method` with `form`, or else with `body`, which libcurl
  /// copies. `form` and `exchange` must outlive the transfer, which calls `exchange`. Returns false
  /// when libcurl does not know an option.
  mutating func prepare(
    _ method: String, _ form: CurlForm?, _ body: [UInt8], _ exchange: CurlExchange
  ) -> Bool {
    let option = { (number: Int) in UInt32(number) }
    let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
    for data in [
      clibcurl_option_header_data, clibcurl_option_write_data, clibcurl_option_debug_data,
    ] {
      note(unsafe clibcurl_set_pointer(raw, option(data), context))
    }
    note(
      unsafe clibcurl_set_pointer(
        raw, option(clibcurl_option_error_buffer), exchange.errorText))
    note(unsafe clibcurl_set_sink(raw, option(clibcurl_option_header_function), takeHeader))
    note(unsafe clibcurl_set_sink(raw, option(clibcurl_option_write_function), takeBody))
    note(unsafe clibcurl_set_show(raw, option(clibcurl_option_debug_function), showPiece))
    if let form {
      let pointer = unsafe UnsafeMutableRawPointer(form.raw)
      note(unsafe clibcurl_set_pointer(raw, option(clibcurl_option_mime_post), pointer))
    } else if method == "POST" || !body.isEmpty {
      set(post: body)
    }
    if !["GET", "POST"].contains(method) || method == "GET" && !body.isEmpty {
      set(clibcurl_option_custom_request, text: method)
    }
    return takesAll
  }

  /// Makes the request a POST with a copy of `body`.
  private mutating func set(post body: [UInt8]) {
    note(
      unsafe clibcurl_set_size(
        raw, UInt32(clibcurl_option_post_field_size), Int64(body.count)))
    // An empty body must have an address, too.
    guard !body.isEmpty else { return set(clibcurl_option_copied_post_fields, text: "") }
    let code = unsafe body.withUnsafeBufferPointer { bytes in
      let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      return unsafe clibcurl_set_pointer(raw, UInt32(clibcurl_option_copied_post_fields), start)
    }
    note(code)
  }

  private mutating func note(_ code: UInt32) { if code != 0 { takesAll = false } }
}

private let takeHeader: clibcurl_sink = { bytes, size, count, context in
  unsafe CurlExchange.at(context).takeHeader(
    UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private let takeBody: clibcurl_sink = { bytes, size, count, context in
  unsafe CurlExchange.at(context).takeBody(
    UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private let showPiece: clibcurl_show = { _, kind, bytes, count, context in
  unsafe CurlExchange.at(context).show(
    Int(kind), UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}

extension CurlHandle {
  /// The facts on the transfer, once it is over.
  var facts: TransferFacts {
    var facts = TransferFacts()
    let versions = [1: "1.0", 2: "1.1", 3: "2", 30: "3"]
    facts.httpVersion = versions[number(clibcurl_info_http_version)] ?? ""
    facts.systemError = Int32(clamping: number(clibcurl_info_system_error))
    facts.proxyStatus = number(clibcurl_info_proxy_status)
    facts.sentBytes = sentBytes
    facts.receivedBytes = size(clibcurl_info_received)
    facts.nameTime = size(clibcurl_info_name_time)
    facts.connectTime = size(clibcurl_info_connect_time)
    facts.tlsTime = size(clibcurl_info_tls_time)
    facts.firstByteTime = size(clibcurl_info_first_byte_time)
    facts.totalTime = size(clibcurl_info_total_time)
    return facts
  }

  /// The size in bytes of the body that was sent so far.
  var sentBytes: Int { size(clibcurl_info_sent) }

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
}
