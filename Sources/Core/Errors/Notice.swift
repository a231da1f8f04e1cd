/// A message on stderr for a person or a script.
package struct Notice: Sendable {
  /// Its weight; the raw value is its type in `--notices=json`.
  package enum Kind: String, Sendable {
    /// The work failed, or the response did.
    case error = "oresp.error"
    /// Something is not as it should be, and the work goes on.
    case warning = "oresp.warning"
    /// A report on the work that was done; for `-v`.
    case summary = "oresp.summary"
    /// Something that failed is done again.
    case retry = "oresp.retry"
    /// The progress of the work, for those who asked for it.
    case status = "oresp.status"
  }

  package var kind: Kind
  /// The event and its reason, without the tool's name and the place.
  package var message: String
  /// The status that the tool will exit with for it.
  package var status: ExitStatus?
  /// What the tool does about it, which stands behind the message.
  package var remark: String?
  /// Whether another tool reported it already: only its status counts here.
  package var isReported = false
  /// Whether a tool behind finds it in the output, and no mark says that it was told.
  package var isSeenBehind = false
  /// Whether its status counts only once its response is over (`Output.status`).
  package var countsLater = false
  /// Whether it is reported with `-q`, too.
  package var isEssential = false
  /// If it says that the input ends inside an event: what the report adds for it that a response has
  /// no end.
  package var cutEvent: String?
  /// Whether the filter's complaint about the whole input says the same.
  package var isSaidByComplaint = false
  /// Its place in the input.
  package var place: Place?
  /// The name of the response that it is about: its tag, or its id.
  package var response: String?
  /// Whether it says how a response ended.
  package var isOfEnd = false
  /// Its input, where several are read.
  package var input: String?
  /// Whether it is a finding that was asked for: all of these are reported.
  package var isFinding = false
  /// Further facts, for `--notices=json`.
  package var facts: [(name: String, value: JSONValue)] = []

  /// A place in the input: a line, counted from 1, and a byte, counted from 0.
  package struct Place: Sendable {
    package var line: Int
    package var byte: Int

    package init(line: Int, byte: Int) { (self.line, self.byte) = (line, byte) }
  }

  package init(
    _ kind: Kind, _ message: String, status: ExitStatus? = nil, at place: Place? = nil
  ) {
    self.kind = kind
    self.message = message
    self.status = status
    self.place = place
  }

  /// The error for `count` inputs without an event. `contents` says what they are, and `words` how
  /// one begins; `nil` when they are empty.
  package static func withoutEvents(
    _ contents: String?, words: String? = nil, of count: Int = 1
  ) -> Notice {
    let inputs = count > 1 ? "the \(count) inputs are" : "the input is"
    let why = "no events: \(inputs) \(contents ?? "empty")" + (words.map { ": " + $0 } ?? "")
    var notice = Notice(.error, why, status: .badInput)
    notice.isSeenBehind = contents == nil
    return notice
  }

  /// The error for an input whose events are all of unknown types; `what` names their protocol, if
  /// that is known.
  static func strange(_ what: String?) -> Notice {
    let none = "no event has a type that is known: the input may be of another protocol"
    return Notice(.error, what ?? none, status: .badInput)
  }

  /// What it is about, in its own words: `not JSON` for `line 7: not JSON: expected a value`. Of
  /// notices that differ in numbers alone here, ten are reported; `nil` to report all.
  var subject: String? {
    guard !isFinding, kind == .error || kind == .warning else { return nil }
    var words = message.utf8[...]
    if words.starts(with: "line ".utf8), let colon = words.firstIndex(of: ASCII.colon),
      words[..<colon].dropFirst(5).allSatisfy(ASCII.isDigit)
    {
      words = words[colon...].dropFirst(2)
    }
    if words.starts(with: "error: ".utf8) { words = words.dropFirst(7) }
    return String(Substring(words.prefix { $0 != ASCII.colon && $0 != ASCII.quote }))
  }

  /// The message and the remark.
  private var words: String { message + (remark.map { "; " + $0 } ?? "") }

  /// The notice as a line of text: `tool: input: line N, byte N: message`.
  package func text(tool: String, input: String?) -> String {
    var text = tool + ": "
    let name = response ?? self.input ?? (place == nil ? nil : input)
    if let name { text += name + ": " }
    if let place { text += "line \(place.line), byte \(place.byte): " }
    return (text + words).harmless
  }

  /// The notice as one JSON object.
  package func json(tool: String, input: String?) -> [UInt8] {
    var object: JSONValue = [
      "type": .text(kind.rawValue), "tool": .text(tool), "message": .text(words),
    ]
    object["input"] = (self.input ?? (place == nil ? nil : input)).map(JSONValue.text)
    if let place {
      object["line"] = .integer(place.line)
      object["byte"] = .integer(place.byte)
    }
    if let status {
      object["exit"] = .integer(Int(status.rawValue))
      object["retryable"] = .bool(status == .temporary)
    }
    for fact in facts { object[fact.name] = fact.value }
    return TerminalHarm.escaped(json: object.line)
  }
}

/// The choice of notices that are reported, and their form.
package struct NoticeSettings: Sendable {
  /// The form of a notice.
  package enum Form: String, CaseIterable, Sendable {
    case text, json, none
  }

  package var form = Form.text
  /// Whether only errors are reported.
  package var isQuiet = false
  /// Whether summaries are reported, too.
  package var isVerbose = false
  /// Whether the output goes to a tool that can judge it. With `isQuiet` that tool reports what it
  /// finds, too.
  package var hasJudgeBehind = false
  /// Whether every bad end of a response is reported: of other notices that are alike ten are.
  package var reportsEachEnd = false
  /// Whether control characters are made visible; `nil` for on a terminal only.
  package var sanitizes: Bool?

  package init() {}

  package func reports(_ notice: Notice) -> Bool {
    let isLeft = notice.isSeenBehind && hasJudgeBehind
    return notice.isEssential && form != .none || reports(notice.kind) && !(isQuiet && isLeft)
  }

  package func reports(_ kind: Notice.Kind) -> Bool {
    switch kind {
    case .error: form != .none
    case .warning, .retry, .status: form != .none && !isQuiet
    case .summary: form != .none && !isQuiet && isVerbose
    }
  }
}

extension String {
  /// The text with `N` in place of each number.
  var withoutNumbers: String {
    var text: [UInt8] = []
    var isInNumber = false
    for byte in utf8 {
      let isDigit = ASCII.isDigit(byte)
      if !isDigit { text.append(byte) } else if !isInNumber { text.append(UInt8(ascii: "N")) }
      isInNumber = isDigit
    }
    return String(decoding: text, as: UTF8.self)
  }
}
