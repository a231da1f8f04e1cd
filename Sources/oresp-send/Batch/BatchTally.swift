import Core

/// Counts the requests of a batch by their status, and what they cost in tokens.
struct BatchTally {
  private var counts: [ExitStatus: Int] = [:]
  private var inputTokens = 0
  private var outputTokens = 0
  /// The count of requests that a second run would send again.
  private var unsettled = 0
  /// The counts of requests by the reason why they came to nothing, and of those by any further
  /// reason.
  private var reasons: [String: Int] = [:]
  private var others = 0

  /// The most reasons that are counted, and of them the most that are told.
  private static let mostReasons = 100
  private static let mostTold = 5

  /// Counts a line that is no request.
  mutating func addBroken() { counts[.badInput, default: 0] += 1 }

  /// Counts a request that ended with `status`; `line` is its result, or its last event, and
  /// `reason` says why it came to nothing, if that was not told.
  mutating func add(_ status: ExitStatus, _ line: [UInt8], _ reason: String? = nil) {
    counts[status, default: 0] += 1
    if let reason {
      if reasons[reason] != nil || reasons.count < Self.mostReasons {
        reasons[reason, default: 0] += 1
      } else {
        others += 1
      }
    }
    unsettled += DoneList.settles(line.span) ? 0 : 1
    let usage = Self.usage(in: line)
    inputTokens += usage["input_tokens"] ?? usage["prompt_tokens"] ?? 0
    outputTokens += usage["output_tokens"] ?? usage["completion_tokens"] ?? 0
  }

  /// The counts of tokens in a result, or in the last event of a response.
  private static func usage(in line: [UInt8]) -> [String: Int] {
    let place =
      JSONChildren.value(of: "response", "body", "usage", in: line.span)
      ?? JSONChildren.value(of: "response", "usage", in: line.span)
    guard let place else { return [:] }
    let members = JSONValue(object: line.span.extracting(place))?.members ?? []
    return members.reduce(into: [:]) { counts, member in
      guard case .raw(let text) = member.value, let count = JSONNumber.integer(text.span) else {
        return
      }
      // A sum of larger numbers could overflow.
      counts[member.name] = 0...1 << 40 ~= count ? count : 0
    }
  }

  var all: Int { counts.values.reduce(0, +) }

  private var failed: Int { all - counts[.completed, default: 0] }

  private static let names: [(status: ExitStatus, name: String)] = [
    (.completed, "completed"), (.badInput, "with broken input"),
    (.refusedForGood, "refused for good"), (.temporary, "failed temporarily"),
    (.incomplete, "incomplete"), (.refusal, "refused by the model"), (.cancelled, "cancelled"),
  ]

  /// The reasons why requests came to nothing, each with its count, the most frequent first.
  private var toldReasons: [(name: String, count: Int)] {
    let all = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let told = all.prefix(Self.mostTold).map { (name: $0.key, count: $0.value) }
    let rest = others + all.dropFirst(Self.mostTold).reduce(0) { $0 + $1.value }
    return told + (rest > 0 ? [("of other kinds", rest)] : [])
  }

  /// The worst `status` of requests, in words; empty if all completed.
  private static func worst(_ status: ExitStatus) -> String {
    guard status != .completed, let row = names.first(where: { $0.status == status }) else {
      return ""
    }
    return " (worst: \(row.name), \(status.rawValue))"
  }

  /// The notice at the end: the count of each status, of the `skipped` requests, done before with
  /// `skippedStatus` as their worst, and of the `unsent` ones, of which there may be more; the
  /// reasons; the tokens; and, if anything failed or has not ended, how many requests a second run
  /// would send.
  func summary(
    skipped: Int, _ skippedStatus: ExitStatus, unsent: (count: Int, isAll: Bool),
    _ status: ExitStatus, hasDoneFile: Bool
  ) -> Notice {
    let rows = Self.names.map { ($0.name, $0.status, counts[$0.status, default: 0]) }
      .filter { $0.2 > 0 }
    let parts =
      rows.map { name, status, count in
        "\(count) \(name)" + (status == .completed ? "" : " (\(status.rawValue))")
      }
      + (skipped > 0 ? ["\(skipped) done before" + Self.worst(skippedStatus)] : [])
      + (unsent.count > 0 ? ["\(unsent.isAll ? "" : "at least ")\(unsent.count) not sent"] : [])
      + (unsent.isAll ? [] : ["the rest not read"])
    let total = all + skipped + unsent.count
    let told = toldReasons
    let what = "\(total) request\(total == 1 ? "" : "s")"
    let kind: Notice.Kind = status == .completed ? .status : .error
    let left = unsettled + unsent.count
    // A line that is no request never is one.
    let hasMore = failed > counts[.badInput, default: 0] || left > 0 || !unsent.isAll
    let sends =
      switch (left, unsent.isAll) {
      case (0, true): "none"
      case (0, false): "the rest"
      case (_, true): "\(left)"
      case (_, false): "at least \(left)"
      }
    let clauses =
      [parts.isEmpty ? what : what + ": " + parts.joined(separator: ", ")]
      + (told.isEmpty
        ? [] : ["reasons: " + told.map { "\($0.count) \($0.name)" }.joined(separator: ", ")])
      + (inputTokens + outputTokens > 0 ? ["\(inputTokens) tokens in, \(outputTokens) out"] : [])
      + (hasMore ? ["a second run\(hasDoneFile ? "" : " with --done") sends \(sends)"] : [])
    var notice = Notice(kind, clauses.joined(separator: "; "), status: status)
    notice.facts =
      [
        ("requests", .integer(total)), ("done_before", .integer(skipped)),
        ("input_tokens", .integer(inputTokens)), ("output_tokens", .integer(outputTokens)),
        ("left", .integer(left)),
      ]
      + (unsent.count > 0 ? [("not_sent", .integer(unsent.count))] : [])
      + [("by_status", .object(rows.map { ("\($0.1.rawValue)", .integer($0.2)) }))]
      + (told.isEmpty
        ? [] : [("reasons", .object(told.map { ($0.name, .integer($0.count)) }))])
    return notice
  }

  /// The progress line for a terminal: `running` requests are on their way, and `milliseconds` have
  /// passed.
  func progress(running: Int, after milliseconds: Int) -> String {
    let perSecond = Double(all) * 1000 / Double(max(milliseconds, 1))
    return "\(all) done, \(failed) failed, \(running) running, "
      + JSONDecimal.text(Int(perSecond * 10), places: 1) + "/s"
  }
}
