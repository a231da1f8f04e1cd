import Core

/// What the snapshots of one response tell of it, each value as it was sent last; `null` where none
/// was.
struct ResponseFacts {
  private(set) var id = JSONValue.null
  private(set) var model = JSONValue.null
  private(set) var status = JSONValue.null
  private(set) var usage = JSONValue.null

  /// Takes `response`, the Response object of an event called `type`.
  mutating func take(_ response: Span<UInt8>, of type: String) {
    // The end says the status even where the object does not.
    if ["response.completed", "response.incomplete", "response.failed", "response.cancelled"]
      .contains(type)
    {
      status = .text(String(type.dropFirst("response.".count)))
    }
    update(&id, JSONChildren.value(of: "id", in: response), in: response)
    update(&model, JSONChildren.value(of: "model", in: response), in: response)
    update(&status, JSONChildren.value(of: "status", in: response), in: response)
    update(&usage, JSONChildren.value(of: "usage", in: response), in: response)
  }

  /// The tokens that `usage` counts.
  var tokens: TokenCounts {
    guard case .raw(let text) = usage else { return TokenCounts() }
    return TokenCounts(text.span)
  }

  private func update(_ value: inout JSONValue, _ place: Range<Int>?, in response: Span<UInt8>) {
    guard let place, !response.extracting(place).equals("null") else { return }
    value = .raw([UInt8](copying: response.extracting(place)))
  }
}

/// The tokens of a response; `nil` where the server did not tell.
struct TokenCounts {
  var input: Int?
  var cached: Int?
  var output: Int?
  var reasoning: Int?

  init() {}

  /// Reads `usage`, a usage object.
  init(_ usage: Span<UInt8>) {
    func count(_ place: Range<Int>?) -> Int? {
      guard let place, let count = JSONNumber.integer(usage.extracting(place)) else { return nil }
      return count < 0 ? nil : count
    }
    input = count(JSONChildren.value(of: "input_tokens", in: usage))
    output = count(JSONChildren.value(of: "output_tokens", in: usage))
    cached = count(JSONChildren.value(of: "input_tokens_details", "cached_tokens", in: usage))
    reasoning = count(
      JSONChildren.value(of: "output_tokens_details", "reasoning_tokens", in: usage))
  }

  /// The counts as members of a JSON object.
  var members: [(name: String, value: JSONValue)] {
    func value(_ count: Int?) -> JSONValue { count.map(JSONValue.integer) ?? .null }
    return [
      ("input_tokens", value(input)), ("cached_tokens", value(cached)),
      ("output_tokens", value(output)), ("reasoning_tokens", value(reasoning)),
    ]
  }
}
