import CProcess

/// A file that is removed with this value unless it is moved before: also when one of the signals
/// ends the process by which people, pipes and limits of the system end it.
final class TemporaryFile: Sendable {
  let path: String
  /// Its place in the table of paths that a signal removes; `nil` when that was full.
  private let slot: Int?

  /// A hidden name that nobody can foresee, in the folder of `destination`; no file stands there yet.
  init(beside destination: String) {
    let letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    let name = String((0..<16).compactMap { _ in letters.randomElement() })
    path = Self.folder(of: destination) + ".oresp-" + name
    slot = SignalCleanup.add(path)
  }

  deinit {
    _ = unsafe unlink(path.cString)
    if let slot { SignalCleanup.remove(slot) }
  }

  /// Renames the file to `destination`, whatever stands there; false and `errno` when that fails.
  func move(to destination: String) -> Bool {
    unsafe rename(path.cString, destination.cString) == 0
  }

  /// Renames the file to `destination` if nothing stands there; false and `errno` otherwise.
  func moveToFree(_ destination: String) -> Bool {
    if unsafe link(path.cString, destination.cString) == 0 { return true }
    guard errno != EEXIST, errno != ENOENT else { return false }
    // Without hard links the name is taken first; nobody else can take it then.
    let number = openFile(destination, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    guard number >= 0 else { return false }
    close(number)
    if move(to: destination) { return true }
    let reason = errno
    _ = unsafe unlink(destination.cString)
    errno = reason
    return false
  }

  /// The folder that `path` stands in, with its slash; empty for the current one.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return String(path[...slash])
  }
}

/// What a signal which ends the process takes away first: files, and the line of the status.
///
/// The table of files has a fixed size and its slots are written whole, so that the handler, which may
/// interrupt anything, only reads pointers, calls `unlink` and `write`, and ends the process by the signal's own
/// action: its status is the one the signal gives.
enum SignalCleanup {
  private static let size = 64
  nonisolated(unsafe) private static let paths: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> =
    {
      let paths = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: size)
      unsafe paths.initialize(repeating: nil, count: size)
      return unsafe paths
    }()
  /// The terminal that has the line; -1 when there is none.
  nonisolated(unsafe) private static var screen: Int32 = -1
  /// Made when the first path or line comes, and the handlers with it.
  private static let lock: Lock = {
    // All that a handler uses is made before there is one: a signal may interrupt what makes it, and
    // would wait for that forever.
    removeFiles()
    unsafe screen = -1
    _ = wiping
    for signal in [SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ] {
      install(signal)
    }
    cprocess_before_lack { SignalCleanup.removeFiles() }
    return Lock()
  }()

  /// Puts `path` into the table; gives its slot, or `nil` when all are taken.
  static func add(_ path: String) -> Int? {
    lock.hold {
      for slot in 0..<size where unsafe paths[slot] == nil {
        unsafe paths[slot] = strdup(path.cString)
        return slot
      }
      return nil
    }
  }

  static func remove(_ slot: Int) {
    lock.hold {
      let path = unsafe paths[slot]
      unsafe paths[slot] = nil
      unsafe free(path)
    }
  }

  /// Takes the files away; allocates nothing.
  private static func removeFiles() {
    for slot in 0..<size {
      if let path = unsafe paths[slot] { _ = unsafe unlink(path) }
    }
  }

  /// Notes that `terminal` has a line on it that is to be taken away; `nil` when none has.
  static func setLine(on terminal: Int32?) {
    guard unsafe terminal != nil || screen >= 0 else { return }
    lock.hold { unsafe screen = terminal ?? -1 }
  }

  /// Takes the line away.
  static let wiping: StaticString = "\r\u{1B}[K"

  /// Has `number` take all that away, unless it is ignored.
  private static func install(_ number: Int32) {
    let before = signal(number) { number in
      SignalCleanup.removeFiles()
      if unsafe SignalCleanup.screen >= 0 {
        let bytes = SignalCleanup.wiping
        _ = unsafe write(SignalCleanup.screen, bytes.utf8Start, bytes.utf8CodeUnitCount)
      }
      signal(number, SIG_DFL)
      raise(number)
    }
    // SIG_IGN is no function but the number 1. The runtime of Swift may handle SIGQUIT.
    if let before, unsafe unsafeBitCast(before, to: Int.self) == 1 { signal(number, before) }
  }
}

/// Lets one thread at a time do something.
@safe package final class Lock: @unchecked Sendable {
  private let raw: UnsafeMutablePointer<pthread_mutex_t>

  package init() {
    unsafe raw = .allocate(capacity: 1)
    unsafe pthread_mutex_init(raw, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(raw)
    unsafe raw.deallocate()
  }

  /// Takes the lock for good: whoever else wants it waits until the process ends.
  package func seize() { unsafe pthread_mutex_lock(raw) }

  package func hold<Result, Failed: Error>(
    _ work: () throws(Failed) -> Result
  ) throws(Failed) -> Result {
    unsafe pthread_mutex_lock(raw)
    defer { unsafe pthread_mutex_unlock(raw) }
    return try work()
  }
}
