import Core

extension SSETool {
  static var formOptions: [Option<Settings>] {
    [
      .flag(
        "reverse", "r", help: "Turn one event a line back into an event stream.",
        detail: """
          Each block is named after the `type` of the event. The member `oresp` is removed; `id`
          and `retry` in it become fields of the block.
          """, at: \.isReverse),
      .flag(
        "done", nil, help: "With --reverse, end the stream with [DONE].", at: \.endsWithMark
      ).with("reverse"),
      .flag(
        "stamp", nil, help: "Add the time at which each event arrived.",
        detail: """
          The time is `at` in the last member, `oresp`, in seconds since the epoch, beside the
          `id` and the `retry` of the block. A time that is already there stays. A saved stream gets
          the time of reading it, so add stamps when you record.
          """, at: \.stamps
      ).without("reverse", "check"),
      .value(
        "tag", nil, "NAME", help: "Mark each event with NAME, to tell streams apart.",
        detail: """
          The tag is `request` in the member `oresp`. All tools keep the responses of each tag
          apart, and `oresp-events --request` selects by it. A tag that is already there stays.
          """
      ) { settings, name throws(Failure) in
        guard !name.isEmpty else { throw .usage("expected a name") }
        settings.tag = name
      }.without("reverse", "check", "envelope"),
      .flag(
        "number", nil, help: "Number the lines, for oresp-events --merge.",
        detail: """
          The number is `n` in the member `oresp`: how many lines came before, counted for each
          tag. `oresp-events --merge` puts the lines back in this order, whatever was done to them;
          many servers send no numbers of their own. A number that is already there stays. `-r`
          removes it.
          """, at: \.numbers
      ).without("reverse", "check", "envelope"),
      .flag(
        "envelope", nil, help: "Print each event as an object of its fields.",
        detail: """
          For any event stream, whatever its data. Each line is an object with `event`, `id`
          (the last event ID), `retry` (when it changed) and `data`, a string; `-r` turns such
          lines back. The standard is followed without exception: a last event without its blank
          line is dropped, and `[DONE]` is data like any other.
          """, at: \.isEnvelope),
      .value(
        "from", nil, "FORM", .oneOf(Settings.Form.allCases.map(\.rawValue)),
        help: "Read the input as FORM, chat or events.",
        detail: """
          Without it, the first object decides. With `events` nothing is converted. See `Sx Chat
          Completions`.
          """
      ) { settings, form throws(Failure) in
        settings.form = Settings.Form(rawValue: form)
        guard settings.form != nil else { throw .usage("expected chat or events, got \(form)") }
      }.without("envelope", "check"),
    ]
  }

  static var checkOptions: [Option<Settings>] {
    [
      .untilEnd.without("check", "envelope"),
      .flag(
        "check", nil, help: "Check the form of the stream; print no events.",
        detail: """
          All that a reader of event streams ignores, drops or replaces is reported, with its line
          and byte; then the exit status is 3. With `--envelope` data need not be JSON.
          """, at: \.checks
      ).without("reverse"),
    ]
  }
}
