import Core
import TestSupport
import Testing

@Suite struct ItemCatalogueTests {
  @Test func `each type and each type of part has one row`() {
    let types = ItemCatalogue.rows.map(\.type.description)
    #expect(Set(types).count == types.count)
    for type in types { #expect(ItemCatalogue.row(of: type)?.type.description == type) }
    #expect(ItemCatalogue.row(of: "new_call") == nil)
  }

  @Test(arguments: [
    ("openai:web_search_call", "web_search_call"), ("acme:trace", "acme:trace"),
    ("openrouter:web_search", "web_search_call"), ("openrouter:bash", "bash"),
    ("a:b:message", "message"), ("message", "message"), (":", ":"), ("acme:", "acme:"), ("", ""),
  ])
  func `a type with a slug is read as the known type without it`(type: String, kin: String) {
    #expect(ItemCatalogue.kin(of: type) == kin)
    let row = ItemCatalogue.row(of: type)
    #expect(row?.type.description == (kin.contains(":") || kin.isEmpty ? nil : kin))
  }

  @Test(
    arguments: [
      ("response.output_text.delta", [.answer], "message"),
      ("response.reasoning.done", [.reasoning], "reasoning"),
      ("response.reasoning_summary_part.added", [.summary], "reasoning"),
      ("response.content_part.added", [.answer, .refusal, .transcript, .reasoning], nil),
      ("response.mcp_call_output.delta", [.output], "mcp_call"),
      ("response.mcp_call.in_progress", [], "mcp_call"),
      ("response.shell_call_output_content.delta", [.stdout, .stderr], "shell_call_output"),
      ("response.apply_patch_call_operation_diff.delta", [.diff], "apply_patch_call"),
      ("response.web_search_call.searching", [], "web_search_call"),
      ("response.output_text.annotation.added", [], "message"),
      ("response.output_item.added", [], nil), ("response.created", [], nil),
      ("transcript.text.delta", [.answer], "transcription"),
      ("transcript.text.segment", [], "transcription"),
      ("speech.audio.delta", [], nil), ("image_edit.completed", [], nil),
    ] as [(StaticString, [TextName], String?)])
  func `an event tells what it brings, and of which items`(
    name: StaticString, values: [TextName], itemType: String?
  ) throws {
    let type = try #require(EventType(name))
    #expect(type.values.map(\.name) == values)
    #expect(type.itemType == itemType)
  }

  @Test func `a value says where its item has it`() throws {
    let type = try #require(EventType("response.shell_call_output_content.delta"))
    let value = try #require(type.values.last)
    #expect(value.list.map(\.description) == ["output"])
    #expect(value.members.map(\.description) == ["stderr"])
    let diff = try #require(
      EventType("response.apply_patch_call_operation_diff.done")?.values.first)
    #expect(diff.list.isEmpty)
    #expect(diff.members.map(\.description) == ["operation", "diff"])
  }

  /// The rows that name a piece of text name where its whole is, too.
  @Test func `every value that comes in pieces has events for the pieces and the whole`() {
    let known = ItemCatalogue.rows.flatMap(\.values).flatMap(\.families)
    for family in Set(known) where family != .contentPart && family != .reasoningSummaryPart {
      let rows = EventCatalogue.rows.filter { $0.family == family }
      #expect(rows.contains { $0.phase == .delta && $0.delta != nil }, "\(family)")
      #expect(rows.contains { $0.phase == .done }, "\(family)")
    }
  }

  @Test(arguments: [
    (#"{"type":"web_search_call","action":{"sources":[1]},"results":[2]}"#, ["[1]"]),
    (#"{"type":"file_search_call","results":[2]}"#, ["[2]"]),
    (#"{"type":"x_search_call","action":{"sources":[1]},"results":[2]}"#, ["[1]", "[2]"]),
    (#"{"type":"message","results":[2]}"#, []),
  ])
  func `an item tells its sources where its type has them`(item: String, sources: [String]) {
    let bytes = Array(item.utf8)
    let found = SourceMembers.consulted(in: bytes.span).map {
      String(decoding: bytes[$0], as: UTF8.self)
    }
    #expect(Set(found) == Set(sources))
  }
}
