import Core

extension SSETool {
  static var formOptions: [Option<Settings>] {
    [
      .flag(
        "reverse", "r", help: "Turn one event a line back into an event stream.",
        detail: """
          Each block is named after the `type` of the event. The member `oresp` is taken off; `id`
          and `retry` in it become fields of the block.
          """, at: \.isReverse),
      .flag(
        "done", nil, help: "With --reverse, end the stream with [DONE].", at: \.endsWithMark
      ).with("reverse"),
      .flag(
        "envelope", nil, help: "Print each event as an object of its fields.",
        detail: """
          It is for any event stream, whatever its data: a line is an object with `event`, `id`
          (the last event ID), `retry` (when it changed) and `data`, a string. `-r` turns such
          lines back. Here the standard is the law: a last event without its blank line is
          dropped, and `[DONE]` is data like any other.
          """, at: \.isEnvelope),
      .value(
        "from", nil, "FORM", .oneOf(Settings.Form.allCases.map(\.rawValue)),
        help: "Read the input as chat or events, whatever it looks like.",
        detail: "With `events` nothing is converted. See `Sx Chat Completions`."
      ) { settings, form throws(Failure) in
        settings.form = Settings.Form(rawValue: form)
        guard settings.form != nil else { throw .usage("expected chat or events, got \(form)") }
      }.without("envelope", "check", "comments"),
      .value(
        "choice", nil, "WHICH", .oneOf(["all"]),
        help: "With all, make a response of each choice.",
        detail: """
          A request for several answers (`n`) gets several choices, of which otherwise only the
          first is used. The responses come one after the other; the first has all tokens.
          """
      ) { settings, which throws(Failure) in
        guard which == "all" else { throw .usage("expected all, got \(which)") }
        settings.takesAllChoices = true
      }.without("reverse", "envelope", "check"),
      .flag(
        "stamp", nil, help: "Add the time at which each event arrived.",
        detail: """
          The last member of each line is `oresp` with `at`, in seconds since the epoch, and with
          the `id` and the `retry` of the block where it had them. A time that the event has
          already stays.
          """, at: \.stamps
      ).without("reverse", "check"),
      .flag(
        "number", nil, help: "Number the lines, so that --merge knows their order.",
        detail: """
          It is `n` in the member `oresp`: how many lines came before, counted for each tag.
          Whatever is then done to the lines, `oresp-events --merge` puts them in this order;
          streams of many servers have no numbers of their own. A number that the event has
          already stays. `-r` takes it off.
          """, at: \.numbers
      ).without("reverse", "check", "envelope"),
      .value(
        "tag", nil, "NAME", help: "Mark each event with NAME, to tell streams apart.",
        detail: """
          It is `request` in the member `oresp`. All tools keep the responses of each tag apart,
          and `oresp-events --request` selects by it. A tag that the event has already stays.
          """
      ) { settings, name throws(Failure) in
        guard !name.isEmpty else { throw .usage("expected a name") }
        settings.tag = name
      }.without("reverse", "check", "envelope"),
      .flag(
        "comments", nil, help: "Keep comments, as events of type oresp.comment.",
        at: \.reading.keepsComments
      ).without("reverse", "check"),
    ]
  }

  static var checkOptions: [Option<Settings>] {
    [
      .untilEnd.without("check", "envelope"),
      .value(
        "max-event", nil, "SIZE",
        help: "Drop an event longer than SIZE bytes (default 256M).",
        detail: """
          `K`, `M` or `G` after the number stands for powers of 1024; 0 is no limit. A dropped
          event is reported, and the exit status is 3.
          """
      ) { settings, size throws(Failure) in
        guard let bytes = Size.bytes(size) else {
          throw .usage("expected a size such as 64M, got \(size)")
        }
        settings.reading.limit = bytes
      },
      .flag(
        "check", nil, help: "Report what parsers ignore, drop or replace.",
        detail: """
          No events are printed. Each finding is a message on standard error with its line and
          byte; any makes the exit status 3. With `--envelope` data need not be JSON.
          """, at: \.checks
      ).without("reverse"),
    ]
  }
}
