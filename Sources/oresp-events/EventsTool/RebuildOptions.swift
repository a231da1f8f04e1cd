import Core

extension EventsTool {
  static var rebuildOptions: [Option<Settings>] {
    [
      .product(
        "response", "R", .response, help: "Print each rebuilt Response object, one a line.",
        detail: """
          It is the object in the terminal event, unchanged.
          If its `output` is empty, the streamed output takes its place; so does text that was
          streamed, in an item that has none at its end.
          If it lists fewer items than came, a warning says so.
          A response without an end is printed only with `--partial`.
          A tag stays, as the member `oresp`; with it, in a pipe, the time at which a bad end was
          reported.
          An error, such as the one of `oresp-send` at a cut, makes it `failed`; one before any
          response, such as an HTTP status, is a failed response without an id.
          """),
      .flag(
        "partial", nil, help: "With -R, print a response without an end, too.",
        detail: """
          It has the output that came, the status `incomplete` and the reason `truncated_stream`;
          the exit status is 5, or 0 if its beginning is missing, too.
          With `--merge`, missing numbers are not reported.
          """, at: \.keepsPartial),
      .product(
        "items", nil, .items, help: "Print each output item when it ends, one a line.",
        detail: """
          An item without an end is printed when its response ends or was cut.
          Text that was streamed stays, in an item that has none at its end.
          """),
      .optionalValue(
        "calls", "WHICH", .oneOf(["all", "pending"]),
        help: "Print each tool call that needs or has an output.",
        detail: """
          `pending` prints only the calls that need an output from you, when their response has
          ended.
          A line is an object with `type`, `id`, `call_id`, `name`, `status`, `arguments` (the
          string as it was sent) and `parsed` (its value, or null if it is not JSON).
          Other members that you need to answer the call are kept: `caller`, `namespace`,
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
        "citations", nil, .citations, help: "Print the sources found, and those cited.",
        detail: """
          Each line is an object.
          A search result has `cited` false and is printed as soon as it is known.
          A citation has `cited` true and is printed when its text has ended.
          If no event brings the whole text, its first MiB is kept: citations after that have
          `text` null.
          """),
    ]
  }
}

extension ResponsePrinter {
  package init(_ settings: EventsTool.Settings) { self.init(keepsPartial: settings.keepsPartial) }
}
