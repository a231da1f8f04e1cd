import Core

/// Counts the requests of a batch by their status.
struct Tally {
  private var counts: [ExitStatus: Int] = [:]
  /// The count of requests that an earlier run settled, and the worst status of their results.
  private var skipped = 0
  private var skippedStatus = ExitStatus.completed
  /// The worst status of all.
  private(set) var status = ExitStatus.completed

  /// Notes that the run ends with `status`, or worse.
  mutating func note(_ status: ExitStatus) { self.status = max(self.status, status) }

  /// Counts a request that ended with `status`, or a line that is no request.
  mutating func add(_ status: ExitStatus) {
    counts[status, default: 0] += 1
    note(status)
  }

  /// Counts a request that an earlier run settled with `status`.
  mutating func skip(_ status: ExitStatus) {
    skipped += 1
    skippedStatus = max(skippedStatus, status)
    note(status)
  }

  private var all: Int { counts.values.reduce(0, +) }

  private var failed: Int { all - counts[.completed, default: 0] }

  private static let names: [(status: ExitStatus, name: String)] = [
    (.completed, "completed"), (.badInput, "with broken input"),
    (.refusedForGood, "refused for good"), (.temporary, "failed temporarily"),
    (.incomplete, "incomplete"), (.refusal, "refused by the model"), (.cancelled, "cancelled"),
  ]

  /// The worst `status` of requests, in words; empty if all completed.
  private static func worst(_ status: ExitStatus) -> String {
    guard status != .completed, let row = names.first(where: { $0.status == status }) else {
      return ""
    }
    return " (worst: \(row.name), \(status.rawValue))"
  }

  /// The notice at the end of a run: the count of each status, of the requests done before, and of
  /// the `unsent` ones, of which there may be more.
  func notice(unsent: (count: Int, isAll: Bool)) -> Notice {
    let rows = Self.names.map { ($0.name, $0.status, counts[$0.status, default: 0]) }
      .filter { $0.2 > 0 }
    let parts =
      rows.map { name, status, count in
        "\(count) \(name)" + (status == .completed ? "" : " (\(status.rawValue))")
      }
      + (skipped > 0 ? ["\(skipped) done before" + Self.worst(skippedStatus)] : [])
      + (unsent.count > 0 ? ["\(unsent.isAll ? "" : "at least ")\(unsent.count) not sent"] : [])
    let total = all + skipped + unsent.count
    let what = "\(total) request\(total == 1 ? "" : "s")"
    let kind: Notice.Kind = status == .completed ? .status : .error
    let text = parts.isEmpty ? what : what + ": " + parts.joined(separator: ", ")
    var notice = Notice(kind, text, status: status)
    notice.facts =
      [("requests", .integer(total)), ("done_before", .integer(skipped))]
      + (unsent.count > 0 ? [("not_sent", .integer(unsent.count))] : [])
      + [("by_status", .object(rows.map { ("\($0.1.rawValue)", .integer($0.2)) }))]
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
