#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Folders of the file system.
package enum Folder {
  /// The names in the folder at `path`, sorted; none when it is not there or cannot be read.
  package static func names(in path: String) -> [String] {
    guard let folder = unsafe opendir(path) else { return [] }
    defer { _ = unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Makes the folder at `path` and those above it, as far as they are missing, for its owner alone
  /// (mode 0700).
  package static func make(_ path: String) throws(Failure) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      guard unsafe mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
      let why = errno
      // A folder above may be there and closed to writing.
      guard unsafe access(made, F_OK) == 0 else { throw .file(name: path, errno: why) }
    }
  }
}

/// Files that only their owner may read.
package enum PrivateFile {
  /// Writes `bytes` to a file at `path`, of mode 0600, whole or not at all. A file that is there
  /// stays and is `Failure.file` with EEXIST, unless `replaces`.
  package static func write(
    _ bytes: [UInt8], to path: String, replaces: Bool
  ) throws(Failure) {
    let place = replaces ? "\(path).\(getpid()).new" : path
    var file = try Descriptor(creatingPrivate: place)
    do throws(Failure) {
      try file.write(bytes.span)
      try file.close()
      if replaces, unsafe rename(place, path) != 0 { throw .file(name: path, errno: errno) }
    } catch {
      _ = unsafe unlink(place)
      throw error
    }
  }
}

extension Failure {
  /// Whether a file was to be made that is there already.
  package var isExistingFile: Bool {
    if case .file(_, EEXIST) = self { true } else { false }
  }
}
