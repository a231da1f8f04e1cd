import Core
import Foundation
import TestSupport
import Testing
import oresp_text

/// The text of recorded streams, whichever of their events are left.
@Suite struct AnswerFormTests {
  /// The events that are left of a stream.
  enum Form: CaseIterable {
    case all, onlyDone, onlyDeltas, onlyFinal

    func keeps(_ type: String) -> Bool {
      let isEnd = ["response.completed", "response.incomplete", "response.failed"].contains(type)
      return switch self {
      case .all: true
      case .onlyDone: type.hasSuffix(".done")
      case .onlyDeltas: type.hasSuffix(".delta")
      case .onlyFinal: isEnd
      }
    }
  }

  private func text(of lines: [String], _ kinds: TextKinds = .answer) -> String {
    var settings = AnswerFilter.Settings()
    settings.kinds = kinds
    let pipe = EventPipe(
      AnswerFilter(settings), reading: EventReader.Settings(), needing: .objectsUnlessEmpty)
    return feed(pipe, [Array(lines.joined(separator: "\n").utf8)]).output
  }

  /// Whether the whole text is in the deltas alone: in the guide, and in what one relay sends.
  private static func hasDeltasOnly(_ path: String) -> Bool {
    path.hasPrefix("api/") || path.hasPrefix("streams/peers/ors-")
  }

  /// Recordings whose whole texts alone look like two answers: a message is done twice under one
  /// index, or its parts fall behind each other.
  private static let repeatsWholes = [
    "streams/peers/litellm-bridge-think.sse", "streams/peers/transformers-twice.sse",
  ]

  private func type(of line: String) -> String {
    let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return object?["type"] as? String ?? ""
  }

  @Test(arguments: Corpus.eventStreams + Corpus.eventLines)
  func `the text is the same in all forms of a stream`(path: String) throws {
    let recording = try Recording(path)
    let events = recording.events.map { (line: $0, type: type(of: $0)) }
    for form in Form.allCases {
      let lines = events.filter { form.keeps($0.type) }.map(\.line)
      let isPartial = form == .onlyDone || form == .onlyFinal
      if isPartial, Self.hasDeltasOnly(path) { continue }
      if form == .onlyDone, Self.repeatsWholes.contains(path) { continue }
      // Parts alone do not tell that their message is commentary.
      let isMarked = form == .all || form == .onlyFinal
      let expected = isMarked ? recording.text : recording.textOfAllPhases
      #expect(text(of: lines) == expected, "\(form)")
    }
  }

  @Test(arguments: Corpus.eventStreams + Corpus.eventLines)
  func `a stream that is cut behind any event gives a beginning of the text`(path: String) throws {
    let recording = try Recording(path)
    let events = recording.events
    // Behind every event of the shorter streams, and at so many places of the longer.
    for count in stride(from: 0, to: events.count, by: max(1, events.count / 40)) {
      let cut = text(of: Array(events.prefix(count)))
      let printed = cut.hasSuffix("\n") ? String(cut.dropLast()) : cut
      #expect(recording.text.hasPrefix(printed), "cut after \(count) events")
    }
  }

  @Test(arguments: Corpus.eventStreams + Corpus.eventLines)
  func `other kinds of text do not depend on how they came`(path: String) throws {
    let recording = try Recording(path)
    guard !Self.hasDeltasOnly(path) else { return }
    let events = recording.events.map { (line: $0, type: type(of: $0)) }
    let whole = text(of: events.map(\.line), [.answer, .reasoning, .refusal])
    let final = events.filter { Form.onlyFinal.keeps($0.type) }.map(\.line)
    #expect(text(of: final, [.answer, .reasoning, .refusal]) == whole)
  }
}
