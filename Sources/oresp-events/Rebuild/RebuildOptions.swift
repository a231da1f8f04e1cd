import Core

extension EventsTool {
  static var rebuildOptions: [Option<Settings>] {
    [
      .product(
        "response", "R", .response, help: "Print each rebuilt Response object, one a line.",
        detail: """
          It is the object of the terminal event, cut out as it was sent. If its `output` is
          shorter than what was streamed, the streamed items take its place. A response without an
          end is not printed, unless `--partial` is given. Of an error before any response, such
          as that of an HTTP status, nothing is printed; the exit status tells of it.
          """),
      .flag(
        "partial", nil, help: "With -R, print a response without an end, too.",
        detail: """
          It is what was streamed, with the status `incomplete` for the reason `truncated_stream`.
          The exit status is that of a cut stream all the same.
          """, at: \.keepsPartial),
      .product("items", nil, .items, help: "Print each output item when it ends, one a line."),
      .optionalValue(
        "calls", "WHICH", .oneOf(["all", "pending"]),
        help: "Print each tool call that needs or has an output.",
        detail: """
          With `pending` only those are printed that wait for an output from you when their
          response has ended. A line is an object with `type`, `id`, `call_id`, `name`, `status`,
          `arguments` (a string, as it was sent) and `parsed` (their JSON value, or null if they
          are no JSON). What else the item has to be answered by is kept: `caller`, `namespace`,
          `environment`, `execution` and `pending_safety_checks`.
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
          A line is an object. The results of a search come as soon as they are known, with
          `cited` false; a citation comes when its text has ended, with `cited` true.
          """),
    ]
  }
}
