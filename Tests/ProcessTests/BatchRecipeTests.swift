import Foundation
import ProcessSupport
import Testing

/// The recipes for many requests, run as they stand there.
@Suite(.waiting) struct BatchRecipeTests {
  private typealias Row = RecipeServer.Row

  /// An answer that says `text`.
  private static func response(_ text: String) -> String {
    let part = #"{"type":"output_text","text":"\#(text)","annotations":[]}"#
    let message = #"{"id":"msg_1","type":"message","role":"assistant","content":[\#(part)]}"#
    return SampleStream.response("completed", output: message)
  }

  private static func line(_ name: String, _ text: String, _ number: String, _ id: String) -> String
  {
    #"{"id":"batch_req_\#(number)","custom_id":"\#(name)","response":{"status_code":200,"#
      + #""request_id":"\#(id)","body":\#(response(text))},"error":null}"# + "\n"
  }

  @Test func `many prompts are sent, a line for each answer`() throws {
    let asks = { (text: String) in
      RecipeServer.Body.json(
        #"{"model":"gpt-5.2","instructions":"One sentence.","input":"\#(text)"}"#)
    }
    let answer = Answer.body(Self.response("So."), headers: [("x-request-id", "req_1")])
    try Recipe(
      heading: "Many requests", files: ["questions.txt": "Why?\n\nHow?\n"],
      setup: "printf '%s' '\(Self.line("1", "So.", "1", "req_1"))' >out.jsonl",
      rows: [Row("POST /responses", asks("How?"), answer)],
      writes: [
        "out.jsonl": Self.line("1", "So.", "1", "req_1")
          + Self.line("3", "So.", "3_f9352856", "req_1")
      ],
      tells: "oresp-send: 2 requests: 1 completed, 1 done before"
    ).expect()
  }

  @Test func `many requests are sent, a line for each file`() throws {
    let asks = { (text: String) in
      RecipeServer.Body.json(
        #"{"model":"gpt-5.2","instructions":"Sum it up.","input":"\#(text)"}"#)
    }
    let answer = Answer.body(
      Self.response("Short."), headers: [("x-request-id", "req_1")])
    try Recipe(
      heading: "Many requests", block: 1,
      // The second note was summed up by a run that was killed while it wrote the next line.
      setup: """
        mkdir notes; for n in 1 2 3; do printf "Long $n." >"notes/$n.md"; done
        printf '%s' '\(Self.line("notes/2.md", "Short.", "2", "req_1"))' '{"id":"batch' >out.jsonl
        """,
      rows: [
        Row("POST /responses", asks("Long 1."), answer),
        Row("POST /responses", asks("Long 3."), answer),
      ], prints: "",
      tells: "oresp-send: out.jsonl: its last 12 bytes are not a whole line, and are cut off"
    ).expect()
  }

  @Test func `a batch is handed over, waited for and read`() throws {
    let batch = { (members: String) in #"{"id":"batch_1","object":"batch",\#(members)}"# }
    let jobs = #"{"custom_id":"a","method":"POST","url":"/v1/responses","body":{}}"# + "\n"
    let lines = Self.line("b", "Two.", "2", "r") + Self.line("a", "One.", "1", "r")
    try Recipe(
      heading: "The same file to the Batch API", files: ["jobs.jsonl": jobs],
      setup: "sleep() { :; }",
      rows: [
        Row(
          "POST /files",
          .form(["purpose=batch", "file@jobs.jsonl:application/octet-stream=\(jobs)"]),
          #"{"id":"file-1","object":"file","purpose":"batch","status":"uploaded"}"#),
        Row(
          "GET /files/file-1", .none, #"{"id":"file-1","object":"file","status":"uploaded"}"#,
          #"{"id":"file-1","object":"file","status":"processed"}"#),
        Row(
          "POST /batches",
          .json(
            #"{"input_file_id":"file-1","endpoint":"/v1/responses","completion_window":"24h"}"#),
          batch(#""status":"validating""#)),
        Row(
          "GET /batches/batch_1", .none, batch(#""status":"in_progress""#),
          batch(#""status":"finalizing""#),
          batch(#""status":"completed","output_file_id":"file-2","error_file_id":null"#)),
        Row("GET /files/file-2/content", .none, lines),
      ], prints: "Two.\nOne.\n", writes: ["out.jsonl": lines]
    ).expect()
  }
}
