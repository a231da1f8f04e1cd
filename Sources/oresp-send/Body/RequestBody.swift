import Core

/// The body of a request: a JSON object whose members keep their order and spelling until they are
/// changed.
struct RequestBody {
  private var root = JSONValue.object([])
  /// Values in it that were read as secrets and must not be shown.
  var secrets: [JSONValue] = []
  /// Members of a Chat Completions body that no option changes, and that are sent as they came.
  var untouched: Set<String> = []

  var members: JSONValue.Members { root.members ?? [] }

  func has(_ name: String) -> Bool { root[name] != nil }

  /// Whether there is a member `name` that is not null.
  func hasValue(_ name: String) -> Bool { root[name].map { !$0.isNull } ?? false }

  /// Whether the member `name` is `false`, or `true`.
  func isFalse(_ name: String) -> Bool { root[name]?.line == Array("false".utf8) }
  func isTrue(_ name: String) -> Bool { root[name]?.line == Array("true".utf8) }

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

  /// Replaces the member `name`, if there is one, by `others`.
  mutating func replace(_ name: String, with others: JSONValue.Members) {
    let replaced = Set(others.map(\.name)).union([name])
    root = .object(
      members.flatMap { member in
        member.name == name ? others : replaced.contains(member.name) ? [] : [member]
      })
  }

  /// The body as one line of JSON, as it is sent.
  var bytes: [UInt8] { root.singleLine }

  var tools: [JSONValue] { root["tools"]?.opened.elements ?? [] }

  /// Sets the value at `path`, and makes the objects and arrays that are missing on the way.
  mutating func set(_ value: JSONValue, at path: BodyPath) throws(Failure) {
    guard case .member(let name)? = path.steps.first else { return }
    var member = root[name] ?? .null
    try member.set(value, at: path, below: 1)
    set(name, member)
  }

  /// Removes the value at `path`, if there is one.
  mutating func remove(at path: BodyPath) { root.remove(at: path) }

  /// Removes all members but those called `names`.
  mutating func keep(_ names: Set<String>) {
    root = .object(members.filter { names.contains($0.name) })
  }

  func value(at path: BodyPath) -> JSONValue? { root.value(at: path) }
}

extension RequestBody {
  /// The body `root`, an object.
  init(_ root: JSONValue) { self.root = root }

  /// Reads the body in `file`.
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
  /// The texts of all secrets in it, as a server might repeat them: the strings, and the `value` of
  /// each in a list.
  var secretTexts: [[UInt8]] {
    (secrets + members(at: Self.secretPlaces).map(\.value)).flatMap { secret in
      let list = secret.opened.elements?.compactMap { $0.opened["value"]?.string }
      return list ?? [secret.string].compactMap(\.self)
    }
  }

  /// The body without the values that were read as secrets, and their paths.
  var shown: (body: RequestBody, hidden: [String]) {
    guard !secrets.isEmpty else { return (self, []) }
    let lines = secrets.map(\.line)
    var hidden = members(at: Self.secretPlaces).filter { lines.contains($0.value.line) }
    let found = hidden.map(\.value.line)
    if !lines.allSatisfy(found.contains) {
      hidden = members(at: Self.allSecretPlaces).filter { lines.contains($0.value.line) }
    }
    var body = self
    for (path, _) in hidden { body.remove(at: path) }
    return (body, hidden.map(\.path.text))
  }

  /// The members of each tool at its `places`.
  private func members(
    at places: (JSONValue) -> [BodyPath]
  ) -> [(path: BodyPath, value: JSONValue)] {
    tools.enumerated().flatMap { index, tool in
      places(tool).compactMap { place in
        let path = BodyPath([.member("tools"), .element(index)] + place.steps)
        return value(at: path).map { (path, $0) }
      }
    }
  }

