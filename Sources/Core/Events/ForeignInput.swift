/// Kinds of input that people hand to a filter in place of events, each with the command that
/// mends it. A kind for which there is no command is "JSON of another kind", or plain text.
struct ForeignInput {
  /// What shows that an input is of a kind.
  private enum Sign {
    /// It begins with one of these bytes, behind its white space.
    case heads([[UInt8]])
    /// A line of it that is neither JSON nor a field of an event stream, white space around it
    /// aside. The function decides.
    case text(@Sendable (Span<UInt8>) -> Bool)
    /// The first object of it has these members, of which `log{` is an object and `data"` a string,
    /// and one of these types, or one that begins so before a dot; no type where none is named.
    case object(Set<String>, types: Set<String> = [])
  }

  private let sign: Sign
  /// The error, which says what the input is and which command helps.
  let what: String
  /// Whether only tools that need the meaning of events report it.
  let isForReaders: Bool

  private init(_ sign: Sign, _ what: String, isForReaders: Bool = false) {
    self.sign = sign
    self.what = "the input " + what
    self.isForReaders = isForReaders
  }

  /// The kinds; the first that fits counts.
  private static let rows = [
    ForeignInput(.heads([[0x1F, 0x8B]]), compressed("gzip")),
    ForeignInput(.heads([[0x28, 0xB5, 0x2F, 0xFD]]), compressed("zstd")),
    ForeignInput(.heads([[0xFD, 0x37, 0x7A, 0x58, 0x5A]]), compressed("xz")),
    ForeignInput(.heads([[0x42, 0x5A, 0x68]]), compressed("bzip2")),
    ForeignInput(
      .heads([[0xFF, 0xFE], [0xFE, 0xFF]]),
      "is text in UTF-16; convert it first: iconv -f UTF-16 -t UTF-8"),
    ForeignInput(
      .heads([[0x3C]]),
      "is a web page or XML, not an answer of the API; look at its status: curl -i"),
    ForeignInput(
      .heads([[0x1B]]), #"is coloured; take the colours off first: sed 's/\x1b\[[0-9;]*m//g'"#),
    ForeignInput(
      .text(hasPrefix), "has lines with a prefix; take it off first: sed 's/^[^{]*//'"),
    ForeignInput(
      .text(isPrinted),
      "has objects as a program prints them; print JSON: print(event.model_dump_json()), "
        + "console.log(JSON.stringify(event))"),
    ForeignInput(
      .object(["event\"", "data\""]),
      "has events in envelopes; unpack them first: oresp-sse --envelope -r"),
    ForeignInput(
      .object(["log{"]),
      "has what a browser recorded (HAR); take the answers out of it first: "
        + "jq -r '.log.entries[].response.content.text'"),
    ForeignInput(
      .object(["model", "created_at", "done"]),
      "has answers of Ollama's own API; ask for a response instead, at its /v1: oresp-send"),
    ForeignInput(.object(["candidates"]), other("answers of Gemini's own API")),
    ForeignInput(
      .object(["message"], types: ["message_start"]), other("events of Anthropic's Messages API")),
    ForeignInput(
      .object(["role", "content", "stop_reason"], types: ["message"]),
      other("answers of Anthropic's Messages API")),
    ForeignInput(
      .object(["thread_id"], types: ["thread.started"]),
      "has events of codex exec --json; print its messages: jq -r '.item.text // empty'"),
    ForeignInput(.object([], types: ["thread"]), other("events of the Assistants API")),
    ForeignInput(
      .object(["session_id"], types: ["system", "assistant", "user", "stream_event", "result"]),
      "has events of claude --output-format stream-json; print its answer: "
        + "jq -r '.result // empty'"),
    ForeignInput(
      .object(["messageId"], types: ["start"]), other("a UI message stream of Vercel's AI SDK")),
    ForeignInput(
      .object([], types: ["message-start"]), other("events of Cohere's API"), isForReaders: true),
    ForeignInput(
      .object([], types: ["agent.session"]), other("events of the Agents API"), isForReaders: true),
  ]

  private static func compressed(_ tool: String) -> String {
    "is compressed by \(tool); unpack it first: \(tool) -dc"
  }

  private static func other(_ what: String) -> String {
    "has \(what); ask for a response instead: oresp-send"
  }

  /// Looks for the kind by `head`, the first bytes of an input behind its white space; with
  /// `isShort` more bytes must come before it is known.
  static func named(byHead head: Span<UInt8>) -> (what: String?, isShort: Bool) {
    var isShort = false
    for kind in rows {
      guard case .heads(let heads) = kind.sign else { continue }
      for start in heads {
        if head.starts(with: start.span, at: 0) { return (kind.what, false) }
        isShort = isShort || head.count < start.count && start.span.starts(with: head, at: 0)
      }
    }
    return (nil, isShort)
  }

  /// The error for an input with the line `text`, which is neither JSON nor a field of an event
  /// stream; `nil` when its kind is not known.
  static func named(byText text: Span<UInt8>) -> String? {
    let text = text.extracting(text.trimmed())
    for kind in rows {
      if case .text(let fits) = kind.sign, fits(text) { return kind.what }
    }
    return nil
  }

  /// The kind of an input by `object`, a JSON object that is no event or begins another protocol's
  /// stream; `nil` when it is not known. With `unwraps` an event in one of its members counts.
  static func named(byObject object: Span<UInt8>, unwraps: Bool) -> ForeignInput? {
    var type = ""
    var names: Set<String> = []
    var cure: String?
    var members = JSONChildren()
    while let member = members.next(in: object) {
      let name = JSONString.text(inside: object.extracting(member.name))
      let value = object.extracting(member.value)
      if name == "type", value[0] == ASCII.quote { type = JSONString.text(value) }
      names.formUnion([name, name + String(Unicode.Scalar(value[0]))])
      if unwraps, cure == nil { cure = Self.cure(unwrapping: name, value) }
    }
    for kind in rows {
      guard case .object(let has, let types) = kind.sign, has.isSubset(of: names) else { continue }
      let fits = types.contains { type == $0 || type.hasPrefix($0 + ".") }
      if types.isEmpty ? type.isEmpty : fits { return kind }
    }
    let what = "has events inside other objects; take them out first: "
    return cure.map { ForeignInput(.object([]), what + $0, isForReaders: !type.isEmpty) }
  }

  /// The command that takes events out of the member `name` with the value `value`; `nil` when that
  /// holds none: `jq -c .event` of `{"ts":1,"event":{"type":"response.created"}}`,
  /// `jq -c '.events[]'` of `{"events":[{"type":"response.created"}]}`, and `jq -r .log` of
  /// `{"log":"data: {…}\n"}`, as docker and the journal write it.
  private static func cure(unwrapping name: String, _ value: Span<UInt8>) -> String? {
    guard name.utf8.allSatisfy({ ASCII.isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }),
      let first = name.utf8.first, !ASCII.isDigit(first)
    else { return nil }
    switch value[0] {
    case ASCII.openBrace: return isEvent(value) ? "jq -c .\(name)" : nil
    case ASCII.openBracket:
      var elements = JSONChildren()
      let isOfEvents = elements.next(in: value).map { isEvent(value.extracting($0.value)) }
      return isOfEvents == true ? "jq -c '.\(name)[]'" : nil
    case ASCII.quote:
      let starts = ["\"data: ", "\"data:{", "\"event: "] as [StaticString]
      let isStream = starts.contains { value.starts(with: $0) }
      return isStream || value.starts(with: #""{\"type\":\"response."#) ? "jq -r .\(name)" : nil
    default: return nil
    }
  }

  /// Whether `object` is an event or a chunk of an answer.
  private static func isEvent(_ object: Span<UInt8>) -> Bool {
    let type = JSONChildren.text(of: "type", in: object)
    if type.hasPrefix("response.") { return EventType(Array(type.utf8).span) != nil }
    return ChatTranslator.isAnswer(object)
  }

  /// Whether `line` is of an event, with a prefix: `2026-01-02T03:04:05Z data: {…}`,
  /// `INFO event: response.created`.
  @Sendable
  private static func hasPrefix(_ line: Span<UInt8>) -> Bool {
    guard let start = line.firstIndex(of: ASCII.openBrace) else {
      return String(decoding: line.extracting(first: 200)).contains(" event: response.")
    }
    let object = line.extracting(start...)
    return start > 0 && JSONScan.accepts(object) && isEvent(object)
  }

  /// Whether `text` begins an object as a program prints it: `{'type': 'response.created'`,
  /// `{ type: 'response.created'`, or `ResponseCreatedEvent(response=…`.
  @Sendable
  private static func isPrinted(_ text: Span<UInt8>) -> Bool {
    let text = String(decoding: text.extracting(first: 80))
    guard text.hasPrefix("{") else { return text.hasPrefix("Response") && text.contains("Event(") }
    let inner = text.dropFirst().first { !$0.isWhitespace }
    return inner == "'" || inner?.isLetter == true
  }
}
