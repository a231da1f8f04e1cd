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
    try modes(into: &table)
    try pipeline(into: &table)
    try scale(into: &table)
    try items(into: &table)
  }

  /// A row on how many times as fast `ours` is as `peer`, which is left out if it is not found.
  private func row(
    _ ours: Candidate, _ peer: Candidate, called name: String, times budget: Double? = nil,
    into table: inout Table
  ) throws {
    let what = ([ours.name] + ours.arguments).joined(separator: " ")
    let asked = budget.map { "\($0.formatted()) ×" } ?? ""
    guard peer.isFound else {
      return table.add(
        "`\(what)`", against: name, "not found on this machine", budget: asked)
    }
    let costs = try Measure.inTurn(ours, peer, runs: runs)
    let ratios = zip(costs.ours, costs.peer).map { $1.wallSeconds / $0.wallSeconds }
    let speed = Double(inputs.megabytes) / Measure.median(costs.ours.map(\.wallSeconds))
    table.add(
      "`\(what)`", against: name, "\(Measure.spread(ratios)), \(Int(speed)) MB/s", budget: asked,
      isMet: budget.map { Measure.median(ratios) >= $0 })
  }

  private func select(into table: inout Table) throws {
    let file = try inputs.lines
    let ours = Candidate("oresp-events", "-t", "output_text.delta", input: file)
    let grep = Candidate("grep", "-F", #""type":"\#(type)""#, input: file)
    try row(ours, grep, called: "`grep -F`", into: &table)
    try row(ours, Candidate("cat", input: file), called: "`cat`", into: &table)
    let ripgrep = Candidate("rg", "-F", #""type":"\#(type)""#, input: file)
    try row(ours, ripgrep, called: "`rg -F`", into: &table)
    for peer in Peers.filters {
      let other = Candidate(peer, "-c", #"select(.type=="\#(type)")"#, input: file)
      try row(ours, other, called: Peers.called(peer), into: &table)
    }
  }

  private func split(into table: inout Table) throws {
    let file = try inputs.stream
    let ours = Candidate("oresp-sse", input: file)
    let sed = Candidate("sed", "-n", "s/^data: //p", input: file)
    try row(ours, sed, called: "`sed -n 's/^data: //p'`", into: &table)
    try row(ours, Candidate("cat", input: file), called: "`cat`", into: &table)
  }

  private func text(into table: inout Table) throws {
    let mixed = try inputs.lines
    for (file, kind) in [(mixed, ""), (try inputs.texts, ", no pictures")] {
      let ours = Candidate("oresp-text", input: file)
      for peer in Peers.filters {
        let other = Candidate(peer, "-rj", #"select(.type=="\#(type)").delta"#, input: file)
        try row(ours, other, called: Peers.called(peer) + kind, into: &table)
      }
    }
    let ours = Candidate("oresp-text", input: mixed)
    try row(ours, Candidate("cat", input: mixed), called: "`cat`", into: &table)
  }

  private func rebuild(into table: inout Table) throws {
    let file = try inputs.lines
    let ours = Candidate("oresp-events", "-R", input: file)
    let python = Candidate("python3", "-c", Self.accumulator, input: file)
    try row(ours, python, called: "Python's `json`, adding up deltas", into: &table)
    guard Peers.hasSDK else { return }
    var parser = python
    parser.arguments = ["-c", Self.parser]
    try row(
      ours, parser, called: "the official Python SDK's types, adding up deltas", times: 100,
      into: &table)
  }

  /// What the slow modes cost beside the plain one.
  private func modes(into table: inout Table) throws {
    let (lines, stream) = (try inputs.lines, try inputs.stream)
    let modes = [
      Candidate("oresp-sse", "--stamp", input: stream),
      Candidate("oresp-sse", "--envelope", input: stream),
      Candidate("oresp-sse", "-r", input: lines),
      Candidate("oresp-events", "--check", input: lines),
      Candidate("oresp-events", "--merge", input: lines),
    ]
    for mode in modes {
      let plain = Candidate("oresp-sse", input: stream)
      let costs = try Measure.inTurn(mode, plain, runs: runs)
      let ratios = zip(costs.ours, costs.peer).map { $0.cpuSeconds / $1.cpuSeconds }
      table.add(
        "`\(([mode.name] + mode.arguments).joined(separator: " "))`, CPU time",
        against: "`oresp-sse`", Measure.spread(ratios))
    }
  }

  /// All three filters at once, beside the slowest of them.
  private func pipeline(into table: inout Table) throws {
    let stages = "oresp-sse | oresp-events -k -t 'output_text.*' | oresp-text"
    let all = Candidate("bash", "-c", stages, input: try inputs.stream)
    let alone = [
      Candidate("oresp-sse", input: try inputs.stream),
      Candidate("oresp-events", "-k", "-t", "output_text.*", input: try inputs.lines),
      Candidate("oresp-text", input: try inputs.lines),
    ]
    let times = try alone.map { try run($0).wallSeconds }
    let slowest = zip(alone, times).max { $0.1 < $1.1 }?.0 ?? alone[2]
    let costs = try Measure.inTurn(all, slowest, runs: runs)
    let ratios = zip(costs.ours, costs.peer).map { $0.wallSeconds / $1.wallSeconds }
    table.add(
      "`\(stages.replacing("|", with: "\\|"))`", against: "\(slowest.name) alone",
      "\(Measure.spread(ratios)) its time")
  }

  /// Whether the time is linear in the size, and the memory flat.
  private func scale(into table: inout Table) throws {
    let sizes = [inputs.megabytes / 10, inputs.megabytes, inputs.megabytes * 100]
    let tools = [
      Candidate("oresp-sse"), Candidate("oresp-events", "-t", "output_text.delta"),
      Candidate("oresp-text"), Candidate("oresp-events", "-R"),
    ]
    for tool in tools {
      var costs: [Cost] = []
      for size in sizes {
        // The largest is a file of a tenth of that, ten times over.
        let isLarge = size > inputs.megabytes
        let file = try inputs.file(.sse, isLarge ? size / 10 : size)
        var sized = tool
        sized.arguments += Array(repeating: file, count: isLarge ? 10 : 1)
        costs.append(try isLarge ? Measure.run(sized) : run(sized))
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

  /// The memory of `--check`, which keeps each item of a response until that ends.
  private func items(into table: inout Table) throws {
    let file = try inputs.items(60_000)
    let peaks = try ["--usage", "--check"].map {
      Double(try Measure.run(Candidate("oresp-events", $0, file)).peakBytes) / Double(1 << 20)
    }
    let kept = peaks[1] - peaks[0]
    table.add(
      "`oresp-events --check`, memory for 60,000 items of one response", against: "`--usage`",
      "\(kept.short) MiB more", budget: "20 MiB at most", isMet: kept <= 20)
  }

  /// The run of the median time.
  private func run(_ tool: Candidate) throws -> Cost {
    var costs: [Cost] = []
    for _ in 0..<runs { costs.append(try Measure.run(tool)) }
    costs.sort { $0.wallSeconds < $1.wallSeconds }
    return costs[runs / 2]
  }

  /// Reads each event as the SDK does: into its types.
  private static let parser = """
    import json, sys
    from pydantic import TypeAdapter
    from openai.types.responses import ResponseStreamEvent
    event_of = TypeAdapter(ResponseStreamEvent).validate_python
    text = []
    for line in sys.stdin:
        event = event_of(json.loads(line))
        if event.type == "response.output_text.delta":
            text.append(event.delta)
        elif event.type == "response.completed":
            print(event.response.to_json(indent=None), len("".join(text)))
            text = []
    """

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
