import Foundation

/// The rows that were measured, as Markdown.
struct Table {
  private var rows: [[String]] = []

  /// Adds a row; `isMet` is `nil` where there is no budget.
  mutating func add(
    _ what: String, against peer: String, _ measured: String, budget: String = "",
    isMet: Bool? = nil
  ) {
    rows.append([what, peer, measured, budget, isMet.map { $0 ? "yes" : "no" } ?? ""])
    FileHandle.standardError.write(Data("\(what), \(peer): \(measured)\n".utf8))
  }

  /// How many rows have a budget, and of how many that is met.
  var summary: String {
    let all = rows.count { $0.last != "" }
    return "\(rows.count { $0.last == "yes" }) of \(all) budgets are met."
  }

  /// Whether every budget is.
  var isMet: Bool { !rows.contains { $0.last == "no" } }

  func print() {
    let head = ["what", "against", "measured", "budget", "met"]
    for row in [head, head.map { _ in "---" }] + rows {
      Swift.print("| " + row.joined(separator: " | ") + " |")
    }
  }
}

extension Double {
  /// With so many decimals that three figures count.
  var short: String {
    String(format: self >= 100 ? "%.0f" : self >= 10 ? "%.1f" : "%.2f", self)
  }
}
