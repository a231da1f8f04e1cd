import Core
import TestSupport
import Testing

@testable import oresp_events

private let prices = """
  {"m": {"input": 1.25, "cached": 0.125, "output": 10}, "m-x*": {"input":1e0,"output":0.000000001},
   "m*": {"reasoning":7,"output":5,"input":3},
   "w": {"input": 0.000000100, "cached": 0.000000008, "cache_write": 0, "output": 1},
   "all": {"input": 1, "output": 1, "above": {"0": {"input": 2, "output": 2}}},
   "free": {"input": 0, "output": 0.0}, "dear": {"input": 1000000, "output": 1000000},
   "large": {"input": 1, "output": 2, "tiers": {"flex": {"input": 0.5, "output": 1},
     "priority": {"input": 2, "output": 4, "above": {"10": {"input": 4, "output": 8}}}},
     "above": {"1000": {"input": 2, "output": 3}, "5000": {"input": 3, "cached": 1.5, "output": 3}}}}
  """

private func response(_ model: String, _ usage: String) -> String {
  #"{"type":"response.completed","response":{"model":"\#(model)","usage":\#(usage)}}"#
}

private func usage(_ input: Int, _ cached: Int, _ output: Int, _ reasoning: Int) -> String {
  #"{"input_tokens":\#(input),"input_tokens_details":{"cached_tokens":\#(cached)},"output_tokens":\#(output),"output_tokens_details":{"reasoning_tokens":\#(reasoning)}}"#
}

private func cacheUsage(_ input: Int, cached: Int, written: Int) -> String {
  #"{"input_tokens":\#(input),"output_tokens":0,"input_tokens_details":{"cached_tokens":\#(cached),"cache_write_tokens":\#(written)}}"#
}

private func outcome(_ lines: [String], _ prices: String) throws -> Outcome {
  let list = try PriceList(FileText(Array(prices.utf8), name: "p"))
  let pipe = EventPipe(
    CostFilter(list), reading: EventReader.Settings(), needing: .objectsUnlessEmpty)
  return feed(pipe, [Array(lines.joined(separator: "\n").utf8)])
}

/// What stands behind `"cost":` in each line.
private func costs(_ output: String) -> [String] {
  output.split(separator: "\n").map { line in
    String(line.split(separator: "\"cost\":")[1].prefix { !"},".contains($0) })
  }
}

