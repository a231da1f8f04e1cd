/// Something that a person or a script should know, told on stderr.
package struct Notice: Sendable {
  /// How much it matters; the raw value is its type in `--notices=json`.
  package enum Kind: String, Sendable {
    /// The work failed, or the response did.
    case error = "oresp.error"
    /// Something is not as it should be, and the work goes on.
    case warning = "oresp.warning"
    /// What was done, told when asked for with `-v`.
    case summary = "oresp.summary"
    /// Something that failed is done again.
    case retry = "oresp.retry"
    /// What is going on just now, told when asked for.
    case status = "oresp.status"
  }

  package var kind: Kind
  /// What happened and why, without the tool's name and the place.
  package var message: String
  /// The status that the tool will exit with for it.
  package var status: ExitStatus?
  /// Whether another tool told it already: its status counts, and no word is said.
  package var isReported = false
  /// Whether the server's own bytes say it, so that it is left to the status with `-q`.
  package var isOfServer = false
  /// Where in the input it is about: a line from 1, and a byte from 0.
  package var place: Place?
  /// The input that it is about, where several are read.
  package var input: String?
  /// Whether it is one of the findings that were asked for, all of which are told.
  package var isFinding = false
  /// Further facts, for `--notices=json`.
  package var facts: [(name: String, value: JSONValue)] = []

  /// A place in the input.
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

  /// Tells that there is no event in an input, which may have no bytes either.
  package static func withoutEvents(hasBytes: Bool) -> Notice {
    let none = "no events: the program before failed, or selected none (see oresp-events -k)"
    return Notice(.error, hasBytes ? "no events in the input" : none, status: .badInput)
  }

  /// Tells that there are events in an input, and none of a type that is known.
  package static let strange = Notice(
    .warning, "no event has a type that is known: the input may be of another protocol")

  /// What it has in common with others, of which it is enough to tell some; `nil` when each is to
  /// be told.
  var sort: String? {
    guard !isFinding, kind == .error || kind == .warning else { return nil }
    return String(message.prefix { $0 != ":" && $0 != "\"" && !$0.isNumber })
  }

  /// The notice as a line of text: `tool: input: line N, byte N: message`.
  package func text(tool: String, input: String?) -> String {
    var text = tool + ": "
    if let input = self.input ?? (place == nil ? nil : input) { text += input + ": " }
    if let place { text += "line \(place.line), byte \(place.byte): " }
    return (text + message).harmless
  }

  /// The notice as one JSON object.
  package func json(tool: String, input: String?) -> [UInt8] {
    var object: JSONValue = [
      "type": .text(kind.rawValue), "tool": .text(tool), "message": .text(message),
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

/// How notices are told.
package struct NoticeSettings: Sendable {
  /// The form of a notice.
  package enum Form: String, CaseIterable, Sendable {
    case text, json, none
  }

  package var form = Form.text
  /// Whether only errors are told.
  package var isQuiet = false
  /// Whether summaries are told too.
  package var isVerbose = false
  /// Whether what a terminal would obey is made visible; `nil` when it is where a terminal is.
  package var sanitizes: Bool?

  package init() {}

  package func tells(_ notice: Notice) -> Bool {
    tells(notice.kind) && !(isQuiet && notice.isOfServer)
  }

  package func tells(_ kind: Notice.Kind) -> Bool {
    switch kind {
    case .error: form != .none
    case .warning, .retry, .status: form != .none && !isQuiet
    case .summary: form != .none && !isQuiet && isVerbose
    }
  }
}
