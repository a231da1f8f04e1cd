import CLibcurl
package import Core

extension Endpoint {
  /// The place at `path` under `base`, which is an absolute URL, with a query perhaps, which stays.
  package init(base: String, path: String) throws(Failure) {
    guard let parts = CurlURL() else { throw .other("libcurl does not start", .usage) }
    try parts.parse(base)
    let scheme = parts.get(clibcurl_part_scheme)
    guard ["http", "https"].contains(scheme) else {
      throw .usage("OPENAI_BASE_URL: expected a URL that begins with http:// or https://")
    }
    var folder = parts.get(clibcurl_part_path)[...]
    while folder.hasSuffix("/") { folder.removeLast() }
    parts.set(clibcurl_part_path, folder + path)
    parts.set(clibcurl_part_fragment, nil)
    let host = parts.get(clibcurl_part_host)
    self.init(url: parts.get(clibcurl_part_url), scheme: scheme, host: host)
  }
}

/// A URL that libcurl took apart.
@safe private struct CurlURL: ~Copyable {
  private let raw: OpaquePointer

  /// `nil` when libcurl cannot start.
  init?() {
    guard let made = unsafe curl_url() else { return nil }
    unsafe raw = made
  }

  deinit { unsafe curl_url_cleanup(raw) }

  func parse(_ text: String) throws(Failure) {
    let code = unsafe curl_url_set(
      raw, UInt32(clibcurl_part_url), text, UInt32(clibcurl_url_disallow_user))
    if code == clibcurl_url_user_not_allowed {
      throw .usage("OPENAI_BASE_URL: a user name in it is not taken")
    }
    guard code == 0 else {
      throw .usage("OPENAI_BASE_URL: expected a URL that begins with http:// or https://")
    }
  }

  /// A part of the URL; empty when it has none.
  func get(_ part: Int) -> String {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(raw, UInt32(part), &text, 0) == 0, let text = unsafe text else {
      return ""
    }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }

  func set(_ part: Int, _ text: String?) {
    _ = unsafe curl_url_set(raw, UInt32(part), text, 0)
  }
}
