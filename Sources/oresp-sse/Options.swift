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
      }.without("envelope", "check", "comments"),
      .value(
        "choice", nil, "WHICH", .oneOf(["all"]),
        help: "With all, make a response of each choice.",
        detail: """
          A request for several answers, by `n`, gets several choices; without this option only the
          first is used. The responses come one after the other; the first has the token counts
          of all.
          """
      ) { settings, which throws(Failure) in
        guard which == "all" else { throw .usage("expected all, got \(which)") }
        settings.takesAllChoices = true
      }.without("reverse", "envelope", "check"),
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
        help: "Drop events of more than SIZE (default 256M).",
        detail: """
          `SIZE` is a number of bytes, or of units of `K`, `M` or `G`, powers of 1024; 0 is no
          limit. A dropped event is reported, and the exit status is 3.
          """
      ) { settings, size throws(Failure) in
        guard let bytes = Size.bytes(size) else {
          throw .usage("expected a size such as 64M, got \(size)")
        }
        settings.reading.limit = bytes
      },
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

/// Sizes as people type them, such as `64M`.
enum Size {
  /// The bytes of the size `text`: digits, and perhaps K, M or G for powers of 1024. `nil` if it is
  /// no size, or too large.
  static func bytes(_ text: String) -> Int? {
    let digits = text.utf8.prefix { ASCII.isDigit($0) }
    guard !digits.isEmpty, let number = Int(String(Substring(digits))) else { return nil }
    let units = ["": 0, "k": 10, "m": 20, "g": 30]
    guard let shift = units[text.dropFirst(digits.count).lowercased()] else { return nil }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: 1 << shift)
    return overflows ? nil : bytes
  }
}
