/// A file descriptor and the name that people know it by. Calls that a signal interrupted are made
/// again, but for a signal that is to end the work (`EndSignals`); a descriptor that is set not to
/// block is waited for.
package struct Descriptor: ~Copyable {
  package let number: Int32
  package let name: String
  private var closesAtEnd: Bool

  /// A descriptor that is open already and stays so.
  package init(borrowing number: Int32, name: String) {
    (self.number, self.name, closesAtEnd) = (number, name, false)
  }

  /// A descriptor that is open already and is closed with this value.
  package init(owning number: Int32, name: String) {
    (self.number, self.name, closesAtEnd) = (number, name, true)
  }

  /// Opens the file at `path` for reading.
  package init(reading path: String) throws(Failure) { try self.init(path, O_RDONLY) }

  /// The same for polling: a FIFO opens before somebody writes to it.
  package init(polling path: String) throws(Failure) { try self.init(path, O_RDONLY | O_NONBLOCK) }

  /// Opens the file at `path` for writing and makes it if it is not there. With `appends` each
  /// write goes to its end, whoever else writes; without, its former bytes go.
  package init(writing path: String, appends: Bool = false) throws(Failure) {
    try self.init(path, O_WRONLY | O_CREAT | (appends ? O_APPEND : O_TRUNC))
  }

  /// The same descriptor, which is not closed with its value.
  var borrowed: Descriptor { Descriptor(borrowing: number, name: name) }

  private init(_ path: String, _ flags: Int32) throws(Failure) {
    let opened = openFile(path, flags)
    guard opened >= 0 else { throw .file(name: path, errno: errno) }
    (number, name, closesAtEnd) = (opened, path, true)
  }

  deinit {
    if closesAtEnd { _ = closeFile(number) }
  }

  /// Whether `name` stands for standard input on a command line. Here `/dev/stdin` is not opened
  /// anew: a file would be read from its start again, and a socket cannot be opened.
  package static func isStdin(_ name: String) -> Bool {
    ["-", "@-", "/dev/stdin", "/dev/fd/0"].contains(name)
  }

  /// Refuses standard input, if `name` stands for it, when all that it has, `bytes`, is white space.
  package static func refuseNothing(_ bytes: [UInt8], from name: String) throws(Failure) {
    guard isStdin(name), bytes.allSatisfy(ASCII.isSpace) else { return }
    throw .usage("nothing to send: stdin is empty")
  }

  /// Whether a terminal is behind it.
  package var isTerminal: Bool { isatty(number) == 1 }

  /// Whether the other end of the pipe or socket is closed, so that nobody reads it any more.
  package var hasNoReader: Bool {
    var state = pollfd(fd: number, events: 0, revents: 0)
    guard unsafe poll(&state, 1, 0) > 0 else { return false }
    return Int32(state.revents) & Int32(POLLERR | POLLHUP) != 0
  }

  /// Whether another program reads from it, if any does: it is a pipe or a socket.
  package var leadsToProgram: Bool {
    status.map { [S_IFIFO, S_IFSOCK].contains($0.st_mode & S_IFMT) } == true
  }

  /// Whether each write goes to the end of the file.
  package var appends: Bool { fcntl(number, F_GETFL) & O_APPEND != 0 }

  /// The columns of the terminal behind it; `nil` when that is not known.
  package var columns: Int? {
    var size = winsize()
    let status = unsafe ioctl(number, UInt(TIOCGWINSZ), &size)
    return status == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  /// The system's facts about the file, pipe or device behind it; `nil` when it has none.
  package var status: stat? {
    var status = stat()
    return unsafe fstat(number, &status) == 0 ? status : nil
  }

  /// Waits for input until `time` (`Clock.steadyMilliseconds`); true when none has come. The end of
  /// the input counts as input.
  package func isIdle(until time: Int) -> Bool { events(POLLIN, until: time) == 0 }

  /// Waits until one of `numbers` has input, or its end, at most until `time`. Returns the indices
  /// of all that have. A FIFO that nobody has written to yet has no end.
  package static func ready(_ numbers: [Int32], by time: Int?) -> [Int] {
    let events = events(POLLIN, on: numbers, until: time)
    return events.indices.filter { events[$0] != 0 }
  }

  /// Waits until `time` for the events `expected`, or for an end or a fault. Returns the events
  /// that came; 0 for none.
  package func events(_ expected: Int32, until time: Int?) -> Int32 {
    Self.events(expected, on: [number], until: time).first ?? 0
  }

  private static func events(
    _ expected: Int32, on numbers: [Int32], until time: Int?
  ) -> [Int32] {
    var states = numbers.map { pollfd(fd: $0, events: Int16(expected), revents: 0) }
    while true {
      let rest = time.map { max(0, $0 - Clock.steadyMilliseconds()) } ?? -1
      let count = unsafe poll(&states, nfds_t(states.count), Int32(clamping: rest))
      if count >= 0 || errno != EINTR || EndSignals.hasCome {
        return states.map { Int32($0.revents) }
      }
    }
  }

  /// Reads the next bytes into the room of `input`, waiting for them if need be. Returns their
  /// number; 0 at the end.
  package func read(into input: inout InputBuffer) throws(Failure) -> Int {
    try input.fill { (storage: inout MutableSpan<UInt8>, start: Int) throws(Failure) -> Int in
      while true {
        let count = unsafe storage.withUnsafeMutableBytes { bytes in
          guard let base = bytes.baseAddress else { return 0 }
          return unsafe readFile(number, base + start, bytes.count - start)
        }
        if count >= 0 { return count }
        try recover(waitingFor: POLLIN)
      }
    }
  }

  /// Reads up to the end, or to the first read that brings it above `limit` bytes.
  package func readAll(limit: Int = .max) throws(Failure) -> [UInt8] {
    var input = InputBuffer()
    while input.count <= limit, try read(into: &input) > 0 {}
    return input.takeAll()
  }

  /// Writes all of `bytes`, by `limit`, if there is one.
  package func write(_ bytes: Span<UInt8>, by limit: WriteLimit? = nil) throws(Failure) {
    if bytes.count > Self.usualPipeSize { widenPipe() }
    var start = 0
    while start < bytes.count {
      var size = bytes.count - start
      if let limit {
        // A descriptor that can be written to accepts so much without a wait (POSIX, write).
        guard events(POLLOUT, until: limit.time) != 0 else {
          try EndSignals.check()
          throw limit.failure(name)
        }
        size = min(size, Int(PIPE_BUF))
      }
      let count = unsafe bytes.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return 0 }
        return unsafe writeFile(number, base + start, size)
      }
      if count >= 0 { start += count } else { try recover(waitingFor: POLLOUT) }
      // A signal also ends a wait of which a part was written. In a file each line is whole.
      if start < bytes.count, EndSignals.hasCome, status?.isRegular != true {
        try EndSignals.check()
      }
    }
  }

  /// The bytes that a new pipe holds.
  private static let usualPipeSize = 64 << 10

  /// Gives a pipe room for as much as a reader reads at once, so that a writer of much waits less
  /// often: a third less time for a file through a pipe. Anything but a pipe refuses.
  private func widenPipe() {
    #if os(Linux)
      // F_SETPIPE_SZ and F_GETPIPE_SZ, which not every C library's headers show.
      let (set, get) = (Int32(1031), Int32(1032))
      let size = fcntl(number, get)
      if size > 0, size < InputBuffer.readSize {
        _ = fcntl(number, set, Int32(InputBuffer.readSize))
      }
    #endif
  }

  /// Closes the descriptor: some file systems report only then that a write failed. A borrowed one
  /// stays open; a copy of it is closed, which reports as much, unless no copy can be made.
  package mutating func close() throws(Failure) {
    let closed = closesAtEnd ? number : dup(number)
    closesAtEnd = false
    if closed < 0, errno == EMFILE { return }
    // Linux closes even when EINTR comes back; closing again could hit somebody else's.
    guard closeFile(closed) == 0 || errno == EINTR else {
      throw .file(name: name, errno: errno)
    }
  }

  /// Returns when a call that failed should be made again.
  private func recover(waitingFor expected: Int32) throws(Failure) {
    switch errno {
    case EINTR: if expected == POLLIN { try EndSignals.check() }
    case EAGAIN, EWOULDBLOCK:
      _ = events(expected, until: nil)
      if expected == POLLIN { try EndSignals.check() }
    case EPIPE: throw .closedOutput
    default: throw .file(name: name, errno: errno)
    }
  }
}

