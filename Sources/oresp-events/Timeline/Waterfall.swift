import Core

/// The kinds of rows, each with a colour of its own.
enum WaterfallKind: String, CaseIterable {
  case response, reasoning, search, tool, text
}

/// A response as it is drawn: rows of bars over time. All times are in microseconds since its first
/// event; if others ran beside it, since the first event of them all.
struct Waterfall {
  struct Row {
    let kind: WaterfallKind
    /// On one line, and harmless.
    let label: String
    let start: Int
    let end: Int
    /// Long times without an event of it.
    var silences: [Range<Int>] = []
    /// The time at which the response left the queue.
    var queuedUntil: Int?
    /// The time of the first text of the response, if it is in this row.
    var firstText: Int?
    /// Whether it did not complete.
    var isBroken = false

    /// `time`, or the nearest time in the row: where the clock was set back, an event may have one
    /// before its start.
    func inside(_ time: Int) -> Int { min(max(time, start), end) }
  }

  /// The name of its request, if it has one, that of the response, and facts on it; each a few
  /// words.
  private(set) var facts: [String] = []
  /// The message on its end, if it did not simply complete.
  let failure: String?
  private(set) var rows: [Row] = []
  /// The columns of the longest label, of its own or of the responses that ran beside it.
  var labelColumns = 0
  /// The time that it took; if others ran beside it, from the first event of them all to the last.
  let total: Int

  /// The legend of a silence, which is a twentieth of the time or more, and of the mark at an end.
  static let (silence, broken) = ("no event for long", "not completed")

  /// `nil` when the times of the events are not known, or the clock was set back. `shared` are the
  /// first and the last time of several responses that ran side by side with it.
  init?(_ response: TimelineFilter.Entry, beside shared: ClosedRange<Int>?) {
    let timeline = response.timeline
    guard let first = timeline.times.first, let span = timeline.times.span else { return nil }
    let begin = shared?.lowerBound ?? first
    let total = shared.map { $0.upperBound - $0.lowerBound } ?? span
    self.total = total
    failure = response.facts.failure?.harmless
    func offset(_ time: Int) -> Int { min(max(0, time - begin), total) }
    func row(_ kind: WaterfallKind, _ label: String, _ times: EventTimes) -> Row {
      let start = offset(times.first ?? begin)
      var row = Row(
        kind: kind, label: label.harmless, start: start,
        end: max(start, offset(times.last ?? begin)))
      row.silences = times.silences.filter { $0.count >= max(1, total / 20) }
        .map { row.inside(offset($0.lowerBound))..<row.inside(offset($0.upperBound)) }
      return row
    }
    var whole = row(.response, "response", timeline.times)
    whole.queuedUntil = timeline.queuedUntil.map { whole.inside(offset($0)) }
    whole.isBroken = failure != nil
    rows = [whole]
    for item in timeline.inOrder {
      var row = row(item.kind, item.label, item.times)
      row.isBroken = item.hasFailed || failure != nil && !item.isDone
      if let text = item.times.firstText, text == timeline.times.firstText {
        row.firstText = row.inside(offset(text))
      }
      rows.append(row)
    }
    labelColumns = rows.map(\.label.columns).max() ?? 0
    facts = Self.facts(response, span)
  }

  private static func facts(_ response: TimelineFilter.Entry, _ total: Int) -> [String] {
    let (known, times) = (response.facts, response.timeline.times)
    func text(_ value: JSONValue) -> String {
      String(decoding: value.string ?? [], as: UTF8.self).harmless
    }
    let (id, state) = (text(known.id), text(known.status))
    let time = TimeScale.text(total)
    let tag = text(.string(known.tag))
    let name = tag.isEmpty && id.isEmpty ? "response" : tag
    var facts = [name, id == tag ? "" : id, text(known.model)]
    if response.facts.isCut || state.isEmpty {
      facts.append(time)
    } else {
      facts.append(state + (state == "completed" ? " in " : " after ") + time)
    }
    if let first = times.first, let text = times.firstText {
      facts.append("first text \(TimeScale.text(max(0, text - first))) after the first event")
    }
    let tokens = known.tokens[.output]
    if let tokens { facts.append("\(tokens) output token\(tokens == 1 ? "" : "s")") }
    if let rate = times.rate(of: tokens) {
      facts.append("\(JSONDecimal.text(TimeScale.threeDigits(of: rate), places: 3)) tokens/s")
    }
    if let gap = times.longestGap { facts.append("longest gap \(TimeScale.text(gap))") }
    return facts.filter { !$0.isEmpty }
  }
}
