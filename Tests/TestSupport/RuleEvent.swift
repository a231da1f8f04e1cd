import Foundation

/// An event in the few words of a rule book: what it is, then what stands in it, each with a mark
/// of its own before it.
///
///     created queued in_progress completed failed incomplete cancelled   events of the response
///     added done delta text refusal error keepalive                      other events
///     document batch log                   a Response, a line of a Batch, and one of a --log file
///     end                                  our own `oresp.end`, behind it what it says
///     :ID     of the response              .ID      of the item; .ID=TEXT an item of the output
///     =TEXT   a text                       #NUMBER  the sequence number
///     @INDEX  the output index; @- none    ^NUMBER  `oresp.n`
///     [TAG]   `oresp.request`              <ID>     `stream_id`
///     ?TYPE   of the item                  !CODE    of the error; the status of `oresp.end`
///     +NAME   a member more, so that the bytes differ; +- puts the number first
///
/// An item, its parts and its text have the output index 0 unless another is given, as servers send
/// it. What begins with a brace stands for itself.
package struct RuleEvent {
  private var kind = ""
  private var marks: [Character: String] = [:]
  private var items: [String] = []
  private let words: String

  package init(_ words: String) {
    self.words = words
    for (index, word) in words.components(separatedBy: " ").enumerated() {
      guard index > 0, let mark = word.first else {
        kind = word
        continue
      }
      if mark == ".", let range = word.range(of: "=") {
        items.append(Self.message(word[..<range.lowerBound].dropFirst(), word[range.upperBound...]))
      } else {
        marks[mark] = String("[<".contains(mark) ? word.dropFirst().dropLast() : word.dropFirst())
      }
    }
  }

  /// The line of the event, without its end.
  package var line: String {
    if kind.hasPrefix("{") { return words }
    let number = marks["#"].map { #""sequence_number":\#($0)"# }
    let body: [String?] = marks["+"] == "-" ? [number] + own : own + [number]
    return Self.object((kind == "batch" || kind == "log" ? own : type + body + tail))
  }

  private var type: [String?] {
    switch kind {
    case "error", "keepalive": [#""type":"\#(kind)""#]
    case "document": []
    default: [#""type":"\#(Self.types[kind] ?? "response." + kind)""#]
    }
  }

  private static let types = [
    "added": "response.output_item.added", "done": "response.output_item.done",
    "delta": "response.output_text.delta", "text": "response.output_text.done",
    "refusal": "response.refusal.done", "end": "oresp.end",
  ]

  /// What stands in such an event.
  private var own: [String?] {
    switch kind {
    case "document": return members(ofResponse: "completed")
    case "batch":
      let whole = Self.object(members(ofResponse: "completed"))
      return [pair("custom_id", "["), #""response":{"status_code":200,"body":\#(whole)}"#]
    case "log":
      let time = pair("time", "#", isText: false)
      return [pair("response_id", ":"), time, #""verdict":"completed""#]
    case "added", "done":
      let item =
        kind == "done"
        ? Self.message((marks["."] ?? "")[...], (marks["="] ?? "")[...])
        : Self.object([pair("id", "."), #""type":"\#(marks["?"] ?? "message")""#])
      return [pair("response_id", ":"), index, #""item":\#(item)"#]
    case "delta": return place + [pair("delta", "=")]
    case "text": return place + [pair("text", "=")]
    case "refusal": return place + [pair("refusal", "=")]
    case "error": return [pair("code", "!"), #""message":"m""#]
    case "end":
      let status = marks["!"] ?? "cut"
      return [#""exit":\#(marks["="] ?? "5"),"status":"\#(status)""#, pair("response_id", ":")]
    case "keepalive": return []
    default:
      let status = ["created": "in_progress"][kind] ?? kind
      return [#""response":\#(Self.object(members(ofResponse: status)))"#]
    }
  }

  private func members(ofResponse status: String) -> [String?] {
    [
      kind == "document" || kind == "batch" ? #""object":"response""# : nil, pair("id", ":"),
      #""status":"\#(status)""#, marks["!"].map { #""error":{"code":"\#($0)"}"# },
      #""output":[\#(items.joined(separator: ","))]"#,
    ]
  }

  private var place: [String?] { [pair("response_id", ":"), pair("item_id", "."), index] }

  private var index: String? {
    marks["@"] == "-" ? nil : #""output_index":\#(marks["@"] ?? "0")"#
  }

  /// What the toolkit adds, and members that stand last.
  private var tail: [String?] {
    let made = kind == "end" ? #""synthetic":true"# : nil
    let oresp = [made, pair("request", "["), pair("n", "^", isText: false)].compactMap { $0 }
    return [
      pair("stream_id", "<"), marks["+"].flatMap { $0 == "-" ? nil : #""\#($0)":1"# },
      oresp.isEmpty ? nil : #""oresp":{\#(oresp.joined(separator: ","))}"#,
    ]
  }

  private func pair(_ name: String, _ mark: Character, isText: Bool = true) -> String? {
    marks[mark].map { isText ? #""\#(name)":"\#($0)""# : #""\#(name)":\#($0)"# }
  }

  private static func object(_ members: [String?]) -> String {
    "{" + members.compactMap { $0 }.joined(separator: ",") + "}"
  }

  private static func message(_ id: Substring, _ text: Substring) -> String {
    let part = #"{"type":"output_text","text":"\#(text)"}"#
    return #"{"id":"\#(id)","type":"message","content":[\#(part)]}"#
  }
}
