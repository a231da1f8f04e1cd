/// The row on what the sender costs beside curl, on small events from the loopback.
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
    let costs = try Measure.inTurn(ours, peer, runs: runs)
    let ratio = Measure.median(zip(costs.ours, costs.peer).map { $0.cpuSeconds / $1.cpuSeconds })
    table.add(
      what, against: "`curl -sN`", "\(ratio.short) ×", budget: "1.2 × at most", isMet: ratio <= 1.2)
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
