import Core
import Foundation
import TestSupport
import Testing
import oresp_events

/// The Response objects that are rebuilt from `lines`.
private func rebuild(_ lines: [String], partial: Bool = false) throws -> [NSDictionary] {
  var settings = EventsTool.Settings()
  settings.keepsPartial = partial
  let pipe = EventPipe(
    RebuildFilter(ResponsePrinter(settings)), reading: EventReader.Settings(),
    needing: .objectsUnlessEmpty)
  let output = feed(pipe, [Array((lines.joined(separator: "\n") + "\n").utf8)]).output
  return try output.split(separator: "\n").map { try object(String($0)) }
}

/// The recorded streams.
private func recordings() throws -> [Recording] {
  try (Corpus.files("streams", ".sse", ".ndjson") + Corpus.peers).map { try Recording($0) }
}

private func object(_ line: String) throws -> NSDictionary {
  try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
}

private func type(_ event: NSDictionary) -> String { event["type"] as? String ?? "" }

private func output(_ response: NSDictionary) -> [NSDictionary] {
  response["output"] as? [NSDictionary] ?? []
}

/// What of an item must be the same whether its end was seen or not.
private func essence(_ item: NSDictionary) -> [String] {
  var parts = [type(item)]
  for name in ["name", "call_id", "arguments", "input", "code"] {
    parts.append("\(name)=\((item[name] as? String) ?? "")")
  }
  for name in ["content", "summary"] {
    for part in item[name] as? [NSDictionary] ?? [] {
      let annotations = spelled(part["annotations"] ?? [Int]())
      let words = (part["text"] ?? part["refusal"]) as? String ?? ""
      parts.append("\(name) \(type(part)) \(words) \(annotations)")
    }
  }
  return parts
}

/// A value in one spelling, whatever its members' order.
private func spelled(_ value: Any) -> String {
  let data = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
  return String(decoding: data ?? Data(), as: UTF8.self)
}

private func words(_ response: NSDictionary) -> String {
  output(response).filter { type($0) == "message" }
    .flatMap { $0["content"] as? [NSDictionary] ?? [] }
    .compactMap { $0["text"] as? String }.joined()
}

@Suite struct RebuildTests {
  private static let ends = ["response.completed", "response.incomplete", "response.failed"]

  /// Their last event has another text than those before it, or another order.
  private static let contradictory = ["litellm-bridge-think", "ors-limit", "transformers-toolreq"]
    .map { "streams/peers/\($0).sse" }

  @Test func `every recording gives the objects of its terminal events`() throws {
    for recording in try recordings() {
      let lines = recording.events
      let ends = try lines.map(object).filter { Self.ends.contains(type($0)) }
      let rebuilt = try rebuild(lines)
      #expect(rebuilt.count == ends.count, "\(recording.path)")
      for (response, end) in zip(rebuilt, ends) {
        let told = try #require(end["response"] as? NSDictionary)
        if output(told).isEmpty, !output(response).isEmpty {
          #expect(recording.path == "streams/chatgpt-backend-empty-output.sse")
        } else {
          #expect(response == told, "\(recording.path)")
        }
      }
    }
  }

  @Test func `without its terminal event a recording gives the same items`() throws {
    for recording in try recordings() {
      let events = try recording.events.map(object)
      let ends = events.filter { Self.ends.contains(type($0)) }
      guard ends.count == 1, !events.contains(where: { type($0) == "error" }) else { continue }
      let told = try #require(ends[0]["response"] as? NSDictionary)
      let lines = zip(recording.events, events).filter { !Self.ends.contains(type($0.1)) }.map(\.0)
      let response = try #require(try rebuild(lines, partial: true).first)
      #expect(response["status"] as? String == "incomplete")
      let details = response["incomplete_details"] as? NSDictionary
      #expect(details?["reason"] as? String == "truncated_stream")
      guard !output(told).isEmpty, !Self.contradictory.contains(recording.path) else { continue }
      #expect(output(response).map(essence) == output(told).map(essence), "\(recording.path)")
    }
  }

  @Test func `cut after any event, a recording gives valid objects and the beginning of the text`()
    throws
  {
    for recording in try recordings()
    where recording.events.count < 60 && recording.path != "streams/peers/ors-limit.sse" {
      let whole = try rebuild(recording.events).map(words).joined()
      for count in recording.events.indices.dropFirst() {
        let cut = try rebuild(Array(recording.events.prefix(count)), partial: true)
        #expect(cut.count >= 1)
        #expect(whole.hasPrefix(cut.map(words).joined()), "\(recording.path) cut after \(count)")
      }
    }
  }
}
