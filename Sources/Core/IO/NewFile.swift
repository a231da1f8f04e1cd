/// A file that is written beside its destination and put in its place when it is whole, so that
/// nobody ever sees a part of it.
///
/// What is no regular file (`/dev/null`, a FIFO, `/dev/stdout`) is written directly where it may be
/// replaced. A file that is not committed
/// goes with its value, or with the process when a signal ends it.
package struct NewFile: ~Copyable {
  /// What is done about a file that is there.
  package enum Existing: Sendable {
    /// It is replaced; where it is a symbolic link, what that leads to. Its mode is kept.
    case replace
    /// It is replaced itself, whatever it is: nothing leads elsewhere.
    case replaceItself
    /// It stays, and there is no new file.
    case keep
  }

  /// The path as the user knows it.
  package let path: String
  private let existing: Existing
  private let opened: Opened

  private struct Opened {
    let descriptor: Int32
    /// Where the file is to stand, links followed, and where it stands until then; `nil` when it is
    /// written directly.
    var place: (destination: String, temporary: TemporaryPath)?
  }

  /// Creates the file that is to stand at `path`; with `isPrivate` only its owner may read it.
  package init(
    at path: String, existing: Existing = .replace, isPrivate: Bool = false
  ) throws(Failure) {
    let opened = try Self.open(path, existing, isPrivate)
    (self.path, self.existing, self.opened) = (path, existing, opened)
  }

  deinit {
    _ = closeFile(opened.descriptor)
    opened.place?.temporary.remove()
  }

  /// What it is written through; open as long as the file.
  package var descriptor: Descriptor { Descriptor(borrowing: opened.descriptor, name: path) }

  /// Appends `bytes`.
  package func write(_ bytes: Span<UInt8>) throws(Failure) {
    try Descriptor(borrowing: opened.descriptor, name: path).write(bytes)
  }

  /// Puts the file in its place, its bytes on the disk first.
  package consuming func commit() throws(Failure) {
    guard let (destination, temporary) = opened.place else { return }
    // What has no disk behind it cannot be synced, and need not be.
    if fsync(opened.descriptor) != 0, errno != EINVAL, errno != EROFS, errno != ENOTSUP {
      throw .file(name: path, errno: errno)
    }
    let isMoved =
      existing == .keep
      ? temporary.moveToFree(destination) : temporary.move(to: destination)
    guard isMoved else { throw .file(name: path, errno: errno) }
  }

  private static func open(
    _ path: String, _ existing: Existing, _ isPrivate: Bool
  ) throws(Failure) -> Opened {
    guard !path.isEmpty else { throw .file(name: path, errno: ENOENT) }
    if existing == .replace, let direct = try openDirectly(path) {
      return Opened(descriptor: direct)
    }
    let destination = existing == .replace ? try target(of: path) : path
    var status = stat()
    let isThere = unsafe lstat(destination.cString, &status) == 0
    if isThere, existing == .keep { throw .file(name: path, errno: EEXIST) }
    if isThere, isFolder(status) { throw .file(name: path, errno: EISDIR) }
    let isFile = isThere && status.st_mode & S_IFMT == S_IFREG
    if isFile, unsafe access(destination.cString, W_OK) != 0 {
      throw .file(name: path, errno: errno)
    }
    let temporary = TemporaryPath(beside: destination)
    let descriptor = openFile(
      temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
      isFile || isPrivate ? 0o600 : 0o666)
    guard descriptor >= 0 else {
      let reason = errno
      temporary.remove()
      throw .file(name: path, errno: reason)
    }
    if isFile, !isPrivate { fchmod(descriptor, status.st_mode & 0o777) }
    return Opened(descriptor: descriptor, place: (destination, temporary))
  }

  private static func isFolder(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }

  /// A descriptor for `path` when it is no place for a regular file; `nil` when it is.
  private static func openDirectly(_ path: String) throws(Failure) -> Int32? {
    let number: Int32
    if let open = openNumber(path) {
      number = dup(open)
    } else {
      var status = stat()
      guard unsafe stat(path.cString, &status) == 0, status.st_mode & S_IFMT != S_IFREG,
        !isFolder(status)
      else { return nil }
      var opened: Int32
      repeat {
        opened = openFile(path, O_WRONLY | O_CLOEXEC, 0)
      } while opened < 0
        && errno == EINTR
      number = opened
    }
    guard number >= 0 else { throw .file(name: path, errno: errno) }
    return number
  }

  /// The descriptor that `path` is another name of: a file behind it is not to be replaced.
  private static func openNumber(_ path: String) -> Int32? {
    switch path {
    case "/dev/stdout": 1
    case "/dev/stderr": 2
    default: path.hasPrefix("/dev/fd/") ? Int32(path.dropFirst(8)) : nil
    }
  }

  /// What `path` leads to when its last part is a symbolic link, which need not exist.
  private static func target(of path: String) throws(Failure) -> String {
    var path = path
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = unsafe readlink(path.cString, &buffer, buffer.count)
      guard count >= 0 else { return path }
      let target = String(system: buffer[..<count].map { UInt8(bitPattern: $0) })
      path = target.hasPrefix("/") ? target : folder(of: path) + target
    }
    throw .file(name: path, errno: ELOOP)
  }

  /// The folder that `path` stands in, with its slash; empty for the current one.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return String(path[...slash])
  }
}

/// `open` with a mode, and `close` by another name, for the methods hide it.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  unsafe open(path.cString, flags, mode)
}

private func closeFile(_ number: Int32) -> Int32 { close(number) }
