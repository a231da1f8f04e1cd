/// A file that is written beside its destination and put in its place when it is whole, so that
/// nobody ever sees a part of it.
///
/// With `Existing.replace`, anything but a regular file (`/dev/null`, a FIFO, `/dev/stdout`) is
/// written directly. A file that is not committed is removed with its value, or by a signal that
/// ends the process.
package struct NewFile: ~Copyable {
  /// The treatment of an existing file.
  package enum Existing: Sendable {
    /// It is replaced; of a symbolic link, the file that it leads to. The mode is kept.
    case replace
    /// It is replaced itself, even where it is a symbolic link.
    case replaceItself
    /// It stays, and there is no new file: `--force` replaces it.
    case keep
  }

  /// The descriptor to write through; its name is the path as the user knows it.
  package let descriptor: Descriptor
  private let existing: Existing
  /// The path of the file, links followed, and the file that holds it until then; `nil` when it is
  /// written directly.
  private let place: (destination: String, temporary: TemporaryFile)?

  /// Creates a file for `path`.
  package init(
    at path: String, existing: Existing = .replace
  ) throws(Failure) {
    self.existing = existing
    guard !path.isEmpty else { throw .file(name: path, errno: ENOENT) }
    if existing == .replace, let direct = try Self.openDirectly(path) {
      descriptor = Descriptor(owning: direct, name: path)
      place = nil
      return
    }
    let destination = existing == .replace ? try Self.target(of: path) : path
    let status = fileStatus(destination, ofLink: true)
    if status?.isFolder == true { throw .file(name: path, errno: EISDIR) }
    if status != nil, existing == .keep { throw .file(name: path, errno: EEXIST) }
    let isFile = status?.isRegular == true
    if isFile, unsafe access(destination.cString, W_OK) != 0 {
      throw .file(name: path, errno: errno)
    }
    let temporary = TemporaryFile(beside: destination)
    let number = openFile(
      temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
      mode: isFile ? 0o600 : 0o666)
    guard number >= 0 else { throw .file(name: path, errno: errno) }
    if let status, isFile { fchmod(number, status.st_mode & 0o777) }
    descriptor = Descriptor(owning: number, name: path)
    place = (destination, temporary)
  }

  /// Whether nothing was written to a file that is to replace another.
  package var isEmpty: Bool {
    place.map { fileStatus($0.temporary.path)?.st_size == 0 } ?? false
  }

  /// Appends `bytes`.
  package func write(_ bytes: Span<UInt8>) throws(Failure) { try descriptor.write(bytes) }

  /// Puts the file in its place, its bytes on the disk first.
  package consuming func commit() throws(Failure) {
    guard let (destination, temporary) = place else { return }
    // A file without a disk behind it cannot be synced, and need not be.
    let isSynced =
      fsync(descriptor.number) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP
    let isMoved =
      isSynced
      && (existing == .keep
        ? temporary.moveToFree(destination) : temporary.move(to: destination))
    guard isMoved else { throw .file(name: descriptor.name, errno: errno) }
  }

  /// Puts the file in its place if the run ended well, with `status` 0; else reports that it is not
  /// written.
  package consuming func commit(after status: ExitStatus, _ notifier: Notifier) throws(Failure) {
    guard status != .completed else { return try commit() }
    let why = "\(descriptor.name): not written: the exit status is \(status.rawValue)"
    notifier.report(Notice(.warning, why))
  }

  /// A descriptor for `path` when it is no place for a regular file; `nil` when it is.
  private static func openDirectly(_ path: String) throws(Failure) -> Int32? {
    let number: Int32
    if let open = openNumber(path) {
      number = dup(open)
    } else {
      guard let status = fileStatus(path), !status.isRegular, !status.isFolder else { return nil }
      number = openFile(path, O_WRONLY)
    }
    guard number >= 0 else { throw .file(name: path, errno: errno) }
    return number
  }

  /// The descriptor that `path` names: a file behind it is not replaced.
  private static func openNumber(_ path: String) -> Int32? {
    switch path {
    case "/dev/stdout": 1
    case "/dev/stderr": 2
    default: path.hasPrefix("/dev/fd/") ? Int32(path.dropFirst(8)) : nil
    }
  }

  /// The path that `path` leads to when its last part is a symbolic link; nothing need stand there.
  private static func target(of path: String) throws(Failure) -> String {
    var path = path
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = unsafe readlink(path.cString, &buffer, buffer.count)
      guard count >= 0 else { return path }
      let target = String(system: buffer[..<count].map { UInt8(bitPattern: $0) })
      path = target.hasPrefix("/") ? target : TemporaryFile.folder(of: path) + target
    }
    throw .file(name: path, errno: ELOOP)
  }
}

/// Folders of the file system.
package enum Folder {
  /// Makes the folder `path` and the folders around it, where they are missing.
  package static func make(_ path: String) throws(Failure) {
    guard !path.isEmpty else { throw .file(name: path, errno: ENOENT) }
    var made = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      made += part + "/"
      guard !part.isEmpty, unsafe mkdir(made.cString, 0o777) != 0 else {
        continue
      }
      // A folder that cannot be made may be there all the same.
      let reason = errno == EEXIST ? ENOTDIR : errno
      guard fileStatus(made)?.isFolder == true else { throw .file(name: path, errno: reason) }
    }
  }
}
