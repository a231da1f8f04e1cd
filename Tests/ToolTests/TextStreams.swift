import Core
import TestSupport
import oresp_text

/// Streams of answers, made by hand, and what `oresp-text` makes of them.
enum TextStream {
  static let created = #"{"type":"response.created","response":{"id":"r"}}"#
  static let completed = #"{"type":"response.completed","response":{"output":[]}}"#

  /// An event with these members only.
  static func event(_ type: String, _ members: String) -> String {
    #"{"type":"response.\#(type)",\#(members)}"#
  }

  static func delta(_ text: String, _ index: Int = 0, part: Int = 0) -> String {
    #"{"type":"response.output_text.delta","output_index":\#(index),"content_index":\#(part),"delta":"\#(text)"}"#
  }

  static func annotation(_ annotation: String, part: Int = 0) -> String {
    #"{"type":"response.output_text.annotation.added","output_index":0,"content_index":\#(part),"annotation":\#(annotation)}"#
  }

  /// A citation of `url` by the characters from `start` to `end`.
  static func url(_ url: String, _ start: Int, _ end: Int, title: String = "") -> String {
    #"{"type":"url_citation","url":"\#(url)","title":"\#(title)","start_index":\#(start),"end_index":\#(end)}"#
  }

  static func message(_ text: String, _ annotations: String...) -> String {
    #"{"type":"message","id":"m","content":[{"type":"output_text","text":"\#(text)","annotations":[\#(annotations.joined(separator: ","))]}]}"#
  }

  static func done(_ item: String, _ index: Int = 0) -> String {
    #"{"type":"response.output_item.done","output_index":\#(index),"item":\#(item)}"#
  }

  static func final(_ items: String...) -> String {
    #"{"type":"response.completed","response":{"output":[\#(items.joined(separator: ","))]}}"#
  }

  /// Settings for texts of `kinds`, in a style that `change` makes.
  static func settings(
    _ kinds: TextKinds = .answer, _ change: (inout TextStyle) -> Void = { _ in }
  ) -> AnswerFilter.Settings {
    var settings = AnswerFilter.Settings()
    settings.kinds = kinds
    change(&settings.style)
    return settings
  }

  static func filter(_ settings: AnswerFilter.Settings) -> EventPipe<AnswerFilter> {
    EventPipe(AnswerFilter(settings), reading: EventReader.Settings(), needing: .typed)
  }

  /// The ways to cut the stream of `lines` that do not print `text`.
  static func mismatches(
    _ lines: [String], _ text: String, _ settings: AnswerFilter.Settings
  ) -> [String] {
    let stream = lines.joined(separator: "\n")
    return TestSupport.mismatches(feeding: stream, expecting: Outcome(text)) { filter(settings) }
  }
}
