import Core

extension EventsTool {
  static var rebuildOptions: [Option<Settings>] {
    [
      .product(
        "response", "R", .response, help: "Print each rebuilt Response object, one a line.",
        detail: """
          It is the one that the terminal event holds, cut out as it was sent, unless its
          .Ql output
          is shorter than what was streamed, which then takes its place.
          A response whose end is missing is not printed, unless
          .Fl -partial
          asks for it.
          Of an error that comes before any response, such as that of an HTTP status, nothing is
          printed; the exit status tells of it.
          """),
      .flag(
        "partial", nil, help: "With -R, print a response whose end is missing, too.",
        detail: """
          It is what was streamed, with the status
          .Ql incomplete
          for the reason
          .Ql truncated_stream .
          The exit status is that of a cut stream all the same.
          """, at: \.keepsPartial),
      .product("items", nil, .items, help: "Print each output item when it ends, one a line."),
      .optionalValue(
        "calls", "WHICH", .oneOf(["all", "pending"]),
        help: "Print each call of a tool that waits for an output or had one.",
        detail: """
          With `Cm pending` only those are printed that wait for an output from you, when their
          response has ended.
          A line is an object with `type`, `id`, `call_id`, `name`, `status`, `arguments`
          (a string, as it was sent) and `parsed` (what it says, or null if that is no JSON).
          What else the item has to be answered by is kept: `caller`, `namespace`, `environment`,
          `execution` and `pending_safety_checks`.
          """
      ) { settings, which throws(Failure) in
        guard ["all", "pending", nil].contains(which) else {
          throw .usage("expected all or pending, got \(which ?? "")")
        }
        try settings.make(.calls, true)
        settings.callsPendingOnly = which == "pending"
      },
      .product(
        "citations", nil, .citations, help: "Print what was consulted and what is cited.",
        detail: """
          A line is an object.
          What a search brings comes with
          .Ql cited
          false as soon as it is known; a citation comes with
          .Ql cited
          true when its text has ended.
          """),
    ]
  }
}
