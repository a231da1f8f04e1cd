import Foundation
import ProcessSupport

/// Event streams made by hand, in the shape that OpenAI sends.
enum SampleStream {
  /// The events of an answer whose text arrives in `pieces`.
  static func events(_ pieces: [String]) -> [String] {
    let text = pieces.joined()
    let part = #"{"type":"output_text","text":"\#(text)","annotations":[]}"#
    let item =
      #"{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[\#(part)]}"#
    let place = #""item_id":"msg_1","output_index":0,"content_index":0"#
    var events = [
      #"{"type":"response.created","response":\#(response("in_progress"))"#,
      #"{"type":"response.output_item.added","output_index":0,"item":{"id":"msg_1","type":"message","#
        + #""status":"in_progress","role":"assistant","content":[]}"#,
      #"{"type":"response.content_part.added",\#(place),"part":{"type":"output_text","text":"","#
        + #""annotations":[]}"#,
    ]
    events += pieces.map { #"{"type":"response.output_text.delta",\#(place),"delta":"\#($0)""# }
    events += [
      #"{"type":"response.output_text.done",\#(place),"text":"\#(text)""#,
      #"{"type":"response.content_part.done",\#(place),"part":\#(part)"#,
      #"{"type":"response.output_item.done","output_index":0,"item":\#(item)"#,
      #"{"type":"response.completed","response":\#(response("completed", output: item))"#,
    ]
    return events.enumerated().map { #"\#($1),"sequence_number":\#($0)}"# }
  }

  static func response(_ status: String, output: String = "") -> String {
    #"{"id":"resp_1","object":"response","status":"\#(status)","model":"gpt-5","error":null,"#
      + #""incomplete_details":null,"output":[\#(output)]}"#
  }

  /// The block of an event that begins with its type.
  static func block(_ event: String) -> String {
    let type = event.dropFirst(#"{"type":""#.count).prefix { $0 != "\"" }
    return "event: \(type)\ndata: \(event)\n\n"
  }

  static func stream(_ events: [String]) -> String { events.map(block).joined() }

  static let pieces = ["Grüße, ", "Welt", ": ", "こんにちは", " 👋🏽."]
  static let text = pieces.joined() + "\n"
  static let events = events(pieces)
  static let stream = stream(events)
  static let bytes = Array(stream.utf8)
}