  /// The paths of secrets in a tool: token and headers of an MCP server, secrets of a container.
  private static func secretPlaces(in tool: JSONValue) -> [BodyPath] {
    let headers = BodyPath(members: "headers")
    let names = tool.value(at: headers)?.opened.members?.map(\.name) ?? []
    return names.map { headers.appending(.member($0)) }
      + [
        "authorization", "container.network_policy.domain_secrets",
        "environment.network_policy.domain_secrets",
      ].map(BodyPath.init(members:))
  }

  /// The same, and the paths of what its name marks as secret. This looks at all of the tool, which
  /// may have a large schema.
  private static func allSecretPlaces(in tool: JSONValue) -> [BodyPath] {
    let known = secretPlaces(in: tool)
    let texts = known.map(\.text)
    return known + secretNames(in: tool, at: BodyPath([])).filter { !texts.contains($0.text) }
  }

  /// The paths of texts and numbers in `value`, at `path` of a tool, whose names mark them as secret.
  private static func secretNames(in value: JSONValue, at path: BodyPath) -> [BodyPath] {
    guard path.steps.count < BodyPath.mostSteps else { return [] }
    return (value.opened.members ?? []).flatMap { name, value in
      let place = path.appending(.member(name))
      let isText = value.line.first.map { $0 == ASCII.quote || ASCII.isDigit($0) } == true
      guard isText else { return secretNames(in: value, at: place) }
      // A filter of files calls an attribute its key.
      let isKey = name == "key" && path.steps.isEmpty
      return isKey || SecretName.isOfMember(name) ? [place] : []
    }
  }

  /// The failure for a secret on the command line, which everybody on the machine can read.
  static let secretRefusal = Failure.usage(
    "a secret is not for the command line: see SECRETS in oresp-tools(7)")

  /// Refuses a body whose tools have secrets.
  func refuseSecrets() throws(Failure) {
    guard members(at: Self.allSecretPlaces).allSatisfy(\.value.isNull) else {
      throw Self.secretRefusal
    }
  }

  /// Refuses a `value` that puts a secret into a body at `path`.
  static func refuseSecrets(in value: JSONValue, at path: BodyPath) throws(Failure) {
    // An item has tools, too: input[0].tools[0].authorization
    if case .member("authorization")? = path.steps.last, !value.isNull { throw secretRefusal }
    try with(value, at: path).refuseSecrets()
  }

  /// Whether a text at `path` is a secret, or each member of an object.
  static func holdsSecret(_ path: BodyPath) -> Bool {
    let values: [JSONValue] = ["", ["name": "value"]]
    return values.contains { (try? refuseSecrets(in: $0, at: path)) == nil }
  }

  /// A body with `value` at `path` alone, the only element of each array on the way.
  private static func with(_ value: JSONValue, at path: BodyPath) -> RequestBody {
    let steps = path.steps.map { step in
      if case .element = step { BodyPath.Step.append } else { step }
    }
    var body = RequestBody()
    try? body.set(value, at: BodyPath(steps))
    return body
  }
}

/// The order of members in a new body: the model and the input, the tools, the form of the answer,
/// and the rest.
enum MemberOrder {
  static let names = [
    "model", "instructions", "prompt", "previous_response_id", "conversation", "input",
    "messages", "tools", "tool_choice", "parallel_tool_calls", "max_tool_calls", "reasoning",
    "text", "max_output_tokens", "temperature", "top_p", "top_logprobs", "truncation",
    "context_management", "include", "store", "background", "service_tier", "prompt_cache_key",
    "prompt_cache_options", "safety_identifier", "metadata", "stream", "stream_options",
  ]

  /// The index at which `name` is inserted among `members`: before the first that is later in the
  /// order, else at the end.
  static func place(of name: String, among members: [String]) -> Int {
    guard let rank = names.firstIndex(of: name) else { return members.count }
    let later = Set(names[(rank + 1)...])
    return members.firstIndex { later.contains($0) } ?? members.count
  }
}
