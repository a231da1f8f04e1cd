import Core

extension EventsTool {
  static var selectOptions: [Option<Settings>] {
    [
      .value(
        "type", "t", "GLOB", .oneOf(typeNames), help: "Keep only events of type GLOB; repeatable.",
        detail: """
          A leading `response.` may be left out.
          In `GLOB`, `*` matches any text, `?` one character, `[a-z]` one of a set, `[!a-z]`
          one outside it, and `{a,b}` any of several texts.
          """
      ) { settings, glob throws(Failure) in try settings.selection.types.keep(glob) },
      .value(
        "type-not", "T", "GLOB", .oneOf(typeNames),
        help: "Drop events of type GLOB; repeatable.",
        detail: """
          `-T` wins over `-t`.
          """
      ) { settings, glob throws(Failure) in try settings.selection.types.drop(glob) },
      .value(
        "item", nil, "ID", help: "Keep only events of the item ID; repeatable.",
        detail: """
          Some servers give each event another id; use `--index` there.
          """
      ) { settings, id throws(Failure) in settings.selection.place.itemIDs.append(Array(id.utf8)) },
      .value(
        "item-type", nil, "GLOB",
        .oneOf(ItemCatalogue.rows.map(\.type.description).filter { $0 != "transcription" }),
        help: "Keep only events of item type GLOB; repeatable.",
        detail: """
          `output_item.added` or `output_item.done` shows the type of an item.
          Earlier events of the item are dropped.
          """
      ) { settings, glob throws(Failure) in
        try settings.selection.place.keep(itemType: glob)
      },
      .value(
        "index", nil, "N", help: "Keep only events with output_index N; repeatable."
      ) { settings, text throws(Failure) in
        settings.selection.place.indexes.append(try number(text))
      },
      .value(
        "after", nil, "N", help: "Keep only events with a sequence_number above N.",
        detail: """
          Events without a number are dropped.
          """
      ) { settings, text throws(Failure) in settings.selection.place.after = try number(text) },
      .value(
        "before", nil, "N", help: "Keep only events with a sequence_number below N.",
        detail: """
          Events without a number are dropped.
          """
      ) { settings, text throws(Failure) in settings.selection.place.before = try number(text) },
      .value(
        "request", nil, "NAME", help: "Keep only responses tagged NAME; repeatable.",
        detail: """
          `oresp-sse --tag` sets the tag.
          """
      ) { settings, name throws(Failure) in settings.responses.tags.append(Array(name.utf8)) },
      .value(
        "response-id", nil, "ID", help: "Keep only the response ID; repeatable."
      ) { settings, id throws(Failure) in settings.responses.ids.append(Array(id.utf8)) },
      .value(
        "nth", nil, "N", help: "Keep only the Nth response; repeatable.",
        detail: """
          Responses are counted in the order in which they begin, over all files.
          `--request`, `--response-id` and `--nth` also limit the products, except `--check` and
          `--types`. Only the responses that are kept count for the exit status.
          If there is none, a message says what the input has, and the status is 3, with `-e` 1.
          """
      ) { settings, text throws(Failure) in
        let number = try number(text)
        guard number > 0 else { throw .usage("responses are counted from 1") }
        settings.responses.numbers.append(number)
      },
    ]
  }

  static var outputOptions: [Option<Settings>] {
    [
      .flag(
        "exact", nil, help: "Print the selection only, for jq and others.",
        detail: """
          Without it, if the end of a response was not selected, and it ended badly or its
          beginning was selected, a line of type `oresp.end` says how it ended, and the tools
          after it reach the same verdict.
          Use it before other programs, such as `jq` and `wc`.
          It works with `-R`, `--items` and `--calls`, too.
          """, at: \.isExact),
      .value(
        "split", nil, "DIR", .file,
        help: "Write each response to a file of its own in DIR.",
        detail: """
          A file is named after the tag of the response, its id or its number, with the suffix
          `.ndjson`.
          Characters other than letters, digits, `-`, `_` and dots become `_`.
          `DIR` is made if it is missing.
          If the end of a response was not selected, and it ended badly or its beginning was
          selected, its file ends in a line of type `oresp.end`.
          The path of each file is printed when its response is over; what comes of that later is
          appended to the file.
          Events of no response, such as a keepalive between two, stand in `rest.ndjson`.
          An existing file is an error unless `--force` is given.
          """
      ) { settings, folder in settings.folder = folder },
      .flag(
        "force", nil, help: "With --split, replace files that exist.", at: \.replacesFiles
      ).with("split"),
      .value(
        "max-count", "m", "N", help: "Print at most N events.",
        detail: """
          The rest of the input is still read, for the verdict.
          """
      ) { settings, text throws(Failure) in settings.selection.limit = try number(text) },
      .flag(
        "count", "c", help: "Print only the number of selected events.",
        detail: """
          It is the total of all files.
          """,
        at: \.selection.printsCount
      ).without("split"),
      .flag(
        "exit-status", "e", help: "Exit with status 1 if no event was selected.",
        at: \.selection.needsOne),
      .flag(
        "keep-ends", "k", help: "Keep first and last event of each response, too.",
        detail: """
          A tool that reads the output then reaches the same verdict; the last event has the
          whole answer, too.
          `error` events are printed, too.
          `-m` and `-c` do not count these events unless they were selected.
          """, at: \.selection.keepsEnds
      ).without("exact"),
    ]
  }

  /// The whole number that `text` spells.
  private static func number(_ text: String) throws(Failure) -> Int {
    guard text.utf8.allSatisfy(ASCII.isDigit), let number = Int(text),
      number <= JSONNumber.largest
    else { throw .usage("expected a whole number up to \(JSONNumber.largest), got \(text)") }
    return number
  }

  /// The documented types of events, in their shortest spelling.
  private static var typeNames: [String] {
    EventCatalogue.rows.filter { $0.standing.isDocumented }.map {
      TypeSelection.short($0.name.description)
    }
  }
}

extension SelectFilter {
  package init(_ settings: EventsTool.Settings) { self.init(settings.selection, settings.ownEnds) }
}
