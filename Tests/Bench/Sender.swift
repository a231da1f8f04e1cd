/// Rows on what the sender costs beside curl, on small events from the loopback.
struct Sender {
  let megabytes: Int
  let runs: Int

  func measure(into table: inout Table) throws {
    let answer = Self.answer(megabytes: megabytes)
    let server = try LoopbackServer { _ in answer }
    defer { server.stop() }
    var ours = Candidate("oresp-send", "-m", "m", "Hi")
    ours.environment["OPENAI_BASE_URL"] = server.baseURL
    let peer = Candidate("curl", "-sN", "-d", "{}", server.baseURL + "/responses")
    let what = "`oresp-send`, CPU time on \(megabytes) MB of small events"
    guard peer.isFound else {
      return table.add(what, against: "`curl -sN`", "not found on this machine")
    }
    try row(what, ours, peer, into: &table) { $0.cpuSeconds }
    try overHTTP2(ours, server, into: &table)
    try firstByte(into: &table)
    try row(
      "`oresp-send --version`", Candidate("oresp-send", "--version"),
      Candidate("curl", "--version"),
      into: &table
    ) { $0.wallSeconds }
  }

  private func row(
    _ what: String, _ ours: Candidate, _ peer: Candidate, into table: inout Table,
    _ cost: (Cost) -> Double
  ) throws {
    let costs = try Measure.inTurn(ours, peer, runs: runs)
    let ratios = zip(costs.ours, costs.peer).map { cost($0) / cost($1) }
    let command = ([peer.name] + peer.arguments.prefix(1)).joined(separator: " ")
    table.add(
      what, against: "`\(command)`", Measure.spread(ratios), budget: "1.2 × at most",
      isMet: Measure.median(ratios) <= 1.2)
  }

  /// The same with TLS and HTTP/2, which nginx in front of the server speaks.
  private func overHTTP2(
    _ plain: Candidate, _ server: LoopbackServer, into table: inout Table
  ) throws {
    guard Nginx.isAvailable, Certificate.isAvailable else { return }
    let certificate = try Certificate(names: ["DNS:localhost"])
    let nginx = try Nginx(to: server.port, ["proxy_buffering off"], certificate: certificate)
    let way = ["--unix-socket", nginx.socket, "--cacert", certificate.path]
    var ours = plain
    ours.environment["OPENAI_BASE_URL"] = "https://localhost/v1"
    ours.arguments += way
    var peer = Candidate("curl", "-sN", "--http2", "-d", "{}")
    peer.arguments += way + ["https://localhost/v1/responses"]
    let what = "`oresp-send`, CPU time on \(megabytes) MB over TLS and HTTP/2"
    try row(what, ours, peer, into: &table) { $0.cpuSeconds }
  }

  /// The time until the first byte of an answer comes out, of which there is no more.
  private func firstByte(into table: inout Table) throws {
    let answer = Self.answer(megabytes: 0)
    let server = try LoopbackServer { _ in answer }
    defer { server.stop() }
    var ours = Candidate("oresp-send", "-m", "m", "Hi")
    ours.environment["OPENAI_BASE_URL"] = server.baseURL
    let peer = Candidate("curl", "-sN", "-d", "{}", server.baseURL + "/responses")
    try row("`oresp-send`, an answer of two events", ours, peer, into: &table) { $0.wallSeconds }
  }

  /// A response of events of some 140 bytes, in chunks of 32 KiB.
  private static func answer(megabytes: Int) -> Answer {
    func block(_ type: String, _ members: String) -> [UInt8] {
      Array("event: \(type)\ndata: {\"type\":\"\(type)\",\(members)}\n\n".utf8)
    }
    var piece: [UInt8] = []
    while piece.count < 32 << 10 {
      piece += block(
        "response.output_text.delta",
        #""item_id":"m","sequence_number":\#(piece.count),"delta":" word""#)
    }
    let count = megabytes * 1_000_000 / piece.count
    var answer = Answer(headers: [("Content-Type", "text/event-stream")], framing: .chunked)
    answer.steps =
      [.send(block("response.created", #""response":{"id":"r"}"#))]
      + Array(repeating: .send(piece), count: count)
      + [.send(block("response.completed", #""response":{"id":"r","status":"completed"}"#))]
    return answer
  }
}
