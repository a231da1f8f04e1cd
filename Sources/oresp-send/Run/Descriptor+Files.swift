import Core

/// Calls on files that several runs write to, and on standard input that nothing reads.
extension Descriptor {
  /// Opens the file at `path` for a lock, and makes it if it does not exist; opens it for reading
  /// where it may not be written to.
  init(locking path: String) throws(Failure) {
    do throws(Failure) {
      try self.init(writing: path, appends: true)
    } catch {
      guard case .file(_, EACCES) = error else { throw error }
      try self.init(reading: path)
    }
  }

  /// Locks the file (flock) until it is closed; throws at once when another process has locked it.
  func lock() throws(Failure) {
    while flock(number, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EINTR else { throw .file(name: name, errno: errno) }
    }
  }

  /// Cuts the file to its first `size` bytes. Returns false when it is no file or not writable.
  func cut(to size: Int) -> Bool { ftruncate(number, off_t(size)) == 0 }

  /// The last byte of the file; `nil` when it is empty or cannot be read.
  var lastByte: UInt8? {
    var byte: UInt8 = 0
    let end = lseek(number, 0, SEEK_END)
    guard end > 0 else { return nil }
    return unsafe pread(number, &byte, 1, end - 1) == 1 ? byte : nil
  }

  /// Whether bytes wait to be read in a pipe or a socket, where they may come until `time`. Reads
  /// none of them.
  func hasUnreadBytes(until time: Int) -> Bool {
    var byte: UInt8 = 0
    switch (status?.st_mode ?? 0) & S_IFMT {
    case S_IFIFO: return events(POLLIN, until: time) & POLLIN != 0
    case S_IFSOCK:
      guard events(POLLIN, until: time) != 0 else { return false }
      return unsafe recv(number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 1
    default: return false
    }
  }
}
