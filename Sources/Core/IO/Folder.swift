#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Makes the folder `path`, and those that it stands in, where they are missing.
package func makeFolder(_ path: String) throws(Failure) {
  guard !path.isEmpty else { throw .file(name: path, errno: ENOENT) }
  var made = ""
  for part in path.split(separator: "/", omittingEmptySubsequences: false) {
    made += part + "/"
    if part.isEmpty { continue }
    guard unsafe mkdir(made, 0o777) != 0, errno != EEXIST, errno != EISDIR else { continue }
    // A folder that cannot be written to may be there all the same.
    let reason = errno
    guard isFolder(made) else { throw .file(name: path, errno: reason) }
  }
  guard isFolder(path) else { throw .file(name: path, errno: ENOTDIR) }
}

private func isFolder(_ path: String) -> Bool {
  var status = stat()
  return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}
