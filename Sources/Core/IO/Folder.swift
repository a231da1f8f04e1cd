/// Folders of the file system.
package enum Folder {
  /// Makes the folder `path`, and those that it stands in, where they are missing; with `isPrivate`
  /// for their owner alone.
  package static func make(_ path: String, isPrivate: Bool = false) throws(Failure) {
    guard !path.isEmpty else { throw .file(name: path, errno: ENOENT) }
    var made = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      made += part + "/"
      if part.isEmpty || unsafe mkdir(made.cString, isPrivate ? 0o700 : 0o777) == 0 { continue }
      // A folder that cannot be made may be there all the same.
      let reason = errno == EEXIST ? ENOTDIR : errno
      guard fileStatus(made)?.isFolder == true else { throw .file(name: path, errno: reason) }
    }
  }
}
