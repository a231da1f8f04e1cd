/// Kinds of input that people hand to a filter in place of events, each with the command that
/// mends it. A kind for which there is no command is "JSON of another kind", or plain text.
struct ForeignInput {
  /// The error, which says what the input is and which command helps.
  let what: String
  /// Whether only tools that need the meaning of events report it.
  let isForReaders: Bool

  /// What shows that an input is of a kind.
  private enum Sign {
    /// It begins with one of these bytes, behind its white space.
    case head([[UInt8]])
    /// A line of it that is neither JSON nor a field of an event stream. The function decides.
    case text(@Sendable (Span<UInt8>) -> Bool)
    /// The first object of it has no type, all of the members `has`, and no others than `mayHave`.
    case members(has: Set<String>, mayHave: Set<String>?)
    /// The first object of it has one of these types, or one that begins so before a dot, and the
    /// members.
    case types(Set<String>, has: Set<String>, mayHave: Set<String>?)
  }

  private struct Row {
    let sign: Sign
    let what: String
    var isForReaders = false

    init(_ head: [UInt8]..., is what: String) {
      (sign, self.what) = (.head(head), "the input is " + what)
    }

    init(text: @escaping @Sendable (Span<UInt8>) -> Bool, _ what: String) {
      (sign, self.what) = (.text(text), what)
    }

    init(_ has: Set<String>, mayHave: Set<String>? = nil, has what: String) {
      (sign, self.what) = (.members(has: has, mayHave: mayHave), "the input has " + what)
    }

    init(
      types: Set<String>, _ has: Set<String> = [], mayHave: Set<String>? = nil,
      isForReaders: Bool = false, has what: String
    ) {
      (sign, self.what) = (.types(types, has: has, mayHave: mayHave), "the input has " + what)
      self.isForReaders = isForReaders
    }
  }

  /// The kinds; the first that fits counts.
  private static let rows = [
    Row([0x1F, 0x8B], is: "compressed by gzip; unpack it first: gzip -dc"),
    Row([0x28, 0xB5, 0x2F, 0xFD], is: "compressed by zstd; unpack it first: zstd -dc"),
    Row([0xFD, 0x37, 0x7A, 0x58, 0x5A], is: "compressed by xz; unpack it first: xz -dc"),
    Row([0x42, 0x5A, 0x68], is: "compressed by bzip2; unpack it first: bzip2 -dc"),
    Row([0xFF, 0xFE], [0xFE, 0xFF], is: utf16("UTF-16")),
    // The first letters of an object, an array, `data` and `event`.
    Row([0x7B, 0], [0x5B, 0], [0x64, 0], [0x65, 0], is: utf16("UTF-16LE")),
    Row([0, 0x7B], [0, 0x5B], [0, 0x64], [0, 0x65], is: utf16("UTF-16BE")),
    Row([0x3C], is: "a web page or XML, not an answer of the API; look at its status: curl -i"),
    Row([0x1B], is: #"coloured; take the colours off first: sed 's/\x1b\[[0-9;]*m//g'"#),
    Row(
      text: hasPrefix,
      "the lines of the input have a prefix; take it off first: sed 's/^[^{]*//'"),
    Row(
      text: isPrinted,
      "the input has objects as a program prints them; print JSON: "
        + "print(event.model_dump_json()), console.log(JSON.stringify(event))"),
    Row(
      ["event", "data"], mayHave: ["event", "id", "retry", "data"],
      has: "events in envelopes; unpack them first: oresp-sse --envelope -r"),
    Row(
      ["log"], mayHave: ["log"],
      has: "what a browser recorded (HAR); take the answers out of it first: "
        + "jq -r '.log.entries[].response.content.text'"),
    Row(
      ["model", "created_at", "done"],
      has: "answers of Ollama's own API; ask for a response instead, at its /v1: oresp-send"),
    Row(
      ["candidates"], has: "answers of Gemini's own API; ask for a response instead: oresp-send"),
    Row(
      types: ["message_start"], ["message"],
      has: "events of Anthropic's Messages API; ask for a response instead: oresp-send"),
    Row(
      types: ["message"], ["role", "content", "stop_reason"],
      has: "answers of Anthropic's Messages API; ask for a response instead: oresp-send"),
    Row(
      types: ["thread.started"], ["thread_id"],
      has: "events of codex exec --json; print its messages: jq -r '.item.text // empty'"),
    Row(
      types: ["thread"], has: "events of the Assistants API; ask for a response instead: oresp-send"
    ),
    Row(
      types: ["system", "assistant", "user", "stream_event", "result"], ["session_id"],
      has: "events of claude --output-format stream-json; print its answer: "
        + "jq -r '.result // empty'"),
    Row(
      types: ["start"], mayHave: ["type", "messageId", "messageMetadata"],
      has: "a UI message stream of Vercel's AI SDK; ask for a response instead: oresp-send"),
    Row(
      types: ["message-start"], isForReaders: true,
      has: "events of Cohere's API; ask for a response instead: oresp-send"),
    Row(
      types: ["agent.session"], isForReaders: true,
      has: "events of the Agents API; ask for a response instead: oresp-send"),
  ]

  private static func utf16(_ name: String) -> String {
    "text in UTF-16; convert it first: iconv -f \(name) -t UTF-8"
  }

  /// What the first bytes of an input show.
  enum Head {
    /// It is not known to be foreign.
    case own
    /// More bytes must come before it can be decided.
    case more
    /// It is foreign.
    case found(String)
  }

  /// Decides by `head`, the first bytes of an input behind its white space.
  static func head(_ head: Span<UInt8>) -> Head {
    var found = Head.own
    for row in rows {
      guard case .head(let heads) = row.sign else { continue }
      for start in heads {
        if head.starts(with: start.span, at: 0) { return .found(row.what) }
        if head.count < start.count, start.span.starts(with: head, at: 0) { found = .more }
      }
    }
    return found
  }

  /// The error for an input with the line `text`, which is neither JSON nor a field of an event
  /// stream; `nil` when its kind is not known.
  static func named(byText text: Span<UInt8>) -> String? {
    for row in rows {
      if case .text(let fits) = row.sign, fits(text) { return row.what }
    }
    return nil
  }

  /// The error for `object`, a JSON object that is no event or begins another protocol's stream;
  /// `nil` when its kind is not known. With `unwraps` an event in one of its members counts.
  static func named(byObject object: Span<UInt8>, unwraps: Bool) -> ForeignInput? {
    var type = ""
    var names: Set<String> = []
    var isEnvelope = false
    var cure: String?
    var members = JSONChildren()
    while let member = members.next(in: object) {
      let name = JSONString.text(inside: object.extracting(member.name))
      let value = object.extracting(member.value)
      if name == "type", value[0] == ASCII.quote { type = JSONString.text(value) }
      if name == "data" { isEnvelope = value[0] == ASCII.quote }
      if unwraps, cure == nil { cure = Self.cure(unwrapping: name, value) }
      names.insert(name)
    }
    func fits(_ has: Set<String>, _ mayHave: Set<String>?) -> Bool {
      has.isSubset(of: names) && mayHave.map(names.isSubset) ?? true
    }
    let found = rows.first { row in
      switch row.sign {
      case .head, .text: false
      case .members(["event", "data"], _) where !isEnvelope: false
      case .members(let has, let mayHave): type.isEmpty && fits(has, mayHave)
      case .types(let types, let has, let mayHave):
        types.contains { type == $0 || type.hasPrefix($0 + ".") } && fits(has, mayHave)
      }
    }
    if let found { return ForeignInput(what: found.what, isForReaders: found.isForReaders) }
    return cure.map {
      let what = "the input has events inside other objects; take them out first: " + $0
      return ForeignInput(what: what, isForReaders: !type.isEmpty)
    }
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
      let inner = value.extracting(1...)
      let start = inner.extracting(inner.trimmed())
      guard start.byte(at: 0) == ASCII.openBrace, let end = JSONChildren.endOfValue(start, at: 0)
      else { return nil }
      return isEvent(start.extracting(0..<end)) ? "jq -c '.\(name)[]'" : nil
    case ASCII.quote:
      let starts: [StaticString] = ["\"data: ", "\"data:{", "\"event: ", "\"{\\\"type\\\":"]
      guard starts.contains(where: { value.starts(with: $0) }) else { return nil }
      let text = JSONString.decoded(value)
      let isStream = text[0] != ASCII.openBrace
      return isStream || isEvent(text.span.extracting(text.span.trimmed())) ? "jq -r .\(name)" : nil
    default: return nil
    }
  }

