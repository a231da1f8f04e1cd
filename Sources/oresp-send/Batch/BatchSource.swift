import Core

/// Reads the requests of a batch from its files as they are needed.
struct BatchSource: ~Copyable {
  /// The next thing in the files.
  enum Next {
    case line(BatchLine, number: Int)
    /// A line that is no request: an error with its place.
    case broken(Notice)
    /// Nothing has come yet; the value is the descriptor to wait on.
    case wait(Int32)
    case end
  }

  private let path: String
  private let open: (String) throws(Failure) -> Descriptor
  private var names: ArraySlice<String>
  private let hasSeveral: Bool
  private var input: LineInput?
  private var isRegular = false
  /// The requests that an earlier run settled, each with the status of its result. They are left
  /// out.
  var done: [[UInt8]: ExitStatus] = [:]
  private var seen: Set<[UInt8]> = []
  /// The count of requests that were left out, since an earlier run settled them.
  private(set) var skipped = 0
  /// The worst status of their results.
  private(set) var skippedStatus = ExitStatus.completed

  /// Reads `files`, or standard input when there are none, by `open`, for requests to the endpoint
  /// at `path`. Refuses a file that cannot be read.
  init(
    _ files: [String], for path: String,
    open: @escaping (String) throws(Failure) -> Descriptor
  ) throws(Failure) {
    self.path = path
    self.open = open
    names = (files.isEmpty ? ["-"] : files)[...]
    hasSeveral = files.count > 1
    for name in names {
      let status = Descriptor.isStdin(name) ? try open(name).status : fileStatus(name)
      guard let status else { throw .file(name: name, errno: errno) }
      if status.isFolder { throw .file(name: name, errno: EISDIR) }
      if status.isRegular { _ = try open(name) }
    }
  }

  /// Reads on without a wait, a million lines at most. Returns the count of lines that are left,
  /// and whether these are all.
  mutating func rest() throws(Failure) -> (count: Int, isAll: Bool) {
    var count = 0
    while count < 1_000_000 {
      switch try next() {
      case .line, .broken: count += 1
      case .wait: return (count, false)
      case .end: return (count, true)
      }
    }
    return (count, false)
  }

  mutating func next() throws(Failure) -> Next {
    while true {
      if input == nil {
        guard let name = names.popFirst() else { return .end }
        let file = try open(name)
        isRegular = file.status?.isRegular == true
        input = LineInput(file)
        continue
      }
      if let line = input?.next() {
        let number = input?.number ?? 0
        if line.allSatisfy(ASCII.isSpace) { continue }
        do throws(Failure) {
          let request = try BatchLine(line.span, for: path)
          if let status = done[request.customID] {
            skipped += seen.insert(request.customID).inserted ? 1 : 0
            skippedStatus = max(skippedStatus, status)
            continue
          }
          guard seen.insert(request.customID).inserted else {
            throw .other("an earlier line has the same custom_id", .badInput)
          }
          return .line(request, number: number)
        } catch {
          var notice = Notice(.error, error.message ?? "", status: .badInput)
          notice.message = "line \(number): " + notice.message
          if hasSeveral { notice.input = input?.file.name }
          return .broken(notice)
        }
      }
      if input?.isAtEnd == true {
        input = nil
      } else if let number = input?.file.number, !isRegular, input?.isReady == false {
        return .wait(number)
      } else {
        try input?.read()
      }
    }
  }
}
