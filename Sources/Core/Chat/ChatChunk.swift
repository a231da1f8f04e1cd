/// An object of Chat Completions, a chunk of a stream or a whole answer: what all its choices share.
struct ChatObject {
  let id: String
  /// Its choices: their numbers, and where they stand.
  private(set) var choices: [(number: Int, place: Range<Int>)] = []
  /// The token counts of the answer, in the form of a Response's `usage`.
  let usage: JSONValue?
  /// The error that the server sends in place of the rest; `nil` for none.
  fileprivate let failure: APIError?
  fileprivate let isDocument: Bool
  /// The results of the moderation that the request asked for; `nil` when it has none.
  let moderation: JSONValue?

  /// Reads `object`; `nil` when it has no array `choices`.
  init?(_ object: Span<UInt8>) {
    guard let list = JSONChildren.value(of: "choices", in: object),
      object[list.lowerBound] == ASCII.openBracket
    else { return nil }
    id = JSONChildren.text(of: "id", in: object)
    failure = Self.failure(in: object)
    isDocument = JSONChildren.text(of: "object", in: object) == "chat.completion"
    let result = JSONChildren.raw(of: "moderation", in: object)
    moderation = result?.isNull == false ? result : nil
    let places = JSONChildren.elements(at: list, in: object)
    let numbers = places.enumerated().map { index, place in
      JSONChildren.integer(of: "index", in: object.extracting(place)) ?? index
    }
    // Two of one number: their places tell them apart.
    let areApart = Set(numbers).count == numbers.count
    for (index, place) in places.enumerated() {
      choices.append((areApart ? numbers[index] : index, place))
    }
    usage = JSONChildren.value(of: "usage", in: object).flatMap {
      Self.tokens(object.extracting($0))
    }
  }
}

/// What an object of Chat Completions has of one choice.
struct ChatChunk {
  /// The kinds of content that a chunk brings.
  struct Content: OptionSet, Sendable {
    let rawValue: UInt8

    /// Text or a refusal.
    static let answer = Content(rawValue: 1)
    static let reasoning = Content(rawValue: 2)
    static let call = Content(rawValue: 4)
  }

  let id: String
  /// The range of the choice; `nil` when the object lacks it.
  let choice: Range<Int>?
  /// The range of the choice's message, or of a piece of one; `nil` when there is none.
  private(set) var message: Range<Int>?
  /// Whether the message is a `delta`.
  private(set) var hasDelta = false
  /// The range of the text of a choice without a message, as Completions have it; else `nil`.
  private(set) var text: Range<Int>?
  /// Whether it is a whole answer.
  private(set) var isWhole = false
  private(set) var content: Content = []
  /// The end of the answer; `nil` when the chunk brings none.
  private(set) var end: ChatEnd?
  /// The error that the server sends in place of the rest, beside its choices or in this one; `nil`
  /// for none.
  private(set) var failure: APIError?

  /// Reads the choice at `choice` of `object`, whose members `whole` has.
  init(_ choice: Range<Int>?, of whole: ChatObject, in object: Span<UInt8>) {
    id = whole.id
    self.choice = choice
    failure = whole.failure
    if let choice { read(choice, in: object, isDocument: whole.isDocument) }
  }

  /// Reads the choice at `place`. Of its `delta`, `message` and `text` the first counts, since some
  /// servers send the same in two of them; but an empty `delta` gives way to a `message`.
  private mutating func read(_ place: Range<Int>, in object: Span<UInt8>, isDocument: Bool) {
    let choice = object.extracting(place)
    func value(_ name: StaticString) -> Range<Int>? {
      JSONChildren.value(of: name, in: choice).map {
        $0.lowerBound + place.lowerBound..<$0.upperBound + place.lowerBound
      }
    }
    func message(_ name: StaticString) -> (place: Range<Int>, content: Content)? {
      guard let place = value(name), object[place.lowerBound] == ASCII.openBrace else { return nil }
      return (place, Self.content(of: object.extracting(place)))
    }
    failure = failure ?? ChatObject.failure(in: choice)
    end = ChatEnd(choice)
    let delta = message("delta")
    let whole = delta?.content.isEmpty == false ? nil : message("message")
    hasDelta = delta != nil && whole == nil
    if let (place, content) = whole ?? delta {
      self.message = place
      self.content = content
      isWhole = isDocument && !hasDelta
      if isWhole, end == nil { end = ChatEnd() }
    } else if let place = value("text"), place.count > 2, object[place.lowerBound] == ASCII.quote {
      text = place
      content = .answer
    }
  }

