/// The names that mark a value as secret, in any spelling: `X-API-Key`, `api_key`, `apiKey`.
enum SecretName {
  /// Keys that are secrets: other keys of a member sort, divide or cache.
  private static let keys = [
    "access", "account", "app", "application", "auth", "client", "encryption", "master", "private",
    "secret", "service", "shared", "signing", "subscription",
  ]

  /// Tokens that are no secrets: they name a page, or a piece of a text.
  private static let plainTokens = [
    "bos", "continuation", "eos", "next", "pad", "page", "stop",
  ]

  /// Whether `name` is that of a header whose value is secret: of any key but those of a cache.
  static func isOfHeader(_ name: some StringProtocol) -> Bool {
    let whole = whole(name)
    let isPlain = ["idempotency", "cache", "surrogate"].contains(where: whole.contains)
    return isCredential(whole) || whole.hasSuffix("key") && !isPlain
  }

  /// Whether `name` is that of a member of a request, or of a field of a form, whose value is secret.
  static func isOfMember(_ name: String) -> Bool {
    let whole = whole(name)
    if plainTokens.contains(where: { whole.hasSuffix($0 + "token") }) { return false }
    return isCredential(whole) || keys.contains { whole.hasSuffix($0 + "key") }
  }

  /// Whether `whole` names an authorization, an API's key, a token, a password or a cookie.
  private static func isCredential(_ whole: String) -> Bool {
    ["apikey", "authorization", "cookie"].contains(where: whole.contains)
      || [
        "token", "secret", "password", "credential", "credentials", "auth", "jwt", "bearer",
      ].contains(where: whole.hasSuffix)
  }

  private static func whole(_ name: some StringProtocol) -> String {
    name.lowercased().filter { $0 != "-" && $0 != "_" }
  }
}
