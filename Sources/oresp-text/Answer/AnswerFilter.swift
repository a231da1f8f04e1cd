package import Core

/// Prints the texts of each response, each character once, as early as it is known, and the paths
/// of its files.
///
/// Each answer prints into bytes of its own. Of answers that are open at once one is in front: its
/// bytes go out as they come. Those of another one go out when it comes to the front, or has ended:
///
///     one comes to the front when it begins, or when the one in front ends
///     the front is lost when another begins in the same tag and stream, or when one of another tag
///     has begun and ended while the front was silent; what comes of it later waits until its end
///
/// So of these events the text is `a1`, a line end, and `b1`:
///
///     created of a, `a`     a is in front: `a` goes out
///     created of b, `b1`    b waits, as it has another tag
///     `1` of a              goes out
///     completed of b        b is over, and waits on: a spoke since b began
///     completed of a        a line end goes out, and then b
package struct AnswerFilter: EventFilter, ~Copyable {
  /// The kinds of text for each stream, and their style.
  package struct Settings: Sendable {
    /// The kinds for standard output.
    package var kinds: TextKinds = .answer
    /// The kinds for standard error.
    package var asideKinds: TextKinds = []
    package var style = TextStyle()

    package init() {}

    var allKinds: TextKinds { kinds.union(asideKinds) }
    var readsCitations: Bool { style.citations != .none || style.listsSources }
  }

  package let needsItems = true

  /// The most responses that have ended and wait, and the most bytes of text that wait.
  private static var mostOver: Int { 1024 }
  private static var mostWaiting: Int { 64 << 20 }

  private let settings: Settings
  private var style: TextStyle { settings.style }
  /// Whether each text must be whole (`TextStyle.isWhole`).
  private let isWhole: Bool
  /// The courses of all types, by their places in the catalogue.
  private let courses: [Answer.Course]
  private let tally = Tally()
  private var page: Page
  private var files: ProducedFiles?
  /// The answers of the open responses, by their slots.
  private var answers: [Answer?] = []
  /// The response in front.
  private var front: Response?
  /// The responses that wait for the front, in the order in which they began: those that lost their turn
  /// are not among them. A search among all that are open would cost each beginning their number.
  private var waiting: [Response] = []
  /// The answers that have ended, and wait for the front.
  private var over: [Answer] = []
  /// The answer that has the last message so far, and has ended; only where the last is printed.
  private var last: Answer?
  /// The number of the response that began last, and of the one that had begun last when an event of a
  /// text in front came.
  private var begun = 0
  private var spoke = 0
  /// The number of bytes of text that wait, or more: since they were counted, all bytes of the lines
  /// of answers that wait.
  private var held = 0
  /// The report of a response without text, where the end may say the same.
  private var silence: Notice?
  /// Whether a response ended badly, whether one did not, and whether one had what the stages look
  /// for.
  private var hasFailed = false
  private var hasCompleted = false
  private var hasFound = false
  /// Whether it was reported that so much text waited that the longest was printed.
  private var hasReportedBound = false

  package init(
    _ settings: Settings = Settings(), writing files: consuming ProducedFiles? = nil
  ) {
    self.settings = settings
    isWhole = settings.style.isWhole
    courses = EventType.all.map { type in
      switch (type.family, type.phase) {
      case (.lifecycle, _), (.error, _): .step
      case (.webSearchCall, _): settings.style.listsSources ? .search : .none
      case (.outputItem, .start), (.outputItem, .done), (.contentPart, .done): .item
      case (.outputText, .annotation): settings.readsCitations ? .text : .none
      case (let family, _) where family.standsAlone: .text
      case (_, .delta), (_, .done):
        type.values.contains { settings.allKinds.contains($0.name.kind) } ? .text : .none
      default: .none
      }
    }
    page = Page(settings.style)
    self.files = files
  }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    if event.goesOn, event.response?.number == page.owner, let slot = event.response?.slot,
      slot < answers.count,
      answers[slot]?.goOn(with: event, line, straightInto: &output.bytes) == true
    {
      spoke = begun
      return
    }
    if case .again = event.step { return }
    guard let response = event.response else { return }
    let slot = response.slot
    page.place = event.place
    if response.number > begun, !event.isLogged(line) { begin(response, event, into: &output) }
    guard isOpen(response) else { return }
    guard let type = event.type, case let course = courses[type.index],
      course != .none || files != nil
    else {
      answers[slot]?.forgetLast()
      return
    }
    if !event.goesOn || answers[slot]?.goOn(with: event, line) != true {
      answers[slot]?.handle(event, type, course, line)
    }
    if files != nil, var answer = answers[slot].take() {
      files?.handle(event, line, answer.files, into: &output)
      printFiles(of: &answer, into: &output)
      answers[slot] = answer
    }
    let isInFront = response === front
    if isInFront {
      if course == .text { spoke = begun }
      if answers[slot]?.printInFront(on: &page, into: &output) == true {
        leaveFront(into: &output)
        next(into: &output)
      }
    }
    if !isInFront || isWhole {
      held += line.count
      if held > Self.mostWaiting { releaseLongest(into: &output) }
    }
  }

  package mutating func close(_ response: Response, into output: inout Output) {
    if response.outcome == nil { hasCompleted = true } else { hasFailed = true }
    guard isOpen(response), var answer = answers[response.slot].take() else { return }
    tally.answers -= 1
    waiting.removeAll { $0 === response }
    answer.end()
    files?.close(answer.files, into: &output)
    printFiles(of: &answer, into: &output)
    if style.messages != .last { hasFound = hasFound || answer[0].hasFound }
    reportSilence(of: &answer)
    if response === front {
      front = nil
    } else if let front {
      let isPatient = !answer.hasLostTurn && spoke >= response.number
      if isPatient || answers[front.slot]?[0].isInsideWhole == true, over.count < Self.mostOver {
        over.append(answer)
        return releaseWhole(into: &output)
      }
      if !answer.hasLostTurn { leaveFront(into: &output) }
    }
    printEnded(&answer, into: &output)
    if front == nil { next(into: &output) } else { releaseWhole(into: &output) }
  }

  package mutating func finish(into output: inout Output) {
    if var answer = last.take() {
      hasFound = answer[0].hasFound
      answer[0].releaseHeld()
      printFiles(of: &answer, into: &output)
      answer.print(on: &page, into: &output)
    }
    reportMissing(into: &output)
  }

  // The front.

  /// Begins `response`, of which `event` is the first: in front, if no other is.
  private mutating func begin(
    _ response: Response, _ event: borrowing Event, into output: inout Output
  ) {
    for other in waiting where other.lane == response.lane {
      answers[other.slot]?.hasLostTurn = true
    }
    waiting.removeAll { $0.lane == response.lane }
    if let front, front.lane == response.lane {
      answers[front.slot]?.hasLostTurn = true
      if answers[front.slot]?[0].isInsideWhole != true { leaveFront(into: &output) }
    }
    tally.answers += 1
    while answers.count <= response.slot { answers.append(nil) }
    answers[response.slot] = Answer(
      settings, tally, of: response, in: output.inputName, isRest: !event.isBeginning)
    waiting.append(response)
    begun = response.number
    if front == nil { next(into: &output) }
  }

  /// Makes what comes of the response in front wait until its end.
  private mutating func leaveFront(into output: inout Output) {
    partFront(into: &output)
    if let front { answers[front.slot]?.hasLostTurn = true }
    front = nil
  }

  /// Ends the line of the text in front: what comes next stands on lines of its own.
  private mutating func partFront(into output: inout Output) {
    if let front { answers[front.slot]?.part(on: &page, into: &output) }
  }

  /// Prints the answers that have ended, and then puts the next one in front.
  private mutating func next(into output: inout Output) {
    var ended = over
    over = []
    for index in ended.indices { printEnded(&ended[index], into: &output) }
    guard !waiting.isEmpty else { return }
    let first = waiting.removeFirst()
    front = first
    spoke = begun
    answers[first.slot]?.comeToFront()
    answers[first.slot]?.print(on: &page, into: &output)
    releaseWhole(into: &output)
  }

  /// Lets a text in front go out that waits for its end, as no other answer is open.
  private mutating func releaseWhole(into output: inout Output) {
    guard isWhole, tally.answers == 1, let front else { return }
    answers[front.slot]?[0].releaseWhole()
    answers[front.slot]?.print(on: &page, into: &output)
  }

  /// Prints the longest text that waits on lines of its own, reported once, if all that waits is too
  /// much.
  private mutating func releaseLongest(into output: inout Output) {
    let open = answers.map { $0?.waitingCount ?? 0 }
    let ended = over.map(\.waitingCount)
    held = open.reduce(0, +) + ended.reduce(0, +)
    guard held > Self.mostWaiting, let longest = (open + ended).max() else { return }
    held -= longest
    if let index = ended.firstIndex(of: longest) {
      var answer = over.remove(at: index)
      return printEnded(&answer, into: &output)
    }
    guard let slot = open.firstIndex(of: longest), var answer = answers[slot].take() else { return }
    if answer.response !== front { partFront(into: &output) }
    answer[0].releaseWhole()
    if !hasReportedBound {
      hasReportedBound = true
      let why = "64 MiB of text wait for other responses: the longest is printed as far as it came"
      answer.warn(Notice(.warning, why, at: page.place))
    }
    answer.print(on: &page, into: &output)
    if answer.response !== front { answer.part(on: &page, into: &output) }
    answers[slot] = answer
  }

  // The page.

  /// Prints what `answer`, which has ended, has; also its label alone.
  private mutating func printEnded(_ answer: inout Answer, into output: inout Output) {
    let needsLabel = style.hasLabels && style.messages == .all && !answer.isPrinted
    partFront(into: &output)
    answer.print(on: &page, withLabel: needsLabel, into: &output)
    if answer[0].hasLastMessage { last = answer }
  }

  /// Writes the code blocks of `answer` that become files, and prints the paths of all new files, each
  /// as a text of its own.
  private mutating func printFiles(of answer: inout Answer, into output: inout Output) {
    for block in answer[0].sink.blocks { files?.write(block, into: &output) }
    answer[0].sink.blocks = []
    for path in files?.takePaths() ?? [] { answer.print(path: path) }
  }

  // Notices.

  /// Reports that a response has no text, and what it has in place of that. A report without a name
  /// waits where the end of the input may say the same.
  private mutating func reportSilence(of answer: inout Answer) {
    guard let notice = answer.silence else { return }
    let isNamed = notice.response != nil || notice.input != nil || silence != nil
    if isNamed || TextStages(style).missing == nil { answer.warn(notice) } else { silence = notice }
  }

  /// Reports at the end what none of the texts had, unless all responses failed.
  private mutating func reportMissing(into output: inout Output) {
    let haveFailed = hasFailed && !hasCompleted
    var missing = hasFound || haveFailed ? nil : TextStages(style).missing
    if let notice = silence.take() {
      if let what = missing, let way = notice.remark {
        missing = what + "; " + way
      } else {
        output.notices.append(notice)
      }
    }
    if !haveFailed, case .number(let wanted) = style.messages, tally.messages < wanted {
      missing = "message \(wanted): the input has \(tally.messages)"
    }
    guard let missing else { return }
    output.notices.append(Notice(.error, "there is no \(missing)", status: .negative))
  }

  /// Whether `response` has an answer, and has not ended.
  @inline(__always)
  private func isOpen(_ response: Response) -> Bool {
    let slot = response.slot
    return slot >= 0 && slot < answers.count && answers[slot]?.response === response
  }
}
