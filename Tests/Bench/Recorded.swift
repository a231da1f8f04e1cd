import Foundation

/// Rows on what logs are: recorded streams, some of them cut, and many responses or items open at
/// once.
///
/// What counts is CPU time, beside that of `floor`, a program in C that scans each event once and
/// checks all of it, or beside that of the same tool on an input without what the row adds.
struct Recorded {
  private let folder: TemporaryFolder
  private let runs: Int
  /// Where Tests/Bench/run puts it.
  private static let floor = FileManager.default.currentDirectoryPath + "/.build/bench/floor"

  /// `nil` where no recorded streams are.
  init?(megabytes: Int, runs: Int) throws {
    guard let corpus = ProcessInfo.processInfo.environment["ORESP_CORPUS"] else { return nil }
    (folder, self.runs) = (try TemporaryFolder(), runs)
    try make(
      """
      oresp-sse \(corpus)/streams/*.sse \(corpus)/streams/*.ndjson >once
      for ((i = \(megabytes)000000 / $(wc -c <once); i > 0; i--)); do cat once; done >lines
      oresp-sse -r lines >stream
      oresp-sse --stamp lines >stamped
      """)
  }

  func measure(into table: inout Table) throws {
    for row in Self.rows { try measure(row, into: &table) }
    try jq(into: &table)
    try cut(into: &table)
    try open(into: &table)
    try selected(into: &table)
  }

  /// A command, the file that it reads, and how many times the floor it may take; the others are
  /// measured for information.
  private static let rows: [(command: String, file: String, budget: Double?)] = [
    ("oresp-events -t response.output_text.delta", "lines", 1.5),
    ("oresp-events -c", "lines", nil), ("oresp-events --index 0", "lines", nil),
    ("oresp-events --item-type message", "lines", nil), ("oresp-events --usage", "lines", nil),
    ("oresp-events --citations", "lines", nil), ("oresp-events --calls", "lines", nil),
    ("oresp-events -R", "lines", 2.5), ("oresp-events --items", "lines", nil),
    ("oresp-events --stats", "lines", nil), ("oresp-events --status=plain", "stamped", nil),
    ("oresp-events --check", "lines", nil), ("oresp-events --check=openresponses", "lines", nil),
    ("oresp-events --merge", "lines", nil), ("oresp-text", "lines", 2.5),
    ("oresp-text --all", "lines", nil), ("oresp-sse", "stream", nil),
    ("oresp-sse --stamp", "stream", nil), ("oresp-sse -r", "lines", nil),
  ]

  private func measure(
    _ row: (command: String, file: String, budget: Double?), into table: inout Table
  ) throws {
    guard FileManager.default.isExecutableFile(atPath: Self.floor) else { return }
    let mode = row.command.hasPrefix("oresp-text") ? "text" : "scan"
    let floor = Candidate(Self.floor, mode, path("lines"), input: path("lines"))
    try add(row.command, candidate(row.command, row.file), floor, "the floor", row.budget, &table)
  }

  private func jq(into table: inout Table) throws {
    let chosen = #"select(.type=="response.output_text.delta")"#
    let rows: [(command: String, query: [String], budget: Double)] = [
      ("oresp-text", ["-rj", chosen + ".delta"], 8),
      ("oresp-events -t response.output_text.delta", ["-c", chosen], 20),
    ]
    for peer in Peers.filters {
      for (command, query, budget) in rows {
        var other = Candidate(peer, input: path("lines"))
        other.arguments = query
        guard other.isFound else { continue }
        let costs = try Measure.inTurn(candidate(command, "lines"), other, runs: min(runs, 3))
        let ratios = zip(costs.ours, costs.peer).map { $1.cpuSeconds / $0.cpuSeconds }
        table.add(
          "`\(command)`, recorded", against: Peers.called(peer), Measure.spread(ratios),
          budget: "\(budget.formatted()) ×", isMet: Measure.median(ratios) >= budget)
      }
    }
  }

  /// What responses that were cut cost those behind them.
  private func cut(into table: inout Table) throws {
    for count in [1, 10, 60] {
      let cut = (0..<count).flatMap { number in Self.opened("cut\(number)", "") }
      _ = try folder.file("head", cut.joined())
      try make("cat head lines >cut\(count)")
      for command in [
        "oresp-text", "oresp-events -R", "oresp-events --usage", "oresp-events --check",
      ] {
        let peer = candidate(command, "lines")
        let name = "\(command), behind \(count) cut"
        try add(name, candidate(command, "cut\(count)"), peer, "none cut", 1.3, &table)
      }
    }
  }

