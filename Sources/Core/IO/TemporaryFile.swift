import CProcess

/// A file that is removed with this value, or by a signal with which people, pipes or limits of the
/// system end the process, unless it is moved before.
final class TemporaryFile: Sendable {
  let path: String
  /// Its slot in the table of the files that a signal removes; `nil` when that was full.
  private let slot: Int32?

  /// Chooses a hidden name in the folder of `destination` that nobody can foresee. Makes no file.
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

/// The files and the line of the status that a signal removes before it ends the process.
///
/// The handler is C: Swift makes some values at their first use, and the signal may interrupt that.
enum SignalCleanup {
  /// Installed with the first path or line.
  private static let handlers: Void = cprocess_clean_up_at_signals()

  /// Adds the file at `path`. Returns its slot, or `nil` when all are in use.
  static func add(_ path: String) -> Int32? {
    _ = handlers
    let slot = unsafe cprocess_add_file(path.cString)
    return slot < 0 ? nil : slot
  }

  static func remove(_ slot: Int32) { cprocess_remove_file(slot) }

  /// Sets the terminal whose last line is to be removed; `nil` for none.
  static func setLine(on terminal: Int32?) {
    if terminal != nil { _ = handlers }
    cprocess_set_line(terminal ?? -1)
  }
}