@Suite struct CostFilterTests {
  @Test(
    arguments: [
      // A dated version, the pattern, the longer pattern, the very name.
      ("m-2025-08-07", usage(1_000_000, 0, 0, 0), "1.25"), ("m-5", usage(1_000_000, 0, 0, 0), "3"),
      ("m-0613", usage(2_000_000, 0, 0, 0), "2.5"), ("m-xy", usage(1_000_000, 0, 0, 0), "1"),
      ("m", usage(8, 3, 0, 0), "0.000006625"), ("free", usage(5, 0, 5, 0), "0"),
      ("other", usage(1, 0, 1, 0), "null"), ("", usage(1, 0, 1, 0), "null"),
      ("free-2025", usage(1, 0, 1, 0), "0"), ("free-2", usage(1, 0, 1, 0), "null"),
      // Parts of a whole are paid once, and a part is never more than the whole.
      ("m-5", usage(0, 0, 10, 4), "0.000058"), ("m-5", usage(0, 0, 10, 11), "null"),
      ("m-5", usage(1, 2, 0, 0), "null"), ("m-5", usage(10, 10, 0, 0), "0.00003"),
      // Of what was written to a cache, too.
      ("w", cacheUsage(10, cached: 3, written: 4), "0.000000000000324"),
      ("m", cacheUsage(10, cached: 3, written: 4), "null"),
      ("m", cacheUsage(10, cached: 3, written: 0), "0.000009125"),
      // Large inputs may be dearer, all of their tokens.
      ("all", usage(1, 0, 1, 0), "0.000004"), ("all", usage(0, 0, 1, 0), "0.000001"),
      ("large", usage(1000, 0, 1, 0), "0.001002"), ("large", usage(1001, 0, 1, 0), "0.002005"),
      ("large", usage(5001, 1, 1, 0), "0.0150045"),
      ("w", cacheUsage(10, cached: 7, written: 4), "null"),
      // What the server did not tell.
      ("m", "null", "null"), ("m", #"{"input_tokens":1}"#, "null"),
      ("m", #"{"input_tokens":-1,"output_tokens":1}"#, "null"),
      ("m", #"{"input_tokens":8,"output_tokens":1,"input_tokens_details":null}"#, "0.00002"),
      // No digit comes or goes.
      ("m-x", usage(0, 0, 1, 0), "0.000000000000001"),
      ("m-x", usage(3, 0, 7, 0), "0.000003000000007"),
      ("dear", usage(9_007_199_254_740_991, 0, 9_007_199_254_740_991, 0), "18014398509481982"),
      ("dear", usage(1, 0, 999_999, 0), "1000000"),
    ] as [(String, String, String)])
  func `a response costs what its tokens do`(model: String, usage: String, cost: String) throws {
    let got = costs(try outcome([response(model, usage)], prices).output)
    #expect(got == [cost, cost])
  }

  @Test(arguments: [
    ("default", 10, "0.00001"), ("auto", 10, "0.00001"), ("flex", 10, "0.000005"),
    ("priority", 10, "0.00002"), ("priority", 11, "0.000044"), ("scale", 10, "null"),
  ])
  func `a service tier has prices of its own`(tier: String, input: Int, cost: String) throws {
    let line =
      #"{"type":"response.completed","response":{"model":"large","service_tier":"\#(tier)","#
      + #""usage":\#(usage(input, 0, 0, 0))}}"#
    let outcome = try outcome([line], prices)
    #expect(costs(outcome.output) == [cost, cost])
    let told = outcome.notices
    let missing = "no price for the service tier scale of large: its cost is unknown"
    #expect(told.filter { $0.contains("price") } == (tier == "scale" ? [missing] : []))
  }

  @Test func `what has no price is told once and is in no sum`() throws {
    let lines = [
      response("m", cacheUsage(10, cached: 0, written: 4)), response("other", usage(1, 0, 1, 0)),
      response("m", cacheUsage(10, cached: 0, written: 1)), response("other", usage(1, 0, 1, 0)),
      response("", usage(1, 0, 1, 0)),
    ]
    let outcome = try outcome(lines, prices)
    #expect(costs(outcome.output) == Array(repeating: "null", count: 6))
    #expect(
      outcome.notices
        == [
          "the tokens that m wrote to its cache", "the model other", "a response without a model",
        ].map { "no price for \($0): its cost is unknown" })
  }

  @Test func `a line of the sender's log is a response`() throws {
    let usage = usage(8, 3, 0, 0)
    let lines = [
      #"{"time":"2026-01-01T00:00:00Z","response_id":"r1","response_status":"completed","response_model":"m","usage":\#(usage),"verdict":"completed"}"#,
      #"{"time":"2026-01-01T00:00:01Z","http_status":500,"verdict":"temporary"}"#,
      #"{"response_id":"r2","response_model":"large","service_tier":"flex","usage":\#(usage),"verdict":"completed"}"#,
    ]
    #expect(
      costs(try outcome(lines, prices).output) == ["0.000006625", "0.000004", "0.000010625"])
  }

  @Test func `the sums are of what is known`() throws {
    let lines = [
      response("m", usage(8, 3, 1, 0)), response("m", #"{"input_tokens":2,"output_tokens":1}"#),
      response("other", usage(1, 0, 1, 1)), #"{"type":"response.failed"}"#,
    ]
    let output = """
      {"response_id":null,"model":"m","input_tokens":8,"cached_tokens":3,"output_tokens":1,\
      "reasoning_tokens":0,"cost":0.000016625,"currency":"\\u20AC"}
      {"response_id":null,"model":"m","input_tokens":2,"cached_tokens":null,"output_tokens":1,\
      "reasoning_tokens":null,"cost":0.0000125,"currency":"\\u20AC"}
      {"response_id":null,"model":"other","input_tokens":1,"cached_tokens":0,"output_tokens":1,\
      "reasoning_tokens":1,"cost":null,"currency":"\\u20AC"}
      {"response_id":null,"model":null,"input_tokens":null,"cached_tokens":null,\
      "output_tokens":null,"reasoning_tokens":null,"cost":null,"currency":"\\u20AC"}
      {"total":{"responses":4,"unknown":2,"input_tokens":11,"cached_tokens":3,"output_tokens":3,\
      "reasoning_tokens":1,"cost":0.000029125,"currency":"\\u20AC"}}

      """
    let listed = #"{"currency":"\u20AC","m":{"input":1.25,"cached":0.125,"output":10}}"#
    #expect(try outcome(lines, listed).output == output)
  }

  @Test func `sums end where integers do`() throws {
    let most = usage(9_007_199_254_740_991, 0, 9_007_199_254_740_991, 0)
    let output = try outcome(Array(repeating: response("dear", most), count: 1100), prices).output
    let total = output.split(separator: "\n").last ?? ""
    #expect(total.contains(#""responses":1100,"unknown":588,"input_tokens":9223372036854775807"#))
    #expect(costs(output).last == "9223372036854774784")
  }

  @Test(arguments: [
    ("", "line 1, column 1: not JSON: the value does not end"),
    ("{\n \"m\": }", "line 2, column 7: not JSON: expected a value"),
    ("[]", "line 1, column 1: expected an object of models and their prices"),
    ("{\"m\":\n1}", "line 2, column 1: m: expected an object of prices"),
    (#"{"m":{"output":1}}"#, "line 1, column 6: m: input and output must be given"),
    (
      #"{"m":{"inptu":1}}"#,
      "line 1, column 15: m: no price is called inptu; did you mean input?"
    ),
    (#"{"m":{"input":1,"input":2}}"#, "line 1, column 25: m: input is given twice"),
    (#"{"m":{"input":1,"output":1},"m":{}}"#, "line 1, column 30: m: given twice"),
    (
      #"{"m":{"input":1,"output":1,"above":{"x":{}}}}"#,
      "line 1, column 38: m: above: expected a number of tokens, got x"
    ),
    (
      #"{"m":{"input":1,"output":1,"tiers":{"flex":{"input":1}}}}"#,
      "line 1, column 44: m: flex: input and output must be given"
    ),
    (
      #"{"m":{"input":1,"output":1,"tiers":[]}}"#,
      "line 1, column 36: m: tiers: expected an object of service tiers"
    ),
    (#"{"{":{}}"#, "line 1, column 3: {: a bracket or brace is not closed"),
  ])
  func `a list that is not what it must be is told with its place`(list: String, why: String) {
    #expect(throws: Failure.self) { try outcome([], list) }
    do { _ = try outcome([], list) } catch let failure as Failure {
      #expect(failure.status == .usage)
      #expect("\(failure)".contains("p: \(why)\""), "\(failure)")
    } catch {}
  }

  @Test(arguments: ["-1", "1000000.1", "0.0000000001", "\"1\"", "null", "1e99", "1e-10", "[1]"])
  func `a price that is no price is refused`(price: String) {
    #expect(throws: Failure.self) { try outcome([], #"{"m":{"input":\#(price),"output":1}}"#) }
  }

  @Test(arguments: [
    ("1e6", "1"), ("0.10000000000000", "0.0000001"), ("2.5e-9", nil),
    ("25e-9", "0.000000000000025"),
    ("1.5E+2", "0.00015"), ("0e50", "0"), ("1E0", "0.000001"),
  ])
  func `a price may be spelled as JSON does`(price: String, cost: String?) {
    let listed = #"{"m":{"input":\#(price),"output":1}}"#
    let output = try? outcome([response("m", usage(1, 0, 0, 0))], listed).output
    #expect(output.map(costs)?.first == cost)
  }
}
