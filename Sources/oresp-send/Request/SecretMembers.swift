import Core

/// The members of a request that are secrets, or may be.
enum SecretMembers {
  /// Takes those away that `isSecret` says are such. Returns where they stood.
  static func remove(
    from body: inout RequestBody, where isSecret: (JSONValue) -> Bool
  ) -> [String] {
    var removed: [String] = []
    let tools = body.value(at: BodyPath(members: "tools"))?.opened.elements ?? []
    for index in tools.indices {
      for path in places(in: tools[index]) {
        let path = BodyPath([.member("tools"), .element(index)] + path.steps)
        guard let value = body.value(at: path), isSecret(value) else { continue }
        body.remove(at: path)
        removed.append(path.text)
      }
    }
    return removed
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
