import CLibcurl
import Core

/// The place that requests go to, by the base URL of a server, or a proxy.
struct Endpoint: Sendable {
  /// The URL, of a server without the slash at its end and without its query.
  let url: String
  let scheme: String
  /// The host as it stands in the URL, an IPv6 address in brackets.
  let host: String
  /// The query of the base URL; empty without one.
  var query = ""

  var isEncrypted: Bool { scheme == "https" }

  /// Whether the server is on this machine: `localhost`, `::1`, or a dotted address in 127.0.0.0/8.
  var isLoopback: Bool {
    if ["localhost", "[::1]"].contains(host.lowercased()) { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let isAddress =
      parts.count == 4
      && parts.allSatisfy { part in
        part.utf8.count <= 3 && part.utf8.allSatisfy(ASCII.isDigit) && UInt8(part) != nil
      }
    return isAddress && parts[0] == "127"
  }
}

extension Endpoint {
  /// The server at `base`, an absolute URL, called `name` in messages. The URL may end in
  /// `/responses` already.
  init(base: String, name: String) throws(Failure) {
    guard !["ws://", "wss://"].contains(where: base.lowercased().hasPrefix) else {
      throw .usage(
        "\(name): a WebSocket is for another client, after oresp-send -n; see oresp-recipes(7)")
    }
    let parts = try CurlURL(base, name: name)
    let scheme = parts.get(clibcurl_part_scheme)
    guard ["http", "https"].contains(scheme) else {
      throw .usage("\(name): expected a URL that begins with http:// or https://")
    }
    var folder = parts.get(clibcurl_part_path)[...]
    while folder.hasSuffix("/") { folder.removeLast() }
    if let own = ["/responses", "/chat/completions"].first(where: folder.hasSuffix) {
      folder = folder.dropLast(own.count)
      while folder.hasSuffix("/") { folder.removeLast() }
    }
    let query = parts.get(clibcurl_part_query)
    for part in [clibcurl_part_path, clibcurl_part_query, clibcurl_part_fragment] {
      parts.set(part, nil)
    }
    // Without a path it ends in a slash.
    let root = parts.get(clibcurl_part_url).dropLast()
    self.init(
      url: String(root + folder), scheme: scheme, host: parts.get(clibcurl_part_host), query: query)
  }

  /// The URL of `path` there. The query of the base URL stands before the items of `query`, which
  /// are percent-encoded.
  func url(of path: String, query items: [String]) -> String {
    let query = ([query] + items).filter { !$0.isEmpty }.joined(separator: "&")
    return url + path + (query.isEmpty ? "" : "?" + query)
  }

  /// The proxy at `url`, whose scheme may be missing, as with curl. Refuses a user and a password:
  /// everybody on the machine can read a command line.
  static func proxy(_ url: String) throws(Failure) -> Endpoint {
    let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
    let parts = url[...].cut(at: "://")
    let scheme = parts?.before.lowercased() ?? "http"
    let rest = parts?.after ?? url[...]
    // The message leaves the text out, which may have a password: `http://user:pass@host`
    guard !rest.contains("@") else {
      throw .usage("a URL with a user name goes in the variable https_proxy")
    }
    guard schemes.contains(scheme), let whole = try? CurlURL("http://" + rest, name: "") else {
      throw .usage("expected a URL such as http://host:3128 or socks5h://host")
    }
    return Endpoint(
      url: scheme + "://" + rest, scheme: scheme, host: whole.get(clibcurl_part_host))
  }
}

/// A URL, parsed by libcurl.
@safe struct CurlURL: ~Copyable {
  private let raw: OpaquePointer

  /// Parses `text`; `name` is its name in messages.
  init(_ text: String, name: String) throws(Failure) {
    guard let made = unsafe curl_url() else { throw .other("libcurl does not start", .usage) }
    let code = unsafe curl_url_set(
      made, UInt32(clibcurl_part_url), text, UInt32(clibcurl_url_disallow_user))
    guard code == 0 else {
      unsafe curl_url_cleanup(made)
      let why =
        code == clibcurl_url_user_not_allowed
        ? "a user name in it is not allowed" : "expected a URL that begins with http:// or https://"
      throw .usage("\(name): \(why)")
    }
    unsafe raw = made
  }

  deinit { unsafe curl_url_cleanup(raw) }

  /// The part of the URL with libcurl's number `part`; empty when the URL has none.
  func get(_ part: Int) -> String {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(raw, UInt32(part), &text, 0) == 0, let text = unsafe text else {
      return ""
    }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }

  func set(_ part: Int, _ text: String?) {
    _ = unsafe curl_url_set(raw, UInt32(part), text, UInt32(clibcurl_url_disallow_user))
  }
}
