import CLibcurl
package import Core

extension Endpoint {
  /// The place at `path` under `base`, which is an absolute URL, with a query perhaps, which stays.
  package init(base: String, path: String) throws(Failure) {
    let parts = try CurlURL(base, name: "OPENAI_BASE_URL")
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

  /// The URL that `place` means at `url`; `nil` when it is none, or of another server: another
  /// scheme, host or port.
  package static func url(_ place: String, seenFrom url: String) -> String? {
    guard let parts = try? CurlURL(url, name: "URL") else { return nil }
    let origin = parts.origin
    guard parts.set(clibcurl_part_url, place), parts.origin == origin else { return nil }
    return parts.get(clibcurl_part_url)
  }

  /// The proxy at `url`, which may do without its scheme, as curl takes it. A password in it is not
  /// taken: everybody on the machine can read a command line.
  package static func proxy(_ url: String) throws(Failure) -> Endpoint {
    let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
    let parts = url[...].cut(at: "://")
    let scheme = parts?.before.lowercased() ?? "http"
    let rest = parts?.after ?? url[...]
    // The text is not told: what is wrong with it may be a password in the wrong place.
    guard !rest.contains("@") else {
      throw .usage("--proxy: a user name in it is not taken; https_proxy is for such")
    }
    guard schemes.contains(scheme), let whole = try? CurlURL("http://" + rest, name: "") else {
      throw .usage("--proxy: expected a URL such as http://host:3128 or socks5h://host")
    }
    return Endpoint(
      url: scheme + "://" + rest, scheme: scheme, host: whole.get(clibcurl_part_host))
  }
}