/// The time by which all must be written, and the failure if nobody reads by then.
package struct WriteLimit: Sendable {
  /// The moment (`Clock.steadyMilliseconds`).
  let time: Int
  private let why: String
  private let status: ExitStatus

  package init(_ time: Int, _ why: String, _ status: ExitStatus) {
    (self.time, self.why, self.status) = (time, why, status)
  }

  func failure(_ name: String) -> Failure { .other("\(name): \(why)", status) }
}

/// Opens the file at `path`; -1 and `errno` when that fails.
func openFile(_ path: String, _ flags: Int32, mode: mode_t = 0o666) -> Int32 {
  while true {
    let number = unsafe open(path.cString, flags | O_CLOEXEC, mode)
    if number >= 0 || errno != EINTR { return number }
  }
}

/// The system's facts about the file at `path`, or the link that stands there; `nil` when there is
/// none.
package func fileStatus(_ path: String, ofLink isOfLink: Bool = false) -> stat? {
  var status = stat()
  let code = unsafe isOfLink ? lstat(path.cString, &status) : stat(path.cString, &status)
  return code == 0 ? status : nil
}

extension stat {
  package var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
  package var isPipe: Bool { st_mode & S_IFMT == S_IFIFO }
  package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }

  /// Whether both are of the same regular file.
  package func isSame(as other: stat?) -> Bool {
    isRegular && st_ino == other?.st_ino && st_dev == other?.st_dev
  }
}

// `read`, `write` and `close` by other names, for the methods hide them.
private func readFile(_ number: Int32, _ base: UnsafeMutableRawPointer, _ count: Int) -> Int {
  unsafe read(number, base, count)
}

private func writeFile(_ number: Int32, _ base: UnsafeRawPointer, _ count: Int) -> Int {
  unsafe write(number, base, count)
}

@discardableResult
func closeFile(_ number: Int32) -> Int32 { close(number) }
