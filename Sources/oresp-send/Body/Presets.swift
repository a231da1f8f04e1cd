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

  /// A row for each preset: its name and its path.
  var rows: [[String]] {
    get throws(Failure) {
      try sources.list(folder).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
        .map { file throws(Failure) in
          let name = String(file.dropLast(".json".count))
          return [name, try path(of: name)]
        }
    }
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
