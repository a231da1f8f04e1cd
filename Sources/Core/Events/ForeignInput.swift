/// What people hand to a filter in place of events: what it is, and the command that helps.
enum ForeignInput {
  /// Nothing that is known to be foreign.
  case own
  /// More must be there to tell.
  case undecided
  /// What it is, and what to do with it.
  case foreign(String)

  /// How the bytes begin of what is no text, or none that can be read here.
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
    ([0x3C], "a web page or XML, and no answer of the API; look at its status: curl -i"),
    ([0x1B], "coloured; take the colours off first: jq -M, grep --color=never"),
  ]

  private static func utf16(_ name: String) -> String {
    "text in UTF-16; convert it first: iconv -f \(name) -t UTF-8"
  }

  /// Looks at how an input begins.
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

  /// What `object`, a JSON object that is no event, is; `nil` when that is not known.
  static func named(byObject object: Span<UInt8>) -> String? {
    var kind = JSONChildren.text(of: "object", in: object)
    if kind.isEmpty { kind = JSONChildren.text(of: "response", "body", "object", in: object) }
    if kind.hasPrefix("chat.completion") {
      return "the input has answers of Chat Completions; ask for a response instead: oresp-send"
    }
    if kind.hasPrefix("thread") {
      return "the input has objects of the Assistants API; ask for a response instead: oresp-send"
    }
    guard JSONChildren.value(of: "event", in: object) != nil,
      let data = JSONChildren.value(of: "data", in: object), object[data.lowerBound] == ASCII.quote
    else { return nil }
    return "the input has events in envelopes; take them out first: oresp-sse --envelope -r"
  }
}
