/// An object of Chat Completions: a chunk of a stream, or a whole answer.
package struct ChatChunk {
  package let id: String
  /// Where its choices stand.
  package let choices: [Range<Int>]
  /// Whether it is a whole answer.
  package let isWhole: Bool
  /// The tokens that the answer took, as a Response has them.
  package let usage: JSONValue?
  /// What the server tells in place of what was still to come.
  package let error: APIError?

  /// Reads `object`; `nil` when it has no choices.
  package init?(_ object: Span<UInt8>) {
    guard let choices = JSONChildren.value(of: "choices", in: object),
      object[choices.lowerBound] == ASCII.openBracket
    else { return nil }
    self.choices = JSONChildren.elements(at: choices, in: object)
    id = JSONChildren.text(of: "id", in: object)
    isWhole = JSONChildren.text(of: "object", in: object) == "chat.completion"
    usage = Self.usage(in: object, self.choices.first)
    let told = JSONChildren.value(of: "error", in: object)
    error = told.flatMap { place in
      object[place.lowerBound] == ASCII.openBrace
        ? APIError(value: object.extracting(place)) : nil
    }
  }

  /// Whether `choice` is the one that the response is made of.
  package static func isFirst(_ choice: Span<UInt8>) -> Bool {
    JSONChildren.integer(of: "index", in: choice) ?? 0 == 0
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

  /// `nil` when `usage` is no object, or has no counts.
  private static func tokens(_ usage: Span<UInt8>) -> JSONValue? {
    guard LineShape.isObject(usage),
      let input = JSONChildren.integer(of: "prompt_tokens", in: usage),
      let output = JSONChildren.integer(of: "completion_tokens", in: usage)
    else { return nil }
    let cached =
      JSONChildren.integer(of: "prompt_tokens_details", "cached_tokens", in: usage)
      // DeepSeek
      ?? JSONChildren.integer(of: "prompt_cache_hit_tokens", in: usage)
    let reasoning = JSONChildren.integer(
      of: "completion_tokens_details", "reasoning_tokens", in: usage)
    let (sum, overflows) = input.addingReportingOverflow(output)
    let total = JSONChildren.integer(of: "total_tokens", in: usage) ?? (overflows ? nil : sum)
    var whole: JSONValue = [
      "input_tokens": .integer(input),
      "input_tokens_details": ["cached_tokens": .integer(cached ?? 0)],
      "output_tokens": .integer(output),
      "output_tokens_details": ["reasoning_tokens": .integer(reasoning ?? 0)],
    ]
    whole["total_tokens"] = total.map(JSONValue.integer)
    return whole
  }
}
