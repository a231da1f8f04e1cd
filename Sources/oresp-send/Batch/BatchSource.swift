import Core

/// Reads the requests of a batch from its files as they are needed.
///
/// The first byte of a file, without a byte order mark and white space, says what its lines are:
/// `{` begins requests in the Batch API's form, anything else but `[` prompts.
struct BatchSource: ~Copyable {
  /// The next thing in the files.
  enum Next {
    case line(BatchLine, number: Int)
    case broken(BrokenLine)
    /// A request that an earlier run settled, with the status of its results.
    case settled(ExitStatus)
    /// Nothing has come yet; the value is the descriptor to wait on.
    case wait(Int32)
    case end
  }

  private let path: String
  private let takesPrompts: Bool
  private let open: (String) throws(Failure) -> Descriptor
  private var names: ArraySlice<String>
  private let hasSeveral: Bool
  private var input: LineInput?
  private var isRegular = false
  /// Whether the lines of `input` are prompts; `nil` before its first line that is not blank.
  private var holdsPrompts: Bool?
  /// The requests that an earlier run settled, which holds for them unless their prompts changed.
  var done: [[UInt8]: DoneList.Settled] = [:]
  /// Reports the first prompt that has changed.
  var report: (Notice) -> Void = { _ in }
  private var hasToldChange = false
  private var seen: Set<[UInt8]> = []

  /// Reads `files`, or standard input when there are none, by `open`, for requests to the endpoint
  /// at `path`, with `takesPrompts` prompts, too. Refuses a file that cannot be read.
  init(
    _ files: [String], for path: String, takesPrompts: Bool = true,
    open: @escaping (String) throws(Failure) -> Descriptor
  ) throws(Failure) {
    self.path = path
    self.takesPrompts = takesPrompts
    self.open = open
    names = (files.isEmpty ? ["-"] : files)[...]
    hasSeveral = files.count > 1
    for name in names {
      let status = Descriptor.isStdin(name) ? try open(name).status : fileStatus(name)
      guard let status else {
        let failure = Failure.file(name: name, errno: errno)
        guard errno == ENOENT, let why = failure.message else { throw failure }
        throw .usage(why + "; --batch reads files, and -s TEXT goes with each line of them")
      }
      if status.isFolder { throw .file(name: name, errno: EISDIR) }
      if status.isRegular { _ = try open(name) }
    }
  }

  /// The name of the file with the line that came last; empty before the first one.
  private(set) var inputName = ""

  mutating func next() throws(Failure) -> Next {
    while true {
      if input == nil {
        guard let name = names.popFirst() else { return .end }
        let file = try open(name)
        inputName = file.name
        isRegular = file.status?.isRegular == true
        holdsPrompts = nil
        input = LineInput(file)
        continue
      }
      if var line = input?.next() {
        let number = input?.number ?? 0
        if number == 1, line.span.byteOrderMarkLength == 3 { line.removeFirst(3) }
        if line.allSatisfy(ASCII.isSpace) { continue }
        if holdsPrompts == nil, let why = noteForm(of: line) {
          input = nil
          return .broken(BrokenLine(number, nil, why, of: inputName))
        }
        do throws(Failure) {
          let request =
            holdsPrompts == true
            ? try BatchLine(prompt: line.span, number: number) : try BatchLine(line.span, for: path)
          if let known = done[request.customID] {
            guard let old = known.digest, let new = request.digest, old != new else {
              guard seen.insert(request.customID).inserted else { continue }
              return .settled(known.status)
            }
            tellChange(of: number)
          }
          guard seen.insert(request.customID).inserted else {
            throw .other("an earlier line has the same custom_id", .badInput)
          }
          return .line(request, number: number)
        } catch {
          let name =
            holdsPrompts == true
            ? BatchLine.name(ofPrompt: number) : BatchLine.name(in: line.span)
          return .broken(BrokenLine(number, name, error.message ?? "", of: inputName))
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

  /// Reports, once, that the prompt in line `number` is not the one that was answered.
  private mutating func tellChange(of number: Int) {
    guard !hasToldChange else { return }
    hasToldChange = true
    var notice = Notice(
      .warning,
      "line \(number): the prompt has changed since it was answered, and is sent again, like any"
        + " other that has")
    notice.input = inputName
    report(notice)
  }

  /// Notes whether a file that begins with `line` holds prompts. Returns why it is refused; `nil`
  /// where it is not.
  private mutating func noteForm(of line: [UInt8]) -> String? {
    let first = line.first { !ASCII.isSpace($0) }
    holdsPrompts = first != ASCII.openBrace
    guard holdsPrompts == true else { return nil }
    if first == ASCII.openBracket {
      return "expected one request a line, got an array; jq -c '.[]' makes lines of it"
    }
    guard takesPrompts else {
      return "expected a JSON object in each line; prompts do not go with --path"
    }
    if hasSeveral {
      return "prompts come from one file only, since their names are the numbers of its lines;"
        + " cat joins files"
    }
    if UTF8Repair.firstFault(in: line.span) != nil || line.contains(0) { return "not a text" }
    return nil
  }
}
