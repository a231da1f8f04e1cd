import Core
import TestSupport
import Testing
import oresp_events

private func pipe(keep: [String], drop: [String]) throws -> EventPipe<SelectFilter> {
  var settings = EventsTool.Settings()
  for glob in keep { try settings.selection.types.keep(glob) }
  for glob in drop { try settings.selection.types.drop(glob) }
  return EventPipe(
    SelectFilter(settings), reading: EventReader.Settings(), needing: .objectsUnlessEmpty)
}

private let lines = [
  #"{"type":"response.output_text.delta","delta":"a"}"#,
  #"{"n":1.0, "type" : "response.output_text.done"}"#, #"{"type":"error.x"}"#, #"{"x":1}"#,
  #"{"type":"acme:new.delta"}"#,
]

@Suite struct SelectFilterTests {
  @Test(
    arguments: [
      ([], [], [0, 1, 2, 3, 4]), (["output_text.delta"], [], [0]),
      (["response.output_text.*"], [], [0, 1]),
      (["*.delta"], [], [0, 4]), (["*"], [], [0, 1, 2, 4]), ([], ["*.delta"], [1, 2, 3]),
      (["*"], ["output_text.{delta,done}"], [2, 4]), (["error*", "acme:*"], [], [2, 4]),
      (["output_text.delta"], ["*"], []), (["refusal.*"], [], []),
    ] as [([String], [String], [Int])])
  func `lines of selected types go through unchanged`(
    keep: [String], drop: [String], expected: [Int]
  ) throws {
    let stream = lines.joined(separator: "\n") + "\n"
    let output = expected.map { lines[$0] + "\n" }.joined()
    for chunks in cuts(of: Array(stream.utf8)) {
      #expect(try feed(pipe(keep: keep, drop: drop), chunks) == Outcome(output))
    }
  }

  @Test func `an empty input is no fault`() throws {
    #expect(try feed(pipe(keep: [], drop: []), []) == Outcome(""))
  }

  @Test(arguments: [
    (
      "output_text.dleta",
      "no known type matches output_text.dleta; did you mean output_text.delta?"
    ),
    (
      "zzzzzzzzzzzzzzz", "no known type matches zzzzzzzzzzzzzzz; oresp-events --types lists them"
    ),
    ("", "no known type matches an empty GLOB; oresp-events --types lists them"),
    (".*delta", "no known type matches .*delta; oresp-events --types lists them"),
    ("delta", "no known type matches delta; did you mean '*.delta'?"),
    ("output_text", "no known type matches output_text; did you mean 'output_text.*'?"),
    ("call", "no known type matches call; did you mean '*call*'?"),
    ("{a,b}", "no known type matches {a,b}; oresp-events --types lists them"),
  ])
  func `a glob that no known type matches gets a hint`(glob: String, hint: String) throws {
    var selection = TypeSelection()
    try selection.keep(glob)
    #expect(selection.hints == [hint])
  }

  @Test func `a glob that is not closed is refused`() {
    #expect(throws: Failure.self) { _ = try pipe(keep: ["{a"], drop: []) }
  }
}
