/// An object of Chat Completions, a chunk of a stream or a whole answer: what all its choices share.
struct ChatObject {
  let id: String
  /// Its choices: their numbers, and where they stand.
  let choices: [(number: Int, place: Range<Int>)]
  /// The token counts of the answer, in the form of a Response's `usage`.
  let usage: JSONValue?
  /// The error that the server sends in place of the rest; `nil` for none.
  fileprivate let failure: APIError?
  fileprivate let isDocument: Bool
  /// The results of the moderation that the request asked for; `nil` when it has none.
  let moderation: JSONValue?

  init(_ object: Span<UInt8>) {
    id = JSONChildren.text(of: "id", in: object)
    failure = Self.failure(at: JSONChildren.value(of: "error", in: object), in: object)
    isDocument = JSONChildren.text(of: "object", in: object) == "chat.completion"
    let result = JSONChildren.raw(of: "moderation", in: object)
    moderation = result?.isNull == false ? result : nil
    let places = JSONChildren.elements(at: ["choices"], in: object)
    let numbers = places.enumerated().map { index, place in
      JSONChildren.integer(of: "index", in: object.extracting(place)) ?? index
    }
    // Two of one number: their places tell them apart.
    let areApart = Set(numbers).count == numbers.count
    choices = places.indices.map { (areApart ? numbers[$0] : $0, places[$0]) }
    usage = JSONChildren.value(of: "usage", in: object).flatMap {
      Self.tokens(object.extracting($0))
    }
  }
}

/// What an object of Chat Completions has of one choice.
struct ChatChunk {
  let whole: ChatObject
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
  /// Whether it brings text, a refusal, reasoning or a call.
  private(set) var hasContent = false
  /// The `finish_reason`; empty when it has none. While an answer goes on some servers send an
  /// empty one, or the text `null`.
  private(set) var endReason = ""
  /// The error that the server sends in place of the rest, beside its choices or in this one; `nil`
  /// for none.
  private(set) var failure: APIError?

  /// Reads the choice at `choice` of `object`, whose members `whole` has. Of its `delta`, `message`
  /// and `text` the first counts, since some servers send the same in two of them; but an empty
  /// `delta` gives way to a `message`.
  init(of whole: ChatObject, at choice: Range<Int>?, in object: Span<UInt8>) {
    self.whole = whole
    self.choice = choice
    failure = whole.failure
    guard let choice else { return }
    func value(_ name: StaticString, _ first: UInt8) -> Range<Int>? {
      let place = JSONChildren.value(of: name, in: object, at: choice.lowerBound)
      return place.flatMap { object[$0.lowerBound] == first ? $0 : nil }
    }
    let error = JSONChildren.value(of: "error", in: object, at: choice.lowerBound)
    failure = failure ?? ChatObject.failure(at: error, in: object)
    endReason = JSONChildren.text(of: "finish_reason", in: object.extracting(choice))
    if endReason == "null" { endReason = "" }
    message = value("delta", ASCII.openBrace)
    hasDelta = message != nil
    hasContent = Self.hasContent(message, in: object)
    if !hasContent, let place = value("message", ASCII.openBrace) {
      message = place
      hasDelta = false
      isWhole = whole.isDocument
      hasContent = Self.hasContent(place, in: object)
    }
    if message == nil, let place = value("text", ASCII.quote), place.count > 2 {
      text = place
      hasContent = true
    }
  }

  /// Whether the message at `place` has content. An empty string, array or object brings nothing;
  /// nor does `null`.
  private static func hasContent(_ place: Range<Int>?, in object: Span<UInt8>) -> Bool {
    guard let place else { return false }
    let names: [StaticString] = [
      "content", "refusal", "reasoning", "reasoning_content", "tool_calls",
    ]
    return names.contains { name in
      guard let value = JSONChildren.value(of: name, in: object, at: place.lowerBound) else {
        return false
      }
      return value.count > 2 && !object.extracting(value).equals("null")
    }
  }
}

extension ChatObject {
  /// The error at `place`, in a member `error`: nothing, as most servers send it, is none.
  fileprivate static func failure(at place: Range<Int>?, in object: Span<UInt8>) -> APIError? {
    guard let place, place.count > 2,
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
    var whole: JSONValue = ["input_tokens": .integer(input)]
    var details: JSONValue = [:]
    // The names of OpenAI, DeepSeek, and Anthropic's own.
    details["cached_tokens"] = highest(
      of: ["cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens"],
      in: usage, "prompt_tokens_details")
    details["cache_write_tokens"] = highest(
      of: ["cache_write_tokens", "cache_creation_input_tokens", "cache_creation_tokens"],
      in: usage, "prompt_tokens_details")
    if !details.members.isEmpty { whole["input_tokens_details"] = details }
    whole["output_tokens"] = .integer(output)
    let reasoning = highest(of: ["reasoning_tokens"], in: usage, "completion_tokens_details")
    whole["output_tokens_details"] = reasoning.map { ["reasoning_tokens": $0] }
    whole["total_tokens"] = total.map(JSONValue.integer)
    let others: [StaticString] = [
      "cost", "cost_details", "cost_in_usd_ticks", "is_byok", "compute_units",
    ]
    for name in others { whole[name.description] = JSONChildren.raw(of: name, in: usage) }
    return whole
  }

  /// The highest of the counts called `names` at the top of `usage` and in its member `details`;
  /// `nil` without any.
  private static func highest(
    of names: [StaticString], in usage: Span<UInt8>, _ details: StaticString
  ) -> JSONValue? {
    let counts = names.flatMap { name in
      [
        JSONChildren.integer(of: name, in: usage),
        JSONChildren.integer(of: details, name, in: usage),
      ]
    }
    return counts.compactMap { $0 }.filter { $0 >= 0 }.max().map(JSONValue.integer)
  }
}
