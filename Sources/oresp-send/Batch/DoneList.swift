import Core

/// The requests that an earlier run settled, read from the lines that it printed: results, or
/// events with the names of their requests. Its lock keeps other runs off the file while it lives.
final class DoneList {
  private(set) var names: Set<[UInt8]> = []
  /// The size of the file in bytes, and where its last whole line ends.
  private(set) var size = 0
  private(set) var wholeSize = 0
  private let lock: Descriptor?

  /// Reads the file at `path`, and reports lines that are not JSON. A missing file counts as empty;
  /// `locks` says to lock the file, and makes a missing one.
  init(_ path: String, locks: Bool, report: (Notice) -> Void) throws(Failure) {
    lock = locks ? try Self.lock(path, report) : nil
    guard fileStatus(path) != nil else { return }
    var input = LineInput(try Descriptor(reading: path))
    var broken: [Int] = []
    while !input.isAtEnd {
      try input.read()
      while let line = input.next() {
        let isSound = line.allSatisfy(ASCII.isSpace) || JSONScan.fault(in: line.span) == nil
        if isSound {
          note(line.span)
          wholeSize = input.offset
        } else {
          broken.append(input.number)
        }
      }
    }
    size = input.offset
    // `BatchOutput` reports the cut line at the end, if it removes it.
    if wholeSize < size { broken.removeLast() }
    guard let first = broken.first else { return }
    let others = broken.count > 1 ? " and \(broken.count - 1) more" : ""
    report(Notice(.warning, "\(path): line \(first)\(others): not JSON, skipped"))
  }

  /// Locks the file at `path`; `nil` for one that is not regular or cannot be locked.
  private static func lock(
    _ path: String, _ report: (Notice) -> Void
  ) throws(Failure) -> Descriptor? {
    guard fileStatus(path)?.isRegular != false else { return nil }
    let file = try Descriptor(locking: path)
    do throws(Failure) {
      try file.lock()
    } catch {
      guard case .file(_, EWOULDBLOCK) = error else {
        let why = "\(error.message ?? path): nothing keeps another run from this file"
        report(Notice(.warning, why))
        return nil
      }
      throw .other(
        "\(path): another run is using it; if the lock is your own, lock another file", .temporary)
    }
    return file
  }

  private func note(_ line: Span<UInt8>) {
    guard LineShape.isObject(line) else { return }
    if let name = JSONChildren.string(of: "custom_id", in: line) {
      if Self.isSettled(result: line) { names.insert(name) }
    } else if let name = JSONChildren.string(of: "oresp", "request", in: line),
      Self.isSettled(line, isEnd: true)
    {
      names.insert(name)
    }
  }

  /// Whether a result has an answer that a retry would not change.
  private static func isSettled(result line: Span<UInt8>) -> Bool {
    guard let status = JSONChildren.integer(of: "response", "status_code", in: line) else {
      return false
    }
    // The answer of another endpoint, such as /embeddings, is no response.
    guard let event = EventLine.wrapping(batch: line) else { return 200..<300 ~= status }
    return isSettled(event.span, isEnd: false)
  }

  /// Whether an event gives the outcome of a response, with `isEnd` only its end, and a retry would
  /// not change that: it is neither a temporary failure, nor an error about the key, the quota, the
  /// model or the URL.
  private static func isSettled(_ line: Span<UInt8>, isEnd: Bool) -> Bool {
    let event = Event(of: line)
    guard event.type != nil else { return false }
    if event.isError {
      let error = APIError(in: line)
      return error.status == .refusedForGood && !error.isQuota
        && ![401, 403, 404].contains(error.httpStatus)
    }
    var verdict = Verdict()
    let told = verdict.handle(event, line)
    return (verdict.hasEnd || !isEnd) && !told.contains { $0.status == .temporary }
  }
}
