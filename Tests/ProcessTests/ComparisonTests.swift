import Foundation
import ProcessSupport
import TestSupport
import Testing

/// The README's table of what scripts get of answers that do not simply come, made by asking a
/// server in both ways.
@Suite struct ComparisonTests {
  private struct Row {
    let words: String
    /// How the rehearsal is named that the server plays.
    let outcome: String
    var status = 200
  }

  private static let rows = [
    Row(words: "a stream that is cut off while the connection closes normally", outcome: "cut"),
    Row(words: "an answer at its token limit", outcome: "incomplete"),
    Row(words: "an answer that fails midway", outcome: "failed"),
    Row(words: "a refusal by the model", outcome: "refusal"),
    Row(words: "HTTP 401", outcome: "http-401", status: 401),
    Row(words: "HTTP 429, after the retries", outcome: "http-429", status: 429),
  ]

  @Test func `the README says what scripts get`() throws {
    let text = try Repository.text()
    for row in Self.rows {
      let line = try Self.line(of: row)
      #expect(text.contains("\n\(line)\n"), "\(line)")
    }
  }

  private static func line(of row: Row) throws -> String {
    let played = try ToolProcess("oresp-send", ["-q", "--rehearse=\(row.outcome)", "Hello"])
      .finish()
    // What the server sent, without the event that tells of the cut.
    let sent = played.text.components(separatedBy: "event: error\n")[0]
    let answer =
      row.status == 200
      ? Answer.stream(Array(sent.utf8), row.outcome == "cut" ? .untilClose : .chunked)
      : Answer.body(
        String(played.text.drop { $0 != "{" }), status: row.status,
        headers: [("retry-after-ms", "1")])
    let server = try LoopbackServer { _ in answer }
    let environment = ["OPENAI_BASE_URL": server.baseURL, "OPENAI_API_KEY": Sender.key]
    let deltas = #"jq -j 'select(.type == "response.output_text.delta").delta'"#
    let scripts = [
      #"set -o pipefail; curl -sN --fail-with-body "$OPENAI_BASE_URL/responses" -d '{}' | sed -n 's/^data: //p' | "#
        + deltas,
      "oresp-send -m gpt-5.2 Hello | oresp-text",
    ]
    let runs = try scripts.map { try ToolProcess.bash($0, environment: environment) }
    #expect(runs[0].text == runs[1].text.trimmingCharacters(in: .newlines))
    #expect(runs[0].errors == "" && runs[1].errors.hasPrefix("oresp-"))
    let printed = runs[0].text.isEmpty ? "nothing" : "the part that came"
    let statuses = runs.map { run in
      if case .exited(let status) = run.outcome { "\(status)" } else { "a signal" }
    }
    return "| \(row.words) | \(printed) | \(statuses.joined(separator: " | ")) |"
  }
}
