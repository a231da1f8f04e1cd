import CLibcurl
import Core

/// A URL that libcurl took apart.
@safe struct CurlURL: ~Copyable {
  private let raw: OpaquePointer

  /// Takes `text` apart; `name` is what people know it by.
  init(_ text: String, name: String) throws(Failure) {
    guard let made = unsafe curl_url() else { throw .other("libcurl does not start", .usage) }
    let code = unsafe curl_url_set(
      made, UInt32(clibcurl_part_url), text, UInt32(clibcurl_url_disallow_user))
    guard code == 0 else {
      unsafe curl_url_cleanup(made)
      let why =
        code == clibcurl_url_user_not_allowed
        ? "a user name in it is not taken" : "expected a URL that begins with http:// or https://"
      throw .usage("\(name): \(why)")
    }
    unsafe raw = made
  }

  deinit { unsafe curl_url_cleanup(raw) }

  /// A part of the URL; empty when it has none.
  func get(_ part: Int) -> String {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(raw, UInt32(part), &text, 0) == 0, let text = unsafe text else {
      return ""
    }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }

  /// Sets a part; as the whole URL, a relative one goes on from here. False when it is no such part.
  @discardableResult
  func set(_ part: Int, _ text: String?) -> Bool {
    unsafe curl_url_set(raw, UInt32(part), text, UInt32(clibcurl_url_disallow_user)) == 0
  }

  /// Scheme, host and port, the usual one where none is given.
  var origin: [String] {
    let scheme = get(clibcurl_part_scheme)
    let port = get(clibcurl_part_port)
    let usual = scheme == "https" ? "443" : "80"
    return [scheme, get(clibcurl_part_host).lowercased(), port.isEmpty ? usual : port]
  }
}
