import ProcessSupport
import Testing

/// The command line of `oresp-events`, run as a user would.
@Suite struct EventsOptionTests {
  @Test(arguments: [
    (["--index", "-1"], "--index: expected a whole number up to 9007199254740991, got -1"),
    (["--after="], "--after: expected a whole number up to 9007199254740991, got "),
    (["--before", "9007199254740992"], "--before: expected a whole number"),
    (["-m", "1.0"], "-m: expected a whole number"),
    (["--item-type", "{a"], "--item-type: a bracket or brace is not closed in {a"),
    (["--cost"], "--cost takes --prices=FILE"), (["--prices", "x"], "--prices goes with --cost"),
    (["--usage", "-t", "error"], "--usage is made of all events; select none for it"),
    (["--stats", "-e"], "--stats is made of all events"),
    (["--usage", "--cost"], "--cost and --usage exclude each other"),
    (["--cost", "--prices", "/no/such"], "/no/such: No such file or directory"),
  ])
  func `what does not go is a usage error`(arguments: [String], message: String) throws {
    let run = try ToolProcess.run("oresp-events", arguments)
    #expect(run.errors.hasPrefix("oresp-events: " + message), "\(run.errors)")
    #expect(run.outcome == .exited(2))
  }

  @Test(
    arguments: [
      (["-c"], "0\n", 0), (["-c", "-e"], "0\n", 1), (["-ceq"], "", 1),
      (["-c", "--no-count"], "", 0),
      (["--usage", "--no-usage", "--stats"], "", 0),
    ] as [([String], String, Int32)])
  func `what goes does`(arguments: [String], output: String, status: Int32) throws {
    let run = try ToolProcess.run("oresp-events", arguments)
    #expect(run.text == output)
    #expect(run.outcome == .exited(status))
  }
}
