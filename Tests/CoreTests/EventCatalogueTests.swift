import Core
import TestSupport
import Testing

@Suite struct EventCatalogueTests {
  @Test func `every row is found by its name, and no two have the same`() {
    for (index, row) in EventCatalogue.rows.enumerated() {
      #expect(EventType(row.name)?.index == index, "\(row.name)")
    }
  }

  @Test(arguments: [
    "", "x", "response", "response.", "response.output_text.delt", "response.output_text.deltas",
    "RESPONSE.OUTPUT_TEXT.DELTA", "acme:thing", "response.created\u{0}",
  ])
  func `a name that is in no row is not known`(name: String) {
    let type = EventType(Array(name.utf8).span)
    #expect(type == nil)
  }

  @Test(
    arguments: [
      ("response.text.delta", "response.output_text.delta"),
      ("response.mcp_call.arguments_done", "response.mcp_call_arguments.done"),
      ("response.reasoning.delta", "response.reasoning_text.delta"),
      ("response.error", "error"), ("response.keep_alive", "keepalive"),
    ] as [(StaticString, StaticString)])
  func `another name is in the family and phase of the official one`(
    name: StaticString, official: StaticString
  ) throws {
    let type = try #require(EventType(name))
    let known = try #require(EventType(official))
    #expect(type.family == known.family && type.phase == known.phase)
    #expect(type.row.standing != known.row.standing)
  }
}
