import Core

extension RequestBody {
  /// The texts of the secrets, wherever they are from, as they would be repeated by a server: they
  /// themselves, or the `value` of each in a list.
  var secretTexts: [[UInt8]] {
    (secrets + secretMembers.map(\.value)).flatMap { secret in
      let list = secret.opened.elements?.compactMap { $0.opened["value"]?.string }
      return list ?? [secret.string].compactMap(\.self)
    }
  }

  /// The body as it may be shown, and the places of what is left out of it.
  var shown: (body: RequestBody, hidden: [String]) {
    var body = self
    let lines = secrets.map(\.line)
    let hidden = body.removeSecrets { lines.contains($0.line) }
    return (body, hidden)
  }

  /// Takes the members away that may be secrets and that `isSecret` says are such. Returns where
  /// they stood.
  mutating func removeSecrets(where isSecret: (JSONValue) -> Bool = { _ in true }) -> [String] {
    let secrets = secretMembers.filter { isSecret($0.value) }
    for secret in secrets { remove(at: secret.path) }
    return secrets.map(\.path.text)
  }

  /// The members that may be secrets.
  private var secretMembers: [(path: BodyPath, value: JSONValue)] {
    let tools = value(at: BodyPath(members: "tools"))?.opened.elements ?? []
    return tools.enumerated().flatMap { index, tool in
      Self.secretPlaces(in: tool).compactMap { place in
        let path = BodyPath([.member("tools"), .element(index)] + place.steps)
        return value(at: path).map { (path, $0) }
      }
    }
  }

  /// Where a tool has secrets: the token of an MCP server, its headers, and those of a container.
  private static func secretPlaces(in tool: JSONValue) -> [BodyPath] {
    let headers = BodyPath(members: "headers")
    let names = tool.value(at: headers)?.opened.members?.map(\.name) ?? []
    return names.map { headers.appending(.member($0)) }
      + [
        "authorization", "container.network_policy.domain_secrets",
        "environment.network_policy.domain_secrets",
      ].map(BodyPath.init(members:))
  }
}
