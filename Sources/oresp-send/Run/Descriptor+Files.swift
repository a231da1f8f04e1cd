import Core

/// Files that are written by one run after another, and standard input that nobody asked for.
extension Descriptor {
  /// Opens the file at `path` to lock it, and makes it if it is not there. A file that may only be
  /// read can be locked, too.
  init(locking path: String) throws(Failure) {
    do throws(Failure) {
      try self.init(writing: path, appends: true)
    } catch {
      guard case .file(_, EACCES) = error else { throw error }
      try self.init(reading: path)
    }
  }

  /// Locks the file behind it (flock) until it is closed, without a wait for whoever has locked it.
  func lock() throws(Failure) {
    while flock(number, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EINTR else { throw .file(name: name, errno: errno) }
    }
  }

  /// Cuts a file to its first `size` bytes; false when it is none that may be written to.
  func cut(to size: Int) -> Bool { ftruncate(number, off_t(size)) == 0 }

  /// The last byte of a file; `nil` when it has none, or cannot be read.
  var lastByte: UInt8? {
    var byte: UInt8 = 0
    let end = lseek(number, 0, SEEK_END)
    guard end > 0 else { return nil }
    return unsafe pread(number, &byte, 1, end - 1) == 1 ? byte : nil
  }

  /// Whether it has bytes that nobody has read: a pipe or a socket, where they may come until
  /// `time`, or a file that is at its beginning. None of them is read.
  func hasUnreadBytes(until time: Int) -> Bool {
    var byte: UInt8 = 0
    switch (status?.st_mode ?? 0) & S_IFMT {
    case S_IFREG:
      guard lseek(number, 0, SEEK_CUR) == 0 else { return false }
      return unsafe pread(number, &byte, 1, 0) == 1
    case S_IFIFO: return events(POLLIN, until: time) & POLLIN != 0
    case S_IFSOCK:
      guard events(POLLIN, until: time) != 0 else { return false }
      return unsafe recv(number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 1
    default: return false
    }
  }
}
