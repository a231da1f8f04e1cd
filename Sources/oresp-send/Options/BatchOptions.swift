import Core

extension SendSettings {
  static var batchOptions: [Option<Self>] {
    [
      .optionalValue(
        "batch", "FILE", .file, help: "Send each line of FILE, a prompt or a request.",
        detail: """
          The operands are such files, too; without any file, standard input is read. If FILE begins
          with `{`, its lines are requests in the form of the Batch API, else prompts. Each answer
          is a line, in that form, too. See `oresp-batch(7)`.
          """
      ) { settings, path in
        settings.batch.isOn = true
        settings.batch.path = path
      },
      .value("jobs", "j", "N", help: "Send N requests at once (default 8).") {
        settings, text throws(Failure) in
        guard let count = Int(text), 1...1000 ~= count else {
          throw .usage("expected a number from 1 to 1000, got \(text)")
        }
        settings.batch.jobs = count
      }.with("batch"),
      .value(
        "rate", nil, "N/UNIT", help: "Start at most N requests per s, min or h.",
        detail: "They are spaced evenly; retries count, too."
      ) { settings, text throws(Failure) in
        settings.batch.spacing = try Self.spacing(text)
      }.with("batch"),
      .flag(
        "keep-order", "k", help: "Print the answers in the order of the input.",
        at: \.batch.keepsOrder
      ).with("batch"),
      .value(
        "done", nil, "FILE", .file, help: "Skip the requests that FILE has answers to.",
        detail: """
          FILE is the output of an earlier run; a missing file is created. If standard output is
          appended to it, the same command continues where it stopped.
          """
      ) { settings, path throws(Failure) in
        guard path != "-" else { throw .usage("standard input is the batch's; name a file") }
        settings.batch.donePath = path
      }.with("batch"),
      .flag(
        "events", nil, help: "Print the events of all requests, each tagged.",
        detail: "The tag is the `custom_id`; the filters use it to keep the requests apart.",
        at: \.batch.givesEvents
      ).with("batch"),
      .value(
        "custom-id", nil, "ID", help: "With -n, print the line ID of a batch.",
        detail: """
          The line has the form of the Batch API and of `--batch`: `ID` is its `custom_id`, and the
          body has no `stream`.
          """
      ) { settings, id throws(Failure) in
        guard !id.isEmpty else { throw .usage("expected a name") }
        settings.customID = id
      }.with("dry-run").without(verbs + ["batch", "form"]),
    ]
  }

  /// The microseconds between two starts by `text`, such as `60/min`.
  private static func spacing(_ text: String) throws(Failure) -> Int {
    let units = ["s": 1_000_000, "min": 60_000_000, "h": 3_600_000_000]
    let (number, unit) = Typed.parts(of: text, at: "/")
    guard let count = Int(number), 1...1_000_000 ~= count, let time = units[unit ?? "min"] else {
      throw .usage("expected a number per s, min or h, such as 60/min, got \(text)")
    }
    return time / count
  }
}
