import CLibcurl

/// Dates in HTTP headers.
enum HTTPDate {
  /// The seconds since the epoch of `text`, a date (RFC 9110, section 5.6.7); `nil` when it is
  /// none.
  static func seconds(_ text: String) -> Int? {
    let time = unsafe curl_getdate(text, nil)
    return time < 0 ? nil : time
  }
}
