import Core

/// The members of a body whose values are secrets. They are in tools: the token and the headers of
/// an MCP server, the secrets of a container, and what its name marks as secret.
enum SecretPlace {
  /// The failure for a secret on the command line, which everybody on the machine can read.
  private static let refusal = Failure.usage(
    "a secret is not for the command line: see SECRETS in oresp-tools(7)")

  /// Whether a value at `path` is a secret.
  static func isSecret(_ path: BodyPath) -> Bool {
    guard let names = namesInTool(path.names) else { return false }
    return isKnown(names) || isMarked(names) || names == ["headers"]
  }

  /// Refuses a secret in `value`, which goes to `path`.
  static func refuse(in value: JSONValue, at path: BodyPath) throws(Failure) {
    guard secrets(in: value, at: path.names).isEmpty else { throw refusal }
  }

  /// The texts of the secrets in `value`, which goes to `path`, as a server might repeat them.
  static func texts(in value: JSONValue, at path: BodyPath) -> [[UInt8]] {
    secrets(in: value, at: path.names).flatMap(texts(of:))
  }

  /// The texts of `secret`: a string, those of an object such as headers, and the `value` of each in
  /// a list.
  static func texts(of secret: JSONValue) -> [[UInt8]] {
    let secret = secret.opened
    let parts = secret.members?.map(\.value) ?? secret.elements?.compactMap { $0.opened["value"] }
    return (parts ?? [secret]).compactMap(\.string)
  }

  private static func secrets(in value: JSONValue, at names: [String]) -> [JSONValue] {
    guard names.count < BodyPath.mostSteps else { return [] }
    if let names = namesInTool(names) {
      let isText = value.line.first.map { $0 == ASCII.quote || ASCII.isDigit($0) } == true
      if isKnown(names) ? !value.isNull : isText && isMarked(names) { return [value] }
    } else if !([[], ["tools"], ["input"], ["input", "tools"]].contains(names)) {
      return []
    }
    let value = value.opened
    let isList = ["tools", "input"].contains(names.last)
    return (value.members ?? []).flatMap { secrets(in: $0.value, at: names + [$0.name]) }
      + (isList ? value.elements ?? [] : []).flatMap { secrets(in: $0, at: names) }
  }

  /// The names that lead from a tool of the request, or of an item of its input, to the member that
  /// `names` lead to; `nil` if that is in no tool.
  private static func namesInTool(_ names: [String]) -> ArraySlice<String>? {
    let inner = names.first == "input" ? names.dropFirst() : names[...]
    return inner.first == "tools" && inner.count > 1 ? inner.dropFirst() : nil
  }

  private static func isKnown(_ names: ArraySlice<String>) -> Bool {
    names == ["authorization"] || names.first == "headers" && names.count > 1
      || names.contains("domain_secrets")
  }

  /// Whether the last of `names` marks a text as secret. A filter of files calls an attribute its
  /// key.
  private static func isMarked(_ names: ArraySlice<String>) -> Bool {
    names == ["key"] || names.last.map(SecretName.isOfMember) == true
  }
}
