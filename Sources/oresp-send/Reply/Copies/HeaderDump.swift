import Core

/// Writes the headers of every answer to a file, as they come.
final class HeaderDump: TransferWatcher {
  private let file: Descriptor
  private let tell: (Notice) -> Void
  /// Whether the file took not all.
  private(set) var isBroken = false

  init(_ path: String, tell: @escaping (Notice) -> Void) throws(Failure) {
    file = try Descriptor(writing: path)
    self.tell = tell
  }

  func received(header line: Span<UInt8>) {
    guard !isBroken else { return }
    do throws(Failure) {
      try file.write(line)
    } catch {
      isBroken = true
      if let notice = error.notice { tell(notice) }
    }
  }
}
