/// Rows on how fast a file goes through a tool, its output going to a pipe.
struct Throughput {
  let inputs: Inputs
  let runs: Int

  private let type = "response.output_text.delta"

  func measure(into table: inout Table) throws {
    try select(into: &table)
    try split(into: &table)
    try text(into: &table)
    try rebuild(into: &table)
    try pipeline(into: &table)
    try scale(into: &table)
  }

  /// A row on how many times as fast `ours` is as `peer`, which is left out if it is not found.
  private func row(
    _ ours: Candidate, _ peer: Candidate, called name: String, times budget: Double?,
    into table: inout Table
  ) throws {
    let what = ([ours.name] + ours.arguments).joined(separator: " ")
    let asked = budget.map { "\($0.formatted()) ×" } ?? ""
    guard peer.isFound else {
      return table.add(
        "`\(what)`", against: name, "not found on this machine", budget: asked)
    }
    let costs = try Measure.inTurn(ours, peer, runs: runs)
    let ratio = Measure.median(zip(costs.ours, costs.peer).map { $1.wallSeconds / $0.wallSeconds })
    let speed = Double(inputs.megabytes) / Measure.median(costs.ours.map(\.wallSeconds))
    table.add(
      "`\(what)`", against: name, "\(ratio.short) × (\(Int(speed)) MB/s)", budget: asked,
      isMet: budget.map { ratio >= $0 })
  }

  private func select(into table: inout Table) throws {
    let file = try inputs.lines
    let ours = Candidate("oresp-events", "-t", "output_text.delta", input: file)
    let grep = Candidate("grep", "-F", #""type":"\#(type)""#, input: file)
    try row(ours, grep, called: "`grep -F`", times: 1.5, into: &table)
    try row(ours, Candidate("cat", input: file), called: "`cat`", times: nil, into: &table)
    for peer in ["jq", "gojq", "jaq"] {
      let other = Candidate(peer, "-c", #"select(.type=="\#(type)")"#, input: file)
      try row(ours, other, called: called(peer), times: budget(peer, 60, 40), into: &table)
    }
  }

  private func split(into table: inout Table) throws {
    let file = try inputs.stream
    let ours = Candidate("oresp-sse", input: file)
    let sed = Candidate("sed", "-n", "s/^data: //p", input: file)
    try row(ours, sed, called: "`sed -n 's/^data: //p'`", times: 2, into: &table)
    try row(ours, Candidate("cat", input: file), called: "`cat`", times: nil, into: &table)
  }

  private func text(into table: inout Table) throws {
    let mixed = try inputs.lines
    for (file, kind) in [(mixed, ""), (try inputs.texts, ", no pictures")] {
      let ours = Candidate("oresp-text", input: file)
      for peer in ["jq", "gojq", "jaq"] {
        let other = Candidate(peer, "-rj", #"select(.type=="\(type)").delta"#, input: file)
        let times = budget(peer, 30, 20)
        try row(ours, other, called: called(peer) + kind, times: times, into: &table)
      }
    }
    let ours = Candidate("oresp-text", input: mixed)
    try row(ours, Candidate("cat", input: mixed), called: "`cat`", times: nil, into: &table)
  }

  private func rebuild(into table: inout Table) throws {
    let file = try inputs.lines
    let ours = Candidate("oresp-events", "-R", input: file)
    let python = Candidate("python3", "-c", Self.accumulator, input: file)
    try row(
      ours, python,
      called: "Python's `json`, adding up deltas (the SDK, which does more, is not run)",
      times: nil, into: &table)
  }

  /// All three filters at once, beside the slowest of them.
  private func pipeline(into table: inout Table) throws {
    let stages = "oresp-sse | oresp-events -k -t 'output_text.*' | oresp-text"
    let all = Candidate("bash", "-c", stages, input: try inputs.stream)
    let costs = try Measure.inTurn(
      all, Candidate("oresp-text", input: try inputs.lines), runs: runs)
    let ratio = Measure.median(zip(costs.ours, costs.peer).map { $0.wallSeconds / $1.wallSeconds })
    table.add(
      "`\(stages.replacing("|", with: "\\|"))`", against: "`oresp-text` alone",
      "\(ratio.short) × its time", budget: "1.2 × at most", isMet: ratio <= 1.2)
  }

  /// `jq` with its version, on which the budget depends.
  private func called(_ peer: String) -> String {
    let version = Peers.version(of: peer)
    return "`\(peer)`" + (version.isEmpty ? "" : " " + version)
  }

  private func budget(_ peer: String, _ old: Double, _ new: Double) -> Double? {
    switch peer {
    case "jq": ["1.5", "1.6", "1.7"].contains { Peers.version(of: peer).contains($0) } ? old : new
    case "jaq": new
    default: nil
    }
  }

  /// Whether the time is linear in the size, and the memory flat.
  private func scale(into table: inout Table) throws {
    let sizes = [inputs.megabytes / 10, inputs.megabytes, inputs.megabytes * 10]
    let tools = [
      Candidate("oresp-sse"), Candidate("oresp-events", "-t", "output_text.delta"),
      Candidate("oresp-text"), Candidate("oresp-events", "-R"),
    ]
    for var tool in tools {
      var costs: [Cost] = []
      for size in sizes {
        tool.input = try inputs.file(.sse, size)
        costs.append(try run(tool))
      }
      let what = "`\(([tool.name] + tool.arguments).joined(separator: " "))`"
      let perSize = zip(costs, sizes).map { ($0.wallSeconds * 1e3 / Double($1)).short }
      table.add(
        "\(what), ms for each MB", against: sizes.map { "\($0) MB" }.joined(separator: ", "),
        perSize.joined(separator: ", "))
      let peaks = costs.map { (Double($0.peakBytes) / Double(1 << 20)) }
      table.add(
        "\(what), peak memory", against: sizes.map { "\($0) MB" }.joined(separator: ", "),
        peaks.map(\.short).joined(separator: ", ") + " MiB", budget: "16 MiB",
        isMet: (peaks.max() ?? 99) < 16)
    }
  }

  /// The run of the median time.
  private func run(_ tool: Candidate) throws -> Cost {
    var costs: [Cost] = []
    for _ in 0..<runs { costs.append(try Measure.run(tool)) }
    costs.sort { $0.wallSeconds < $1.wallSeconds }
    return costs[runs / 2]
  }

  private static let accumulator = """
    import json, sys
    for line in sys.stdin:
        event = json.loads(line)
        kind = event["type"]
        if kind == "response.created":
            response = event["response"]
        elif kind == "response.output_item.added":
            response["output"].append(event["item"])
        elif kind == "response.content_part.added":
            item = response["output"][event["output_index"]]
            item.setdefault("content", []).append(event["part"])
        elif kind == "response.output_text.delta":
            item = response["output"][event["output_index"]]
            item["content"][event["content_index"]]["text"] += event["delta"]
        elif kind == "response.completed":
            print(json.dumps(event["response"]))
    """
}
