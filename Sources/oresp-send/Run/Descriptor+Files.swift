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

  /// Refuses standard input, which nothing reads, if it has bytes, or is open for more than a second
  /// and brings none: cron and parallel(1) close theirs a moment after the start.
  func refuseUnread() throws(Failure) {
    guard isUnread(by: Clock.steadyMilliseconds() + 1000) else { return }
    throw .usage(
      "standard input would be lost: - sends it, </dev/null or ORESP_NO_STDIN=1 leaves it out")
  }

  /// Whether there are bytes in it that nobody has read, or no end that shows by `time` that there
  /// are none. A regular file into which somebody has read is his, as in `while read … done <FILE`.
  func isUnread(by time: Int) -> Bool {
    guard let status else { return false }
    var byte: UInt8 = 0
    switch status.st_mode & S_IFMT {
    case S_IFREG: return status.st_size > 0 && lseek(number, 0, SEEK_CUR) == 0
    case S_IFIFO:
      let events = events(POLLIN, until: time)
      return events == 0 || events & POLLIN != 0
    case S_IFSOCK:
      guard events(POLLIN, until: time) != 0 else { return true }
      return unsafe recv(number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 1
    default: return false
    }
  }
}
