import Core
import Testing

@testable import oresp_send

/// How a reply is read, by its status, its type and its first bytes.
@Suite struct ReplyKindTests {
  private struct Row {
    let form: ReplyPlan.Form
    var status = 200
    var type: String?
    var takesText = false
    /// The first bytes, and the kind that they show; `nil` when more are needed. Behind `$` the
    /// content ends.
    let kinds: [(opening: String, kind: ReplyKind?)]
  }

  private static let stream = "text/event-stream; charset=utf-8"
  private static let json = "application/json"

  private static let rows: [Row] = [
    // A response, whatever its type, unless that says that it is an event stream.
    Row(
      form: .response,
      kinds: [
        ("", nil), ("$", .events), ("{", .document), ("[", .document), ("<", .refusal), ("d", nil),
        ("dat", nil), ("dat$", .events), ("data", .events), ("data:x", .events), (":", .events),
        ("event", .events), ("id", .events), ("retry:", .events), ("Bad ga", .refusal),
        ("eve\0", .refusal),
        ("x", .refusal), ("\u{1F}", .refusal),
      ]),
    Row(form: .response, type: json, kinds: [("{", .document), ("<", .refusal), ("x", .refusal)]),
    Row(
      form: .response, type: stream,
      kinds: [("", nil), ("$", .events), ("x", .events), ("{", .document), ("<", .refusal)]),
    // A binary type is not looked at.
    Row(form: .response, type: "audio/wav", kinds: [("", .events), ("<", .events)]),
    Row(form: .page, type: "application/octet-stream", kinds: [("", .document)]),
    // Pages are JSON.
    Row(
      form: .page, type: json,
      kinds: [
        ("", nil), ("$", .document), ("[", .document), ("{", .document), ("<", .refusal),
        ("data", .refusal),
      ]),
    Row(form: .page, type: stream, kinds: [("data:", .events)]),
    // Other endpoints: JSON, or any text for a form.
    Row(
      form: .document,
      kinds: [("", nil), ("$", .raw), ("{", .raw), ("[", .raw), ("<", .refusal), ("x", .refusal)]),
    Row(form: .document, takesText: true, kinds: [("x", .raw), ("<", .refusal)]),
    Row(form: .document, type: stream, kinds: [("data:", .events), ("x", .events), ("{", .raw)]),
    // Content of files is anything.
    Row(form: .bytes, kinds: [("", .raw), ("<", .raw)]),
    Row(form: .bytes, type: stream, kinds: [("", .events)]),
    // A refusal is one whatever it looks like.
    Row(form: .response, status: 404, type: stream, kinds: [("", .refusal), ("data:", .refusal)]),
    Row(form: .bytes, status: 500, kinds: [("", .refusal)]),
    Row(form: .page, status: 302, kinds: [("{", .refusal)]),
  ]

  @Test func `the kind of a reply is decided by its head and its first bytes`() {
    for row in Self.rows {
      let head = ReplyHead(
        status: row.status, headers: row.type.map { [("content-type", $0)] } ?? [])
      let plan = ReplyPlan(form: row.form, takesText: row.takesText)
      for (text, kind) in row.kinds {
        let isEnd = text.hasSuffix("$")
        let opening = Array(text.utf8.filter { $0 != UInt8(ascii: "$") })
        let got = ReplyKind.of(head, plan, opening: opening.span, isEnd: isEnd)
        #expect(got == kind, "\(row.form) \(row.status) \(row.type ?? "") \(text.debugDescription)")
      }
    }
  }

  @Test func `a byte order mark and white space are no content`() {
    let document = #"{"object":"response","id":"r","status":"completed"}"#
    for start in ["\u{FEFF}", " \n", "\u{FEFF} ", "\r\n\r\n"] {
      let reply = Reply(Redaction([]))
      var output = Output()
      reply.begin(ReplyHead(status: 200, headers: [("content-type", "application/json")]))
      for byte in (start + document).utf8 { _ = reply.read([byte].span, into: &output) }
      let outcome = reply.end(nil, into: &output)
      guard case .ended = outcome else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(String(decoding: output.bytes, as: UTF8.self) == start + document)
      #expect(output.notices.allSatisfy { $0.status ?? .completed == .completed })
    }
  }
}
