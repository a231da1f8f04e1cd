import Core

/// The times at which the events of one response came, as their stamps say, in microseconds since
/// the epoch.
struct EventTimes {
  private(set) var first: Int?
  private(set) var firstText: Int?
  private(set) var last: Int?
  private var lastNumber: Int?
  /// The longest time between two events, and their sequence numbers.
  private var gap: (microseconds: Int, after: Int?, before: Int?)?
  /// The times without an event that are a twentieth of all the time or more. As each makes that
  /// longer, there are never more than twenty.
  private(set) var silences: [Range<Int>] = []
  /// The time that the response took, where that alone is known.
  private let elapsed: Int?

  init(microseconds elapsed: Int? = nil) { self.elapsed = elapsed }

  /// Notes that `event` came at `time`.
  mutating func note(_ time: Int, of event: borrowing Event, _ line: Span<UInt8>) {
    let number = event.sequenceNumber(in: line)
    if let last, time > last, time - last > gap?.microseconds ?? 0 {
      gap = (time - last, lastNumber, number)
    }
    let begin = first ?? time
    first = begin
    let long = max(1, (time - begin) / 20)
    if let last, time - last >= long {
      silences = silences.filter { $0.count >= long } + [last..<time]
    }
    if firstText == nil, [.outputText, .transcription].contains(event.type?.family) {
      firstText = time
    }
    (last, lastNumber) = (time, number)
  }

  /// The times as members of a JSON object.
  func members(outputTokens: Int?) -> [(name: String, value: JSONValue)] {
    let longest = gap.map { gap in
      JSONValue.object([
        ("seconds", .number(gap.microseconds, places: 6)),
        ("after", .number(gap.after)), ("before", .number(gap.before)),
      ])
    }
    return [
      ("first_event_at", .number(first, places: 6)),
      ("first_text_seconds", .number(Self.time(from: first, to: firstText), places: 6)),
      ("seconds", .number(span, places: 6)),
      ("longest_gap", longest ?? .null),
      ("output_tokens", .number(outputTokens)),
      ("tokens_per_second", .number(rate(of: outputTokens), places: 3)),
    ]
  }

  /// Whether the events of both came at the same time.
  func overlap(_ other: Self) -> Bool {
    guard let first, let last, let begin = other.first, let end = other.last else { return false }
    return first < end && begin < last
  }

  /// The longest time between two events.
  var longestGap: Int? { gap?.microseconds }

  /// The time that the response took; `nil` when that is not known, or the clock was set back.
  var span: Int? { elapsed ?? Self.time(from: first, to: last) }

  private static func time(from start: Int?, to end: Int?) -> Int? {
    guard let start, let end, start <= end else { return nil }
    return end - start
  }

  /// Tokens a second, in thousandths.
  func rate(of tokens: Int?) -> Int? {
    guard let tokens, let span, span > 0 else { return nil }
    let (product, overflows) = tokens.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? nil : product / span
  }
}

extension JSONValue {
  /// The number `value` divided by ten to the power of `places`; `null` without a value.
  static func number(_ value: Int?, places: Int = 0) -> JSONValue {
    guard let value else { return .null }
    return places == 0
      ? .integer(value) : .raw(Array(JSONDecimal.text(value, places: places).utf8))
  }
}

extension Notice {
  /// The notice that there are no times, in the words of `what`; an error has the status for bad
  /// input.
  static func unstamped(_ kind: Kind, _ what: String = "no event has a time") -> Notice {
    let why = "\(what): oresp-sse --stamp adds times while a stream comes in"
    return Notice(kind, why, status: kind == .error ? .badInput : nil)
  }
}
