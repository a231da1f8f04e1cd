import Core

/// The body of a request: a JSON object whose members keep their order, and their values as they
/// were spelled, until something changes them.
struct RequestBody {
  private var root = JSONValue.object([])
  /// Values in it that came from a secret's place and must not be shown.
  var secrets: [JSONValue] = []
  /// Members of a Chat Completions body that no option changes, and that stay as they came.
  var kept: Set<String> = []

  var members: JSONValue.Members { root.members ?? [] }

  func has(_ name: String) -> Bool { root[name] != nil }

  /// Whether there is a member `name` that is not null.
  func says(_ name: String) -> Bool { root[name].map { !$0.isNull } ?? false }

  /// Whether the member `name` is `false`.
  func isFalse(_ name: String) -> Bool { root[name]?.line == Array("false".utf8) }

  /// Replaces the member `name`; a new one takes its place in `MemberOrder`.
  mutating func set(_ name: String, _ value: JSONValue) {
    if has(name) {
      root[name] = value
    } else {
      var members = members
      members.insert((name, value), at: MemberOrder.place(of: name, among: members.map(\.name)))
      root = .object(members)
    }
  }

  /// Puts `others` in the place of the member `name`, if there is one.
  mutating func replace(_ name: String, with others: JSONValue.Members) {
    let replaced = Set(others.map(\.name)).union([name])
    root = .object(
      members.flatMap { member in
        member.name == name ? others : replaced.contains(member.name) ? [] : [member]
      })
  }

  /// The body as one line of JSON, as it is sent.
  var bytes: [UInt8] { root.singleLine }

  /// Its tools.
  var tools: [JSONValue] { root["tools"]?.opened.elements ?? [] }

  /// Sets what `path` leads to, making what is missing on the way.
  mutating func set(_ value: JSONValue, at path: BodyPath) throws(Failure) {
    guard case .member(let name)? = path.steps.first else { return }
    var member = root[name] ?? .null
    try member.set(value, at: path, below: 1)
    set(name, member)
  }

  /// Takes away what `path` leads to, if it is there.
  mutating func remove(at path: BodyPath) { root.remove(at: path) }

  /// Takes all members away but those called so.
  mutating func keep(_ names: Set<String>) {
    root = .object(members.filter { names.contains($0.name) })
  }

  /// What `path` leads to.
  func value(at path: BodyPath) -> JSONValue? { root.value(at: path) }
}

extension RequestBody {
  /// The body `root`, an object.
  init(_ root: JSONValue) { self.root = root }

  /// Reads the body that `file` is.
  init(_ file: FileText) throws(Failure) {
    self.init()
    try file.checkJSON()
    guard let root = JSONValue(object: file.bytes.span) else {
      throw file.fault("expected a JSON object", at: file.bytes.span.trimmed().lowerBound)
    }
    self.root = root
  }
}

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
    tools.enumerated().flatMap { index, tool in
      Self.secretPlaces(in: tool).compactMap { place in
        let path = BodyPath([.member("tools"), .element(index)] + place.steps)
        return value(at: path).map { (path, $0) }
      }
    }
  }

  /// Where a tool has secrets: the token of an MCP server, its headers, and those of a container.
  static func secretPlaces(in tool: JSONValue) -> [BodyPath] {
    let headers = BodyPath(members: "headers")
    let names = tool.value(at: headers)?.opened.members?.map(\.name) ?? []
    return names.map { headers.appending(.member($0)) }
      + [
        "authorization", "container.network_policy.domain_secrets",
        "environment.network_policy.domain_secrets",
      ].map(BodyPath.init(members:))
  }
}

/// The order in which a request that is made has its members: what it asks whom, what it says, what
/// may be used for it, how the answer is to be, and how it is carried out.
enum MemberOrder {
  private static let names = [
    "model", "instructions", "prompt", "previous_response_id", "conversation", "input",
    "messages", "tools", "tool_choice", "parallel_tool_calls", "max_tool_calls", "reasoning",
    "text", "max_output_tokens", "temperature", "top_p", "top_logprobs", "truncation",
    "context_management", "include", "store", "background", "service_tier", "prompt_cache_key",
    "prompt_cache_options", "safety_identifier", "metadata", "stream", "stream_options",
  ]

  /// Where `name` is to be inserted among `members`: before the first that comes after it, else at
  /// the end.
  static func place(of name: String, among members: [String]) -> Int {
    guard let rank = names.firstIndex(of: name) else { return members.count }
    let later = Set(names[(rank + 1)...])
    return members.firstIndex { later.contains($0) } ?? members.count
  }
}
