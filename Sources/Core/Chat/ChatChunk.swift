/// An object of Chat Completions: a chunk of a stream, or a whole answer.
package struct ChatChunk {
  /// The kinds of content that a chunk brings.
  package struct Content: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Text, a refusal or an image.
    package static let answer = Content(rawValue: 1)
    package static let reasoning = Content(rawValue: 2)
    package static let call = Content(rawValue: 4)
    /// The role of the speaker, which most servers name in the first chunk only.
    package static let role = Content(rawValue: 8)
  }

  package let id: String
  /// Whether it has no choices: Azure's notes on the prompt, and tokens behind the end.
  package let isEmpty: Bool
  /// The range of the choice that the response is made of; `nil` when the chunk lacks it.
  package private(set) var choice: Range<Int>?
  /// The numbers of its other choices.
  package private(set) var others: [Int] = []
  /// The range of the choice's message, or of a piece of one; `nil` when there is none.
  package private(set) var message: Range<Int>?
  /// Whether the message is a `delta`.
  package private(set) var hasDelta = false
  /// The range of the text of a choice without a message, as Completions have it; else `nil`.
  package private(set) var text: Range<Int>?
  /// Whether it is a whole answer.
  package private(set) var isWhole = false
  package private(set) var content: Content = []
  /// The end of the answer; `nil` when the chunk brings none.
  package private(set) var end: ChatEnd?
  /// The token counts of the answer, in the form of a Response's `usage`.
  package private(set) var usage: JSONValue?
  /// The error that the server sends in place of the rest, beside its choices or in one; `nil` for
  /// none.
  package private(set) var failure: APIError?

  /// Reads choice `number` of `object`; `isInside` is whether an answer is open. `nil` when
  /// `object` has no array `choices`.
  package init?(_ object: Span<UInt8>, choice number: Int = 0, isInside: Bool) {
    guard let choices = JSONChildren.value(of: "choices", in: object),
      object[choices.lowerBound] == ASCII.openBracket
    else { return nil }
    id = JSONChildren.text(of: "id", in: object)
    failure = Self.failure(in: object)
    let all = JSONChildren.elements(at: choices, in: object)
    isEmpty = all.isEmpty
    var numbers = all.enumerated().map { place, choice in
      JSONChildren.integer(of: "index", in: object.extracting(choice)) ?? place
    }
    // Two of one number: their places tell them apart.
    if Set(numbers).count < numbers.count { numbers = Array(numbers.indices) }
    let own = numbers.firstIndex(of: number)
    choice = own.map { all[$0] }
    others = numbers.indices.filter { $0 != own }.map { numbers[$0] }
    if let choice { read(choice, in: object, isInside: isInside) }
    usage = Self.usage(in: object, choice ?? all.first)
  }

  /// Reads the choice at `place`. Of its `delta`, `message` and `text` the first counts, since some
  /// servers send the same in two of them (Together, Perplexity, Writer).
  private mutating func read(_ place: Range<Int>, in object: Span<UInt8>, isInside: Bool) {
    let choice = object.extracting(place)
    func inObject(_ name: StaticString) -> Range<Int>? {
      JSONChildren.value(of: name, in: choice).map {
        $0.lowerBound + place.lowerBound..<$0.upperBound + place.lowerBound
      }
    }
    func message(_ name: StaticString) -> Range<Int>? {
      inObject(name).flatMap { object[$0.lowerBound] == ASCII.openBrace ? $0 : nil }
    }
    let isDocument = JSONChildren.text(of: "object", in: object) == "chat.completion"
    let (delta, whole) = (message("delta"), message("message"))
    failure = failure ?? Self.failure(in: choice)
    end = ChatEnd(choice)
    // Perplexity: {"object":"chat.completion","choices":[{"finish_reason":"stop","message":{…},
    // "delta":{"role":"assistant","content":""}}]} alone; its chunks are called the same.
    isWhole = isDocument && whole != nil && (delta == nil || !isInside && end != nil)
    if isWhole, end == nil { end = ChatEnd() }
    self.message = isWhole ? whole : delta ?? whole
    hasDelta = !isWhole && delta != nil
    text = self.message == nil ? inObject("text") : nil
    if let message = self.message { readContent(of: object.extracting(message)) }
    if let text, text.count > 2, object[text.lowerBound] == ASCII.quote { content.insert(.answer) }
  }

  /// The error in the member `error` of `object`: nothing, as most servers send it, is none.
  private static func failure(in object: Span<UInt8>) -> APIError? {
    guard let place = JSONChildren.value(of: "error", in: object), place.count > 2,
      [ASCII.openBrace, ASCII.openBracket, ASCII.quote].contains(object[place.lowerBound])
    else { return nil }
    return APIError(value: object.extracting(place))
  }

  private mutating func readContent(of message: Span<UInt8>) {
    var members = JSONChildren()
    while let member = members.next(in: message) {
      let value = message.extracting(member.value)
      // An empty string, array or object brings nothing; nor does null.
      guard value.count > 2, !value.equals("null") else { continue }
      switch JSONString.text(inside: message.extracting(member.name)) {
      case "content", "refusal", "images", "audio": content.insert(.answer)
      case "reasoning", "reasoning_content": content.insert(.reasoning)
      case "tool_calls", "function_call": content.insert(.call)
      case "role": content.insert(.role)
      default: break
      }
    }
  }

  /// The counts of tokens: of the chunk, of its choice (Moonshot), or of Groq's own member.
  private static func usage(in object: Span<UInt8>, _ choice: Range<Int>?) -> JSONValue? {
    for place in [
      JSONChildren.value(of: "usage", in: object),
      JSONChildren.value(of: "x_groq", "usage", in: object),
    ] {
      if let place, let usage = tokens(object.extracting(place)) { return usage }
    }
    guard let choice, let place = JSONChildren.value(of: "usage", in: object.extracting(choice))
    else { return nil }
    return tokens(object.extracting(choice).extracting(place))
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
