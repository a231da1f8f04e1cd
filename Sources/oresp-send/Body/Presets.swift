import Core

/// The folder of the presets, which are partial bodies of requests, a file each.
struct PresetFolder {
  private let sources: Sources

  init(_ sources: Sources) { self.sources = sources }

  /// Reads the preset `name`, or the file at `name` if that is a path.
  func preset(_ name: String) throws(Failure) -> RequestBody {
    try RequestBody(try sources.text(Self.isFile(name) ? name : path(of: name)))
  }

  /// The path of the preset `name`.
  func path(of name: String) throws(Failure) -> String { "\(try folder)/\(name).json" }

  /// The folder, by the XDG Base Directory Specification, which ignores a relative path.
  var folder: String {
    get throws(Failure) {
      if let base = sources.variable("XDG_CONFIG_HOME"), base.hasPrefix("/") {
        return base + "/oresp/presets"
      }
      guard let home = sources.variable("HOME") else {
        throw .usage("no folder of presets: neither XDG_CONFIG_HOME nor HOME is set")
      }
      return home + "/.config/oresp/presets"
    }
  }

  /// Whether `name` is a path, and no name of a preset.
  static func isFile(_ name: String) -> Bool {
    Descriptor.isStdin(name) || name.contains("/") || name.hasSuffix(".json")
  }

  /// A row for each preset: its name, its path, and the start of its instructions, or its model.
  var rows: [[String]] {
    get throws(Failure) {
      try names.map { name throws(Failure) in
        let path = try path(of: name)
        let members = JSONValue.raw(try sources.text(path).bytes).opened
        let said = ["instructions", "model"].lazy.compactMap { members[$0]?.text }.first ?? ""
        let words = said.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return [name, path, words.count > 60 ? words.prefix(59) + "…" : words]
      }
    }
  }

  private var names: [String] {
    guard let folder = try? folder else { return [] }
    return sources.list(folder).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
      .map { String($0.dropLast(".json".count)) }
  }
}

extension Folder {
  /// The names in the folder at `path`, sorted; none when it is not there or cannot be read.
  static func names(in path: String) -> [String] {
    guard let folder = unsafe opendir(path.cString) else { return [] }
    defer { _ = unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(system: Array(bytes.prefix { $0 != 0 }))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