  /// What those that are open cost each other's events.
  private func open(into table: inout Table) throws {
    let deltas = 256_000
    for (name, tags, items) in [("one", 1, 1), ("tags", 64, 1), ("items", 1, 1000)] {
      var text = ""
      for tag in 0..<tags {
        text += Self.opened("r\(tag)", Self.tag(tag, tags), items: items).joined()
      }
      for delta in 0..<deltas {
        let (tag, item) = (delta % tags, delta % items)
        text += Self.delta("r\(tag)", item, Self.tag(tag, tags))
      }
      _ = try folder.file(name, text)
    }
    let shapes: [(file: String, name: String, budget: Double?)] = [
      ("tags", "64 tagged responses open", 2), ("items", "1,000 items open", nil),
    ]
    for (file, name, budget) in shapes {
      for command in ["oresp-events --usage", "oresp-events -R", "oresp-text"] {
        let peer = candidate(command, "one")
        try add("\(command), \(name)", candidate(command, file), peer, "one", budget, &table)
      }
    }
  }

  /// What the deltas of a selection, which has no beginning, cost beside those of a whole stream.
  private func selected(into table: inout Table) throws {
    let id = "msg_" + String(repeating: "68c1f3a2", count: 6)
    let deltas = (1...256_000).map { number in
      #"{"type":"response.output_text.delta","sequence_number":\#(number),"item_id":"\#(id)","#
        + #""output_index":0,"content_index":0,"delta":" word","logprobs":[],"#
        + #""obfuscation":"k3VxQm7Lr2t"}"# + "\n"
    }
    _ = try folder.file("whole", Self.opened("r", "").joined() + deltas.joined())
    _ = try folder.file("selected", deltas.joined())
    for command in ["oresp-events -t *.delta", "oresp-events -R --partial", "oresp-text"] {
      let peer = candidate(command, "whole")
      let name = "\(command), a selection"
      try add(name, candidate(command, "selected"), peer, "a whole stream", 1.3, &table)
    }
  }

  private func add(
    _ name: String, _ ours: Candidate, _ peer: Candidate, _ called: String, _ budget: Double?,
    _ table: inout Table
  ) throws {
    let costs = try Measure.inTurn(ours, peer, runs: runs)
    // Of what runs on a machine that others use, the least is the truest.
    let least = (costs.ours.map(\.cpuSeconds).min() ?? 0, costs.peer.map(\.cpuSeconds).min() ?? 1)
    let (ratio, peak) = (least.0 / least.1, costs.ours.map(\.peakBytes).max() ?? 0)
    table.add(
      "`\(name)`, recorded, CPU time", against: called,
      "\(ratio.short) ×, \((Double(peak) / Double(1 << 20)).short) MiB",
      budget: budget.map { "\($0.formatted()) × at most" } ?? "", isMet: budget.map { ratio <= $0 })
  }

  private func candidate(_ command: String, _ file: String) -> Candidate {
    let words = command.split(separator: " ").map(String.init)
    var candidate = Candidate(words[0], input: path(file))
    candidate.arguments = Array(words.dropFirst())
    return candidate
  }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  /// Runs `script` in the folder.
  private func make(_ script: String) throws {
    _ = try Measure.run(Candidate("bash", "-c", "cd \(folder.path)\n" + script))
  }

  private static func tag(_ tag: Int, _ tags: Int) -> String {
    tags == 1 ? "" : #","oresp":{"request":"\#(tag)"}"#
  }

  /// The beginning of a response with `items` items, each event with `end` before its last brace.
  private static func opened(_ id: String, _ end: String, items: Int = 1) -> [String] {
    [#"{"type":"response.created","response":{"id":"\#(id)","output":[]}\#(end)}"# + "\n"]
      + (0..<items).map { item in
        #"{"type":"response.output_item.added","output_index":\#(item),"item":"#
          + #"{"id":"\#(id)m\#(item)","type":"message","content":[]}\#(end)}"# + "\n"
      }
  }

  private static func delta(_ id: String, _ item: Int, _ end: String) -> String {
    #"{"type":"response.output_text.delta","output_index":\#(item),"item_id":"\#(id)m\#(item)","#
      + #""content_index":0,"delta":"word "\#(end)}"# + "\n"
  }
}
