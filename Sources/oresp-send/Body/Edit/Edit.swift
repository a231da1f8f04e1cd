import Core

/// A change of the request's body by an option. `-t mcp=a@https://x,auth-env=TOKEN` is the edits
///
///     tools           = []                                        of the first -t
///     tools           append [{"type":"mcp"}]
///     tools[-1].server_label  = "a"
///     tools[-1].server_url    = "https://x"
///     tools[-1].authorization = the variable TOKEN, a secret
struct Edit: Sendable {
  /// The edits of a lower rank are laid before those of a higher one, and those of one rank in the
  /// order of the command line.
  enum Rank: CaseIterable {
    case preset, body
    /// Options that set a member of their own.
    case option
    /// `--set`, `--set-str` and `--unset`.
    case last
  }

  /// How the value is laid at the path.
  enum Way {
    case set
    /// Adds the elements of an array.
    case append
    /// Adds the elements that the array lacks.
    case join
    /// Adds the members that the object lacks; does nothing where no object is.
    case fill
    /// Merges an object into the whole body.
    case merge
  }

  /// The option as messages name it.
  let option: String
  let rank: Rank
  let path: BodyPath
  let way: Way
  /// The value; `nil` removes the one at the path.
  let source: Source?

  init(
    _ option: String, _ path: BodyPath, _ source: Source?, _ way: Way = .set, rank: Rank = .option
  ) {
    self.option = option
    self.rank = rank
    self.path = path
    self.way = way
    // A file is the place of a secret if its value goes to one.
    self.source = SecretPlace.isSecret(path) ? source?.asSecret : source
  }

  init(_ option: String, _ path: String, _ source: Source, _ way: Way = .set) {
    self.init(option, BodyPath(members: path), source, way)
  }

  /// Refuses a secret that the command line itself gives.
  func refuseSecrets() throws(Failure) {
    if let value = source?.given { try SecretPlace.refuse(in: value, at: path) }
  }

  /// The edit with the value in its file or variable.
  func read(_ sources: Sources) throws(Failure) -> ReadEdit {
    let value = try source.map { source throws(Failure) in
      try within(option, source.value(sources))
    }
    return ReadEdit(edit: self, value: value)
  }
}

/// An edit whose value is at hand.
struct ReadEdit {
  let edit: Edit
  fileprivate let value: JSONValue?

  /// Changes `body`. `[key]` stands for a secret, unless `showsSecrets`.
  func apply(to body: inout RequestBody, showsSecrets: Bool) throws(Failure) {
    guard let value else { return body.remove(at: edit.path) }
    let isHidden = edit.source?.isSecret == true && !showsSecrets
    try within(edit.option, lay(isHidden ? "[key]" : value, on: &body))
  }

  private func lay(_ value: JSONValue, on body: inout RequestBody) throws(Failure) {
    let path = edit.path
    let held = body.root.value(at: path)?.opened
    switch edit.way {
    case .set: try body.set(value, at: path)
    case .merge: try body.merge(value)
    case .append, .join:
      let lines = edit.way == .join ? held?.elements?.map(\.singleLine) ?? [] : []
      for element in value.opened.elements ?? [] where !lines.contains(element.singleLine) {
        try body.set(element, at: path.appending(.append))
      }
    case .fill:
      guard let held, held.members != nil else { return }
      for (name, value) in value.opened.members ?? [] where held[name] == nil {
        try body.set(value, at: path.appending(.member(name)))
      }
    }
  }

  /// The texts of its secrets, as a server might repeat them.
  var secretTexts: [[UInt8]] {
    guard let value else { return [] }
    return edit.source?.isSecret == true
      ? SecretPlace.texts(of: value) : SecretPlace.texts(in: value, at: edit.path)
  }
}

/// Does `work`, and puts `place` before its message on wrong usage. Other failures pass unchanged.
func within<Value>(
  _ place: String, _ work: @autoclosure () throws(Failure) -> Value
) throws(Failure) -> Value {
  do throws(Failure) {
    return try work()
  } catch {
    guard case .usage(let why) = error else { throw error }
    throw .usage("\(place): \(why)")
  }
}

/// Does `work` on JSON of the command line itself, and makes its failures wrong usage.
func asUsage<Value>(_ work: @autoclosure () throws(Failure) -> Value) throws(Failure) -> Value {
  do throws(Failure) {
    return try work()
  } catch {
    throw .usage(error.message ?? "")
  }
}