  /// The kinds of content in `message`.
  private static func content(of message: Span<UInt8>) -> Content {
    var content: Content = []
    var members = JSONChildren()
    while let member = members.next(in: message) {
      let value = message.extracting(member.value)
      // An empty string, array or object brings nothing; nor does null.
      guard value.count > 2, !value.equals("null") else { continue }
      switch JSONString.text(inside: message.extracting(member.name)) {
      case "content", "refusal": content.insert(.answer)
      case "reasoning", "reasoning_content": content.insert(.reasoning)
      case "tool_calls": content.insert(.call)
      default: break
      }
    }
    return content
  }
}

extension ChatObject {
  /// The error in the member `error` of `object`: nothing, as most servers send it, is none.
  fileprivate static func failure(in object: Span<UInt8>) -> APIError? {
    guard let place = JSONChildren.value(of: "error", in: object), place.count > 2,
      [ASCII.openBrace, ASCII.openBracket, ASCII.quote].contains(object[place.lowerBound])
    else { return nil }
    return APIError(value: object.extracting(place))
  }

  /// `usage` in the form of a Response's; `nil` when it is no object or has no counts. What the
  /// server did not count is absent.
  private static func tokens(_ usage: Span<UInt8>) -> JSONValue? {
    guard usage.byte(at: 0) == ASCII.openBrace,
      let input = JSONChildren.integer(of: "prompt_tokens", in: usage),
      let output = JSONChildren.integer(of: "completion_tokens", in: usage)
    else { return nil }
    let (sum, overflows) = input.addingReportingOverflow(output)
    let total = JSONChildren.integer(of: "total_tokens", in: usage) ?? (overflows ? nil : sum)
    let read = most(of: cacheReads, in: usage, "prompt_tokens_details")
    let written = most(of: cacheWrites, in: usage, "prompt_tokens_details")
    let reasoning = most(of: ["reasoning_tokens"], in: usage, "completion_tokens_details")
    var whole: JSONValue = ["input_tokens": .integer(input)]
    if read != nil || written != nil {
      var details: JSONValue = [:]
      details["cached_tokens"] = read.map(JSONValue.integer)
      details["cache_write_tokens"] = written.map(JSONValue.integer)
      whole["input_tokens_details"] = details
    }
    whole["output_tokens"] = .integer(output)
    if let reasoning { whole["output_tokens_details"] = ["reasoning_tokens": .integer(reasoning)] }
    whole["total_tokens"] = total.map(JSONValue.integer)
    let others: [StaticString] = [
      "cost", "cost_details", "cost_in_usd_ticks", "is_byok", "compute_units",
    ]
    for name in others {
      whole[name.description] = JSONChildren.raw(of: name, in: usage)
    }
    return whole
  }

  /// The names of tokens that were read from a cache, of OpenAI, DeepSeek, and Anthropic's own.
  private static let cacheReads: [StaticString] = [
    "cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens", "cache_read_tokens",
  ]
  /// Those of tokens that were written to one.
  private static let cacheWrites: [StaticString] = [
    "cache_write_tokens", "cache_creation_input_tokens", "cache_creation_tokens",
    "cache_write_input_tokens",
  ]

  /// The highest of the counts called `names` at the top of `usage` and in its member `details`;
  /// `nil` without any.
  private static func most(
    of names: [StaticString], in usage: Span<UInt8>, _ details: StaticString
  ) -> Int? {
    names.flatMap { name in
      [
        JSONChildren.integer(of: name, in: usage),
        JSONChildren.integer(of: details, name, in: usage),
      ]
    }
    .compactMap { $0 }.filter { $0 >= 0 }.max()
  }
}
