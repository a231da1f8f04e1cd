import Core
import TestSupport
import Testing

/// What options make of an empty value, as a variable has it that is not set.
@Suite struct EmptyValueTests {
  /// The options to which it means something.
  private static let takers: [String: Set<String>] = [
    "oresp-sse": [],
    "oresp-events": [
      "item", "item-type", "request", "response-id", "type", "type-not",
    ],
    "oresp-text": ["each", "extract"],
    "oresp-send": ["instructions", "provider"],
  ]

  @Test(arguments: pages) func `an empty value is refused by the name of its option`(
    page: CommandPage
  ) throws {
    for row in page.rows where row.placeholder != nil && row.name != "help" {
      let run = try CommandRow.run([page.name, "--\(row.name)="], input: [])
      let isRefused =
        run.status == 2 && run.output.isEmpty
        && run.errors.hasPrefix("\(page.name): --\(row.name): ")
      let takes = try #require(Self.takers[page.name]).contains(row.name)
      #expect(isRefused != takes, "--\(row.name): \(run.status) \(run.errors)")
    }
  }
}
