import Core

/// What the command line says of presets.
struct PresetSettings: Sendable {
  /// The names and files, in the order in which they count.
  var names: [String] = []
  /// The name that a preset is to be saved by.
  var savedName: String?
  /// Whether one of that name is replaced.
  var replaces = false
}

/// The folder that has the presets: partial bodies of requests, each in a file of its name.
struct PresetFolder {
  private let sources: RequestBuilder.Sources

  init(_ sources: RequestBuilder.Sources) { self.sources = sources }

  /// Reads the preset `name`; one with a slash or `.json`, or `-`, is a file.
  func preset(_ name: String) throws(Failure) -> RequestBody {
    if Self.isFile(name) { return try RequestBody(try sources.text(name)) }
    let path = try path(of: name)
    guard names.contains(name) else { throw try unknown(name) }
    return try RequestBody(try sources.text(path))
  }

  /// Where the preset `name` is kept.
  func path(of name: String) throws(Failure) -> String { "\(try folder)/\(name).json" }

  /// The folder, by the XDG Base Directory Specification: a relative path is as none.
  var folder: String {
    get throws(Failure) {
      if let base = sources.variable("XDG_CONFIG_HOME"), base.hasPrefix("/") {
        return base + "/oresp/presets"
      }
      guard let home = sources.variable("HOME") else {
        throw .usage("presets: neither XDG_CONFIG_HOME nor HOME is set")
      }
      return home + "/.config/oresp/presets"
    }
  }

  static func isFile(_ name: String) -> Bool {
    name == "-" || name.contains("/") || name.hasSuffix(".json")
  }

  /// Checks that `name` can be that of a preset.
  static func check(_ name: String) throws(Failure) {
    guard let first = name.utf8.first, first != UInt8(ascii: "."), first != ASCII.minus,
      !name.utf8.contains(0)
    else { throw .usage("expected the name of a preset, got \(name)") }
  }

  private var names: [String] {
    guard let folder = try? folder else { return [] }
    return sources.list(folder).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
      .map { String($0.dropLast(".json".count)) }
  }

  private func unknown(_ name: String) throws(Failure) -> Failure {
    let near = Typed.nearest(name, among: names)
    let list = names.isEmpty ? "none is there" : "there are \(names.joined(separator: ", "))"
    return .usage("--preset: no preset \(name) in \(try folder): \(list)\(near)")
  }
}

/// A preset that is to be saved.
struct Preset {
  /// The file's text: the members of the request, one a line.
  let text: [UInt8]
  /// The members that were left out, because they are secrets.
  let secrets: [String]

  /// The preset of `body`; what is secret in it by its name is left out.
  init(_ body: RequestBody) {
    var body = body
    secrets = body.removeSecrets()
    text = Self.lines(of: body)
  }

  private static func lines(of body: RequestBody) -> [UInt8] {
    var text: [UInt8] = [ASCII.openBrace]
    for (index, member) in body.members.enumerated() {
      text.append(index > 0 ? ",\n  " : "\n  ")
      text += JSONValue.text(member.name).line
      text.append(": ")
      member.value.write(into: &text)
    }
    text.append(body.members.isEmpty ? "}\n" : "\n}\n")
    return text
  }
}

extension RequestBody {
  /// Puts `other` over this: its members replace those of their name. Two objects are merged member
  /// by member, unless one of them says by `type` or `id` what it is: it is then of one piece.
  mutating func merge(_ other: RequestBody) throws(Failure) {
    for (name, value) in other.members {
      let held = self.value(at: BodyPath([.member(name)]))
      set(name, try Self.merged(held, value, depth: 1))
    }
  }

  private static func merged(
    _ below: JSONValue?, _ above: JSONValue, depth: Int
  ) throws(Failure) -> JSONValue {
    guard let held = below?.opened.members, let given = above.opened.members,
      !isOnePiece(held), !isOnePiece(given)
    else { return above }
    guard depth < BodyPath.mostSteps else {
      throw .other("objects deeper than \(BodyPath.mostSteps) are not merged", .usage)
    }
    var members = held
    for (name, value) in given {
      let inner = members.first { JSONValue.isSame($0.name, name) }?.value
      let merged = try merged(inner, value, depth: depth + 1)
      members = JSONValue.members(members, setting: name, to: merged)
    }
    return .object(members)
  }

  private static func isOnePiece(_ members: [(name: String, value: JSONValue)]) -> Bool {
    members.contains { ["type", "id"].contains($0.name) }
  }
}
