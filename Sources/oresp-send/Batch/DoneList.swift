import Core

/// The requests that an earlier run settled, read from the lines that it printed: results, or
/// events with the names of their requests. Its lock keeps other runs off the file while it lives.
final class DoneList {
  /// What is known of a request by its results.
  struct Settled {
    /// The worst status of the results.
    var status: ExitStatus
    /// The digest of the prompt that they answer; `nil` where they do not say it.
    let digest: String?
  }

  let path: String
  /// The requests by their names. Of a prompt that changed, the results behind the change count.
  private(set) var settled: [[UInt8]: Settled] = [:]
  /// The size of the file in bytes, and without the start of a line at its end that was cut.
  private(set) var size = 0
  private(set) var wholeSize = 0
  /// Whether the run may change the file.
  let mayChange: Bool
  private let lock: Descriptor?

  /// Reads the file at `path`, and reports lines that are not JSON. Refuses a file of another kind:
  /// it has lines, and none names a request. A missing file counts as empty; with `mayChange` the
  /// file is locked, and made if it is missing.
  init(_ path: String, mayChange: Bool, report: (Notice) -> Void) throws(Failure) {
    self.path = path
    self.mayChange = mayChange
    lock = mayChange ? try Self.lock(path, report) : nil
    guard fileStatus(path) != nil else { return }
    var input = LineInput(try Descriptor(reading: path))
    var broken: [Int] = []
    var hasNames = false
    var lines = 0
    var cut = 0
    while !input.isAtEnd {
      try input.read()
      while let line = input.next() {
        if line.allSatisfy(ASCII.isSpace) { continue }
        let isSound = JSONScan.fault(in: line.span) == nil
        // A run that was killed wrote a part of its last line.
        if !isSound, !input.hasLineEnd, line.first == ASCII.openBrace {
          cut = line.count
          continue
        }
        lines += 1
        if !isSound { broken.append(input.number) } else if note(line.span) { hasNames = true }
      }
    }
    size = input.offset
    wholeSize = size - cut
    guard lines == 0 || hasNames else {
      throw .usage("--done: \(path) is not the output of a batch: no line of it has a custom_id")
    }
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

  /// Notes the request of `line`, if it is settled. Returns whether the line names a request.
  private func note(_ line: Span<UInt8>) -> Bool {
    guard LineShape.isObject(line) else { return false }
    let name: [UInt8]
    let status: ExitStatus?
    var digest: String?
    if let id = JSONChildren.string(of: "custom_id", in: line) {
      name = id
      status = Self.status(ofResult: line)
      digest = Self.digest(inID: JSONChildren.text(of: "id", in: line))
    } else if JSONChildren.value(of: "custom_id", in: line) != nil {
      // A line of the batch that had no name: {"custom_id":null,"error":{"code":"invalid_line",…}}
      return true
    } else if let tag = JSONChildren.string(of: "oresp", "request", in: line) {
      name = tag
      status = Self.status(line)
    } else {
      return false
    }
    guard let status else { return true }
    var known = Settled(status: status, digest: digest)
    if let former = settled[name], former.digest == digest {
      known.status = max(status, former.status)
    }
    settled[name] = known
    return true
  }

  /// The digest of a prompt in the id of its result, `batch_req_1_5f3a9c01`; `nil` for none.
  private static func digest(inID id: String) -> String? {
    let parts = id.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 4, parts.starts(with: ["batch", "req"]), parts[3].utf8.count == 8 else {
      return nil
    }
    return String(parts[3])
  }

  /// The status of a result whose answer a retry would not change; `nil` for any other.
  private static func status(ofResult line: Span<UInt8>) -> ExitStatus? {
    guard let status = JSONChildren.integer(of: "response", "status_code", in: line) else {
      return nil
    }
    if let event = EventLine.wrapping(batch: line), Event(of: event.span).type != nil {
      return Self.status(event.span)
    }
    guard 200..<300 ~= status else { return nil }
    guard let place = JSONChildren.value(of: "response", "body", in: line) else {
      return .completed
    }
    // The answer of another endpoint, such as /embeddings, has no status of its own.
    let body = line.extracting(place)
    return ChatTranslator.isAnswer(body) ? Self.status(ofEvents: body) : .completed
  }

  /// The status of the response that an event ends, if that settles the request; `nil` else.
  private static func status(_ line: Span<UInt8>) -> ExitStatus? {
    let event = Event(of: line)
    guard !event.isError else {
      let error = APIError(in: line)
      return RetryPolicy.isSettled(error.status, by: error) ? error.status : nil
    }
    return event.type?.family == .lifecycle ? status(ofEvents: line) : nil
  }

  /// The same of the events in `text`.
  private static func status(ofEvents text: Span<UInt8>) -> ExitStatus? {
    var feed = EventFeed(sorting: .judging)
    var input = InputBuffer()
    var output = Output()
    input.append(text)
    feed.each(in: &input, isEnd: true, into: &output) { _, _, _ in }
    let hasEnd = feed.judge.hasEnd
    feed.finish(into: &output)
    let worst = output.notices.compactMap(\.status).max() ?? .completed
    return hasEnd && RetryPolicy.isSettled(worst) ? worst : nil
  }
}
