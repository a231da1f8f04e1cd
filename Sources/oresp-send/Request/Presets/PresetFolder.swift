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
    if Self.isFile(name) {
      return try RequestBody(try sources.read(name), name: RequestBuilder.Sources.name(of: name))
    }
    try Self.check(name, "--preset")
    let path = try path(of: name)
    guard names.contains(name) else { throw try unknown(name) }
    return try RequestBody(try sources.read(path), name: path)
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

  /// Checks that `name`, which `option` gave, can be that of a preset.
  static func check(_ name: String, _ option: String) throws(Failure) {
    guard let first = name.utf8.first, first != UInt8(ascii: "."), first != ASCII.minus,
      !name.utf8.contains(0)
    else { throw .usage("\(option): expected the name of a preset, got \(name)") }
  }

  private var names: [String] {
    guard let folder = try? folder else { return [] }
    return sources.list(folder).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
      .map { String($0.dropLast(".json".count)) }
  }

  private func unknown(_ name: String) throws(Failure) -> Failure {
    let near = nearest(name, among: names).map { "; did you mean \($0)?" } ?? ""
    let list = names.isEmpty ? "none is there" : "there are \(names.joined(separator: ", "))"
    return .usage("--preset: no preset \(name) in \(try folder): \(list)\(near)")
  }
}
