import Core

/// When the events of one response came, in microseconds since the epoch; known only of events that
/// were stamped.
struct EventTimes {
  private var first: Int?
  private var firstText: Int?
  private var last: Int?
  private var lastNumber: Int?
  private var gap: Gap?

  /// The time between two events, and their sequence numbers.
  private struct Gap {
    var microseconds: Int
    var after: Int?
    var before: Int?
  }

  /// The time at which the event `line` came, if it was stamped.
  static func stamp(of line: Span<UInt8>) -> Int? {
    guard let place = JSONChildren.value(of: "oresp", "at", in: line) else { return nil }
    return FixedDecimal.scaled(line.extracting(place), places: 6)?.value
  }

  /// The seconds from one time to another; `null` when one is not known, or the clock was set back.
  static func seconds(from start: Int?, to end: Int?) -> JSONValue {
    guard let start, let end, start <= end else { return .null }
    return FixedDecimal.json(end - start, places: 6)
  }

  /// Takes the time of an event; `isText` when it is about output text.
  mutating func take(_ time: Int, number: Int?, isText: Bool) {
    if let last, time > last, time - last > gap?.microseconds ?? 0 {
      gap = Gap(microseconds: time - last, after: lastNumber, before: number)
    }
    first = first ?? time
    if isText { firstText = firstText ?? time }
    (last, lastNumber) = (time, number)
  }

  /// The times as members of a JSON object.
  func members(outputTokens: Int?) -> [(name: String, value: JSONValue)] {
    func integer(_ number: Int?) -> JSONValue { number.map(JSONValue.integer) ?? .null }
    let longest = gap.map { gap in
      JSONValue.object([
        ("seconds", FixedDecimal.json(gap.microseconds, places: 6)),
        ("after", integer(gap.after)), ("before", integer(gap.before)),
      ])
    }
    return [
      ("first_event_at", first.map { FixedDecimal.json($0, places: 6) } ?? .null),
      ("first_text_seconds", Self.seconds(from: first, to: firstText)),
      ("seconds", Self.seconds(from: first, to: last)), ("longest_gap", longest ?? .null),
      ("output_tokens", integer(outputTokens)),
      ("tokens_per_second", rate(of: outputTokens) ?? .null),
    ]
  }

  /// Tokens a second, in thousandths.
  private func rate(of tokens: Int?) -> JSONValue? {
    guard let tokens, let first, let last, last > first else { return nil }
    let (product, overflows) = tokens.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? nil : FixedDecimal.json(product / (last - first), places: 3)
  }
}
