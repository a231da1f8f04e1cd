import Testing

/// Streams that mean harm, or that nobody made with care.
struct HostileStream: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let bytes: [UInt8]

  private init(_ name: String, _ bytes: some Sequence<UInt8>) {
    (testDescription, self.bytes) = (name, Array(bytes))
  }

  static let all = texts + numbers + odd

  /// A response in which `text`, as it stands in a JSON string, is wherever a text can be.
  private static let texts = [
    ("escapes for a terminal", #"\u001b[31m\u001b]0;t\u0007\u009b2J\u007f\b\r"#),
    (
      "marks that nobody sees",
      "\u{202E}\u{2066}\u{200B}\u{FEFF}\u{E0041}\u{9B}\u{85}\u{2028}\u{7F}"
    ),
    ("lone surrogates and NUL", #"\ud800a\udc00\u0000\udbff"#),
    ("markup", #"</svg><script>&amp;\"'`[](javascript:x)\n# \n```sh\n|---|\t,=1+1"#),
    ("the words of a shell", #"$(touch made);`touch made`|../../../made\n--output=made"#),
    ("names of members", #"__proto__"#), ("an option", "-rf"), ("a file", "@/dev/zero"),
    ("nothing", ""),
    ("a very long line", String(repeating: "long ", count: 600)),
    ("brackets", String(repeating: "[", count: 1000)),
    ("an object", #"{\"a\":{\"a\":1e999999,\"a\":[]},\"\\u0061\":2}"#),
  ].map { HostileStream("\($0) in every text", response(text: $1, number: "1")) }

  /// A response in which `number` is wherever a number can be.
  private static let numbers = [
    "1e999999", "-1e999999", "1e-999999", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "18446744073709551616", "4294967296", "-1", "-0", "0.5", "1e0",
    #""1""#, "null", "true", "[]", "{}", String(repeating: "9", count: 1000),
  ].map { HostileStream("\($0.prefix(30)) for every number", response(text: "text", number: $0)) }

  private static let odd = [
    HostileStream(
      "members twice", response(text: "text", number: "1,\"output_index\":0,\"delta\":7")),
    HostileStream(
      "names that differ by escapes only",
      response(text: "text", number: "1").split(separator: 10).flatMap { line in
        let text = String(decoding: line, as: UTF8.self)
        return
          (text.replacing(#""type""#, with: #""ty\u0070e""#).dropLast()
          + #","type":"response.failed","ty\u0070e":"error"}"# + "\n").utf8
      }),
    HostileStream(
      "bytes that are no UTF-8",
      response(text: "text", number: "1").flatMap {
        $0 == UInt8(ascii: "x") ? [0xC3, 0x28, 0xFF, 0xED, 0xA0, 0x80] : [$0]
      }),
    HostileStream(
      "NUL between events",
      response(text: "text", number: "1").flatMap {
        $0 == 10 ? [0, 10] : [$0]
      }),
    HostileStream(
      "brackets that nest",
      (#"{"type":"response.output_text.delta","output_index":0,"delta":"a","x":"#
        + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        + "}\n").utf8),
    HostileStream(
      "objects that nest",
      (#"{"type":"response.output_item.done","output_index":0,"item":"#
        + String(repeating: #"{"item":"#, count: 30_000) + "1"
        + String(repeating: "}", count: 30_000)
        + "}\n").utf8),
    HostileStream(
      "a page of a proxy", "<!DOCTYPE html>\n<html>\u{1B}[2J502 Bad Gateway</html>\n".utf8),
    HostileStream(
      "types that are none", #"{"type":null}{"type":{}}{"type":[]}{"type":""}{"type":1}"#.utf8),
    HostileStream(
      "one line without an end",
      (#"{"type":"a","b":""# + String(repeating: "x", count: 1 << 18)).utf8),
  ]

  private static func response(text: String, number: String) -> [UInt8] {
    let lines = template.map { line in
      line.replacing("%T", with: text).replacing("%N", with: number) + "\n"
    }
    return Array(lines.joined().utf8)
  }

  /// Events of a response with an item of each kind, `%T` and `%N` standing for texts and numbers.
  private static let template: [String] = {
    let place = #""item_id":"%T","output_index":%N,"content_index":%N"#
    let citation =
      #"{"type":"url_citation","url":"https://example.org/%T","title":"%T","start_index":%N,"end_index":%N}"#
    let file =
      #"{"type":"container_file_citation","container_id":"%T","file_id":"%T","filename":"%T","start_index":%N,"end_index":%N}"#
    let part =
      #"{"type":"output_text","text":"%T","annotations":[\#(citation),\#(file)],"logprobs":[]}"#
    let items = [
      #""type":"message","role":"assistant","phase":"%T","content":[\#(part),{"type":"refusal","refusal":"%T"}]"#,
      #""type":"reasoning","summary":[{"type":"summary_text","text":"%T"}],"encrypted_content":"%T""#,
      #""type":"function_call","call_id":"%T","name":"%T","arguments":"%T""#,
      #""type":"custom_tool_call","call_id":"%T","name":"%T","input":"%T""#,
      #""type":"web_search_call","action":{"type":"search","query":"%T","sources":[{"type":"url","url":"%T"}]}"#,
      #""type":"file_search_call","queries":["%T"],"results":[{"file_id":"%T","filename":"%T","score":%N,"text":"%T"}]"#,
      #""type":"code_interpreter_call","code":"%T","container_id":"%T","outputs":[{"type":"logs","logs":"%T"},{"type":"image","url":"%T"}]"#,
      #""type":"image_generation_call","result":"%T","output_format":"%T""#,
      #""type":"mcp_call","name":"%T","server_label":"%T","arguments":"%T","output":"%T","error":"%T""#,
      #""type":"local_shell_call","call_id":"%T","action":{"type":"exec","command":["%T"],"env":{"%T":"%T"},"timeout_ms":%N}"#,
      #""type":"%T""#,
    ].enumerated().map { place, members in #"{"id":"%T\#(place)","status":"%T",\#(members)}"# }
    let usage =
      #"{"input_tokens":%N,"input_tokens_details":{"cached_tokens":%N},"output_tokens":%N,"output_tokens_details":{"reasoning_tokens":%N},"total_tokens":%N}"#
    let response =
      #""response":{"id":"resp_%T","object":"response","created_at":%N,"status":"%T","model":"%T","service_tier":"%T""#
    let deltas: [String] =
      [
        #""type":"response.created",\#(response)}"#,
        #""type":"response.output_item.added","output_index":%N,"item":\#(items[0])"#,
        #""type":"response.content_part.added",\#(place),"part":\#(part)"#,
        #""type":"response.output_text.delta",\#(place),"delta":"%T","obfuscation":"%T""#,
        #""type":"response.output_text.delta",\#(place),"delta":"%T""#,
        #""type":"response.output_text.annotation.added",\#(place),"annotation_index":%N,"annotation":\#(citation)"#,
        #""type":"response.refusal.delta",\#(place),"delta":"%T""#,
        #""type":"response.reasoning_summary_text.delta","item_id":"%T","output_index":%N,"summary_index":%N,"delta":"%T""#,
        #""type":"response.function_call_arguments.delta","item_id":"%T","output_index":%N,"delta":"%T""#,
        #""type":"response.function_call_arguments.done","item_id":"%T","output_index":%N,"name":"%T","arguments":"%T""#,
        #""type":"response.image_generation_call.partial_image","item_id":"%T","output_index":%N,"partial_image_index":%N,"partial_image_b64":"%T""#,
        #""type":"response.audio.delta","item_id":"%T","output_index":%N,"delta":"%T""#,
        #""type":"response.audio.transcript.delta","delta":"%T""#,
        #""type":"%T","%T":"%T""#,
        #""type":"error","code":"%T","message":"%T","param":"%T""#,
      ]
    let ends: [String] = items.map { item in
      #""type":"response.output_item.done","output_index":%N,"item":\#(item)"#
    }
    let end: String =
      #""type":"response.completed",\#(response),"output":[\#(items.joined(separator: ","))],"usage":\#(usage),"error":{"code":"%T","message":"%T"},"incomplete_details":{"reason":"%T"}}"#
    return (deltas + ends + [end]).map {
      "{" + $0 + #","sequence_number":%N,"oresp":{"at":%N,"request":"%T"}}"#
    }
  }()
}
