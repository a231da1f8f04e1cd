import Core

/// When the events of one response came, in microseconds since the epoch; known only of events that
/// were stamped. Of others it may be told how long they took.
struct EventTimes {
  private(set) var first: Int?
  private(set) var firstText: Int?
  private(set) var last: Int?
  private var lastNumber: Int?
  private var gap: Gap?
  /// The times without an event that are a twentieth of all the time or more. As each makes that
  /// longer, there are never more than twenty.
  private(set) var silences: [Range<Int>] = []
  /// How long it took, where that alone is known.
  private let elapsed: Int?

  init(microseconds elapsed: Int? = nil) { self.elapsed = elapsed }

  /// The time between two events, and their sequence numbers.
  private struct Gap {
    var microseconds: Int
    var after: Int?
    var before: Int?
  }

  /// The seconds from one time to another; `null` when one is not known, or the clock was set back.
  static func seconds(from start: Int?, to end: Int?) -> JSONValue {
    guard let start, let end, start <= end else { return .null }
    return .decimal(end - start, places: 6)
  }

  /// Notes when an event came; `isText` when it is about output text.
  mutating func note(_ time: Int, number: Int?, isText: Bool) {
    if let last, time > last, time - last > gap?.microseconds ?? 0 {
      gap = Gap(microseconds: time - last, after: lastNumber, before: number)
    }
    let begin = first ?? time
    first = begin
    let long = max(1, (time - begin) / 20)
    if let last, time - last >= long {
      silences = silences.filter { $0.count >= long } + [last..<time]
    }
    if isText { firstText = firstText ?? time }
    (last, lastNumber) = (time, number)
  }

  /// The times as members of a JSON object.
  func members(outputTokens: Int?) -> [(name: String, value: JSONValue)] {
    let longest = gap.map { gap in
      JSONValue.object([
        ("seconds", .decimal(gap.microseconds, places: 6)),
        ("after", .integer(orNull: gap.after)), ("before", .integer(orNull: gap.before)),
      ])
    }
    return [
      ("first_event_at", first.map { .decimal($0, places: 6) } ?? .null),
      ("first_text_seconds", Self.seconds(from: first, to: firstText)),
      ("seconds", span.map { .decimal($0, places: 6) } ?? .null),
      ("longest_gap", longest ?? .null),
      ("output_tokens", .integer(orNull: outputTokens)),
      ("tokens_per_second", rate(of: outputTokens).map { .decimal($0, places: 3) } ?? .null),
    ]
  }

  /// Whether events came while those of `other` did.
  func overlap(_ other: Self) -> Bool {
    guard let first, let last, let begin = other.first, let end = other.last else { return false }
    return first < end && begin < last
  }

  /// The longest time between two events.
  var longestGap: Int? { gap?.microseconds }

  /// How long it took; `nil` when that is not known, or the clock was set back.
  var span: Int? {
    if let elapsed { return elapsed }
    guard let first, let last, first <= last else { return nil }
    return last - first
  }

  /// Tokens a second, in thousandths.
  func rate(of tokens: Int?) -> Int? {
    guard let tokens, let span, span > 0 else { return nil }
    let (product, overflows) = tokens.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? nil : product / span
  }
}

extension JSONValue {
  /// The number `value` divided by ten to the power of `places`.
  static func decimal(_ value: Int, places: Int) -> JSONValue {
    .raw(Array(JSONDecimal.text(value, places: places).utf8))
  }

  /// The number `value`, or `null`.
  static func integer(orNull value: Int?) -> JSONValue {
    value.map { .integer($0) } ?? .null
  }
}

extension Notice {
  /// Says `what` has no times.
  static func unstamped(_ what: String) -> Notice {
    Notice(.error, "\(what); oresp-sse --stamp adds times", status: .badInput)
  }
}
