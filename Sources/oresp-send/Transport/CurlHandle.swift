import CLibcurl
import Core

/// One of libcurl's easy handles, with the options that are set on it.
@safe struct CurlHandle: ~Copyable {
  let raw: UnsafeMutableRawPointer
  private var headers: OpaquePointer?
  /// Whether libcurl took all options so far; an old one may not know them all.
  private(set) var takesAll = true

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

  /// Has `exchange` called while the transfer runs; it must outlive `perform`.
  mutating func attach(_ exchange: CurlExchange) {
    let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
    let option = { (number: Int) in UInt32(number) }
    for data in [
      clibcurl_option_header_data, clibcurl_option_write_data, clibcurl_option_progress_data,
    ] {
      note(unsafe clibcurl_set_pointer(raw, option(data), context))
    }
    let (errors, progress) = (clibcurl_option_error_buffer, clibcurl_option_progress_function)
    note(unsafe clibcurl_set_pointer(raw, option(errors), exchange.errorText))
    note(unsafe clibcurl_set_sink(raw, option(clibcurl_option_header_function), takeHeaderLine))
    note(unsafe clibcurl_set_sink(raw, option(clibcurl_option_write_function), takeBody))
    note(unsafe clibcurl_set_progress(raw, option(progress), takeProgress))
    set(clibcurl_option_no_progress, number: 0)
  }

  /// Has `exchange`, which is attached already, shown what libcurl does.
  mutating func showWork(to exchange: CurlExchange) {
    let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
    note(unsafe clibcurl_set_pointer(raw, UInt32(clibcurl_option_debug_data), context))
    note(unsafe clibcurl_set_show(raw, UInt32(clibcurl_option_debug_function), showPiece))
    set(clibcurl_option_verbose, number: 1)
  }

  /// Posts what `upload` reads, and returns libcurl's code for how it went.
  mutating func perform(posting upload: CurlUpload) -> Int {
    let context = unsafe Unmanaged.passUnretained(upload).toOpaque()
    let option = { (number: Int) in UInt32(number) }
    let codes = [
      unsafe clibcurl_set_long(raw, option(clibcurl_option_post), 1),
      unsafe clibcurl_set_size(raw, option(clibcurl_option_post_field_size), Int64(upload.count)),
      unsafe clibcurl_set_source(raw, option(clibcurl_option_read_function), readBody),
      unsafe clibcurl_set_pointer(raw, option(clibcurl_option_read_data), context),
      unsafe clibcurl_set_seek(raw, option(clibcurl_option_seek_function), seekBody),
      unsafe clibcurl_set_pointer(raw, option(clibcurl_option_seek_data), context),
    ]
    if let refused = codes.first(where: { $0 != 0 }) { return Int(refused) }
    return withExtendedLifetime(upload) { unsafe Int(curl_easy_perform(raw)) }
  }

  private mutating func note(_ code: UInt32) { if code != 0 { takesAll = false } }
}

private let takeHeaderLine: clibcurl_sink = { bytes, size, count, context in
  unsafe CurlExchange.at(context).takeHeader(
    UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private let takeBody: clibcurl_sink = { bytes, size, count, context in
  unsafe CurlExchange.at(context).takeBody(
    UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private let readBody: clibcurl_source = { bytes, size, count, context in
  unsafe CurlUpload.at(context).read(
    into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

private let seekBody: clibcurl_seek = { context, offset, _ in
  unsafe CurlUpload.at(context).seek(to: Int(offset)) ? 0 : 1
}

private let takeProgress: clibcurl_progress = { context, _, _, _, uploaded in
  unsafe CurlExchange.at(context).goesOn(uploaded: Int(uploaded)) ? 0 : 1
}

private let showPiece: clibcurl_show = { _, kind, bytes, count, context in
  unsafe CurlExchange.at(context).show(
    Int(kind), UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}

extension CurlHandle {
  /// What the transfer came to, once it is over.
  var facts: TransferFacts {
    var facts = TransferFacts()
    let versions = [1: "1.0", 2: "1.1", 3: "2", 30: "3"]
    facts.httpVersion = versions[number(clibcurl_info_http_version)] ?? ""
    facts.proxyStatus = number(clibcurl_info_proxy_status)
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
}
