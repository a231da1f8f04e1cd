import Core

extension SSETool {
  static var formOptions: [Option<Settings>] {
    [
      .flag(
        "reverse", "r", help: "Turn one event a line into an event stream.",
        detail: """
          Each block is named after the event's
          .Ql type .
          The member
          .Ql oresp
          is taken off; an
          .Ql id
          or
          .Ql retry
          in it becomes a field of the block.
          """, at: \.isReverse),
      .flag(
        "done", nil, help: "With --reverse, end the stream with [DONE].", at: \.endsWithMark),
      .flag(
        "envelope", nil, help: "Give each event as an object of its fields.",
        detail: """
          For any event stream, whatever its data: a line is an object with
          .Ql event ,
          .Ql id
          (the last event ID),
          .Ql retry
          (when it changed) and
          .Ql data ,
          a string.
          With
          .Fl r
          such lines are turned back.
          Here the standard is the law: a last event without its blank line is dropped, and
          .Ql [DONE]
          is data as any other.
          """, at: \.isEnvelope),
      .value(
        "from", nil, "FORM", .oneOf(["chat"]),
        help: "Turn answers of Chat Completions (chat) into events of the Responses API.",
        detail: """
          See
          .Sx Chat Completions .
          """
      ) { settings, form throws(Failure) in
        guard form == "chat" else { throw .usage("expected chat, got \(form)") }
        settings.isChat = true
      },
      .flag(
        "stamp", nil, help: "Add when each event arrived.",
        detail: """
          The last member of each line is
          .Ql oresp
          with
          .Ql at ,
          seconds since the epoch, and the block's
          .Ql id
          and
          .Ql retry
          where it had them.
          A time that the event has already stays.
          """, at: \.stamps),
      .value(
        "tag", nil, "NAME", help: "Add NAME to each event, to tell streams apart in one file.",
        detail: """
          It is
          .Ql request
          in the member
          .Ql oresp .
          All tools keep the responses of each tag apart, and
          .Ql oresp-events \\-\\-request
          selects by it.
          A tag that the event has already stays.
          """
      ) { settings, name throws(Failure) in
        guard !name.isEmpty else { throw .usage("expected a name") }
        settings.tag = name
      },
      .flag(
        "comments", nil, help: "Keep comments, as events of type oresp.comment.",
        at: \.reading.keepsComments),
    ]
  }

  static var checkOptions: [Option<Settings>] {
    [
      .untilEnd,
      .value(
        "max-event", nil, "SIZE",
        help: "Drop an event longer than SIZE (256M; 0 is no limit).",
        detail: """
          A
          .Ql K ,
          .Ql M
          or
          .Ql G
          behind the number stands for powers of 1024.
          A dropped event is told, and the exit status is 3.
          """
      ) { settings, size throws(Failure) in
        guard let bytes = Size.bytes(size) else {
          throw .usage("expected a size such as 64M, got \(size)")
        }
        settings.reading.limit = bytes
      },
      .flag(
        "check", nil, help: "Print no events; tell all that a parser ignores, drops or replaces.",
        detail: """
          Each finding is a notice on stderr with its line and byte; any makes the exit status 3.
          With
          .Fl \\-envelope
          data need not be JSON.
          """, at: \.checks),
    ]
  }
}
