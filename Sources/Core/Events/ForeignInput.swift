/// Input that people hand to a filter in place of events, with the command that helps.
enum ForeignInput {
  /// Input that is not known to be foreign.
  case own
  /// More bytes must come before it can be decided.
  case undecided
  /// Foreign input; the text says what the input is and which command helps.
  case foreign(String)

  /// The first bytes of input that is no text, or text that cannot be read here.
  private static let heads: [(head: [UInt8], what: String)] = [
    ([0x1F, 0x8B], "compressed by gzip; unpack it first: gzip -dc"),
    ([0x28, 0xB5, 0x2F, 0xFD], "compressed by zstd; unpack it first: zstd -dc"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed by xz; unpack it first: xz -dc"),
    ([0x42, 0x5A, 0x68], "compressed by bzip2; unpack it first: bzip2 -dc"),
    ([0xFF, 0xFE], utf16("UTF-16")), ([0xFE, 0xFF], utf16("UTF-16")),
    // The first letters of an object, an array, `data` and `event`.
    ([0x7B, 0], utf16("UTF-16LE")), ([0x5B, 0], utf16("UTF-16LE")),
    ([0x64, 0], utf16("UTF-16LE")), ([0x65, 0], utf16("UTF-16LE")),
    ([0, 0x7B], utf16("UTF-16BE")), ([0, 0x5B], utf16("UTF-16BE")),
    ([0, 0x64], utf16("UTF-16BE")), ([0, 0x65], utf16("UTF-16BE")),
    ([0x3C], "a web page or XML, not an answer of the API; look at its status: curl -i"),
    ([0x1B], "coloured; take the colours off first: jq -M, grep --color=never"),
  ]

  private static func utf16(_ name: String) -> String {
    "text in UTF-16; convert it first: iconv -f \(name) -t UTF-8"
  }

  /// Decides by `head`, the first bytes of an input behind its white space.
  init(head: Span<UInt8>) {
    self = .own
    for row in Self.heads {
      if head.starts(with: row.head.span, at: 0) {
        self = .foreign("the input is " + row.what)
        return
      }
      if head.count < row.head.count, row.head.span.starts(with: head, at: 0) { self = .undecided }
    }
  }

  /// One kind of JSON document that is no event; `what` names it and the command that helps.
  private struct Document {
    /// Its possible `type`s, or the starts of those before a dot; empty when it has none.
    var types: Set<String> = []
    /// The members that all documents of the kind have.
    var members: Set<String> = []
    /// All members that the kind may have; `nil` when others do not rule it out.
    var mayHave: Set<String>?
    /// Whether only tools that need the meaning of events report it.
    var isForReaders = false
    let what: String
  }

  /// The known kinds; the first that fits counts.
  private static let documents = [
    Document(
      members: ["model", "created_at", "done"],
      what: "answers of Ollama's own API; ask for a response instead, at its /v1: oresp-send"),
    Document(
      members: ["candidates"],
      what: "answers of Gemini's own API; ask for a response instead: oresp-send"),
    Document(
      types: ["message_start"], members: ["message"],
      what: "events of Anthropic's Messages API; ask for a response instead: oresp-send"),
    Document(
      types: ["message"], members: ["role", "content", "stop_reason"],
      what: "answers of Anthropic's Messages API; ask for a response instead: oresp-send"),
    Document(
      types: ["thread.started"], members: ["thread_id"],
      what: "events of codex exec --json; print its messages: jq -r '.item.text // empty'"),
    Document(
      types: ["thread"],
      what: "events of the Assistants API; ask for a response instead: oresp-send"),
    Document(
      types: ["system", "assistant", "user", "stream_event", "result"], members: ["session_id"],
      what: "events of claude --output-format stream-json; print its answer: "
        + "jq -r '.result // empty'"),
    Document(
      types: ["start"], mayHave: ["type", "messageId", "messageMetadata"],
      what: "a UI message stream of Vercel's AI SDK; ask for a response instead: oresp-send"),
    Document(
      types: ["message-start"], isForReaders: true,
      what: "events of Cohere's API; ask for a response instead: oresp-send"),
    Document(
      types: ["agent.session"], isForReaders: true,
      what: "events of the Agents API; ask for a response instead: oresp-send"),
    Document(
      members: ["log"], mayHave: ["log"],
      what: "what a browser recorded (HAR); take the answers out of it first: "
        + "jq -r '.log.entries[].response.content.text'"),
  ]

  /// The error for a kind of input.
  struct Named {
    let what: String
    /// Whether only tools that need the meaning of events report it.
    let isForReaders: Bool
  }

  /// The error for `object`, a JSON object that is no event or begins another protocol's stream;
  /// `nil` when its kind is not known. With `unwraps` an event in one of its members counts.
  static func named(byObject object: Span<UInt8>, unwraps: Bool) -> Named? {
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
    if isEnvelope, names.contains("event") {
      let what = "the input has events in envelopes; unpack them first: oresp-sse --envelope -r"
      return Named(what: what, isForReaders: false)
    }
    let found = documents.first { document in
      let isOfType =
        document.types.isEmpty
        ? type.isEmpty
        : document.types.contains { type == $0 || type.hasPrefix($0 + ".") }
      return isOfType && document.members.isSubset(of: names)
        && document.mayHave.map(names.isSubset) ?? true
    }
    if let found {
      return Named(what: "the input has " + found.what, isForReaders: found.isForReaders)
    }
    return cure.map {
      let what = "the input has events inside other objects; take them out first: " + $0
      return Named(what: what, isForReaders: !type.isEmpty)
    }
  }

  /// The command that takes events out of the member `name` with the value `value`; `nil` when that
  /// holds none: `jq -c .event` of `{"ts":1,"event":{"type":"response.created"}}`, and `jq -r .log`
  /// of `{"log":"data: {…}\n"}`.
  private static func cure(unwrapping name: String, _ value: Span<UInt8>) -> String? {
    guard name.utf8.allSatisfy({ ASCII.isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }),
      let first = name.utf8.first, !ASCII.isDigit(first)
    else { return nil }
    if value[0] == ASCII.openBrace { return isEvent(value) ? "jq -c .\(name)" : nil }
    let starts: [StaticString] = ["\"data: ", "\"data:{", "\"event: ", "\"{\\\"type\\\":"]
    guard starts.contains(where: { value.starts(with: $0) }) else { return nil }
    let text = JSONString.decoded(value)
    let isStream = text[0] != ASCII.openBrace
    return isStream || isEvent(text.span.extracting(text.span.trimmed())) ? "jq -r .\(name)" : nil
  }

  /// Whether `object` is an event or a chunk of an answer.
  private static func isEvent(_ object: Span<UInt8>) -> Bool {
    let type = JSONChildren.text(of: "type", in: object)
    if type.hasPrefix("response.") { return EventType(Array(type.utf8).span) != nil }
    let choices = JSONChildren.value(of: "choices", in: object)
    return choices.map { object[$0.lowerBound] } == ASCII.openBracket
  }

  /// The error for an input with `line`, which is neither JSON nor a field of an event stream, if
  /// it is one with a prefix: `2026-01-02T03:04:05Z data: {…}`, `INFO event: response.created`.
  static func named(byLine line: Span<UInt8>) -> String? {
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
      if isField {
        return "the lines of the input have a prefix; take it off first: sed 's/^[^{]*//'"
      }
      if rest[0] == ASCII.openBrace { return nil }
    }
    return nil
  }
}