  /// Whether `object` is an event or a chunk of an answer.
  private static func isEvent(_ object: Span<UInt8>) -> Bool {
    let type = JSONChildren.text(of: "type", in: object)
    if type.hasPrefix("response.") { return EventType(Array(type.utf8).span) != nil }
    let choices = JSONChildren.value(of: "choices", in: object)
    return choices.map { object[$0.lowerBound] } == ASCII.openBracket
  }

  /// Whether `line` is an event with a prefix: `2026-01-02T03:04:05Z data: {…}`,
  /// `INFO event: response.created`.
  @Sendable
  private static func hasPrefix(_ line: Span<UInt8>) -> Bool {
    let line = line.extracting(line.trimmed())
    let ends = [ASCII.space, ASCII.tab, ASCII.colon, ASCII.closeBracket, UInt8(ascii: "|")]
    for index in line.indices.dropFirst() where ends.contains(line[index - 1]) {
      let rest = line.extracting(index...)
      let isField: Bool
      switch rest[0] {
      case UInt8(ascii: "d"): isField = rest.starts(with: "data: {") || rest.starts(with: "data:{")
      case UInt8(ascii: "e"):
        isField =
          rest.starts(with: "event: ") && EventType(rest.extracting(droppingFirst: 7)) != nil
      case ASCII.openBrace: isField = JSONScan.accepts(rest) && isEvent(rest)
      default: isField = false
      }
      if isField { return true }
      if rest[0] == ASCII.openBrace { return false }
    }
    return false
  }

  /// Whether `text` begins an object as a program prints it: `{'type': 'response.created'`,
  /// `{ type: 'response.created'`, or `ResponseCreatedEvent(response=…`.
  @Sendable
  private static func isPrinted(_ text: Span<UInt8>) -> Bool {
    let text = text.extracting(text.trimmed())
    var index = 0
    func passName() -> Bool {
      let start = index
      while ASCII.isLetterOrDigit(text.byte(at: index)) || text.byte(at: index) == UInt8(ascii: "_")
      {
        index += 1
      }
      return index > start && ASCII.isLetter(text[start])
    }
    if text.byte(at: 0) == ASCII.openBrace {
      index = 1
      while ASCII.isSpace(text.byte(at: index)) { index += 1 }
      return text.byte(at: index) == UInt8(ascii: "'") || ASCII.isLetter(text.byte(at: index))
    }
    guard passName(), text.byte(at: index) == UInt8(ascii: "(") else { return false }
    index += 1
    return passName() && text.byte(at: index) == UInt8(ascii: "=")
  }
}
