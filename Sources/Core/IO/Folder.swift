/// Folders of the file system.
package enum Folder {
  /// Makes the folder `path`, and those that it stands in, where they are missing; with `isPrivate`
  /// for their owner alone.
  package static func make(_ path: String, isPrivate: Bool = false) throws(Failure) {
    guard !path.isEmpty else { throw .file(name: path, errno: ENOENT) }
    var made = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      made += part + "/"
      if part.isEmpty { continue }
      guard unsafe mkdir(made.cString, isPrivate ? 0o700 : 0o777) != 0, errno != EEXIST,
        errno != EISDIR
      else { continue }
      // A folder that cannot be written to may be there all the same.
      let reason = errno
      guard isThere(made) else { throw .file(name: path, errno: reason) }
    }
    guard isThere(path) else { throw .file(name: path, errno: ENOTDIR) }
  }

  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path.cString, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
