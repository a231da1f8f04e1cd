import Core

/// The members of a request that are secrets, or may be.
enum SecretMembers {
  /// Takes those away that `isSecret` says are such. Returns where they stood.
  static func remove(
    from body: inout RequestBody, where isSecret: (JSONValue) -> Bool
  ) -> [String] {
    let secrets = all(in: body).filter { isSecret($0.value) }
    for secret in secrets { body.remove(at: secret.path) }
    return secrets.map(\.path.text)
  }

  /// Those that `body` has.
  static func all(in body: RequestBody) -> [(path: BodyPath, value: JSONValue)] {
    let tools = body.value(at: BodyPath(members: "tools"))?.opened.elements ?? []
    return tools.indices.flatMap { index in
      places(in: tools[index]).compactMap { place in
        let path = BodyPath([.member("tools"), .element(index)] + place.steps)
        return body.value(at: path).map { (path, $0) }
      }
    }
  }

  /// Where a tool has secrets: the token of an MCP server, its headers, and those of a container.
  private static func places(in tool: JSONValue) -> [BodyPath] {
    let headers = BodyPath(members: "headers")
    let names = tool.value(at: headers)?.opened.members?.map(\.name) ?? []
    return names.map { headers.appending(.member($0)) }
      + [
        "authorization", "container.network_policy.domain_secrets",
        "environment.network_policy.domain_secrets",
      ].map(BodyPath.init(members:))
  }
}
