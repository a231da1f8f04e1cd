import Core

extension EventsTool {
  static var selectOptions: [Option<Settings>] {
    [
      .value(
        "type", "t", "GLOB", .oneOf(typeNames), help: "Keep only events of type GLOB; repeatable.",
        detail: """
          A leading `response.` may be left out. In `GLOB`, `*` stands for any run of characters,
          `?` for any one, `[a-z]` for one of a set, `[!a-z]` for one outside it, and `{a,b}` for
          one of several texts.
          """
      ) { settings, glob throws(Failure) in try settings.types.keep(glob) },
      .value(
        "type-not", "T", "GLOB", .oneOf(typeNames),
        help: "Drop events of type GLOB; repeatable.",
        detail: "What `-T` drops, `-t` does not bring back."
      ) { settings, glob throws(Failure) in try settings.types.drop(glob) },
    ]
  }

  static var placeOptions: [Option<Settings>] {
    [
      .value(
        "item", nil, "ID", help: "Keep only events of the item ID; repeatable.",
        detail: "Some servers give each event another `ID`; use `--index` there."
      ) { settings, id throws(Failure) in settings.place.itemIDs.append(Array(id.utf8)) },
      .value(
        "item-type", nil, "GLOB",
        .oneOf(ItemCatalogue.rows.map(\.type.description).filter { $0 != "transcription" }),
        help: "Keep only events of items of type GLOB; repeatable.",
        detail: """
          The type of an item is known from the events that show it, `output_item.added` and
          `output_item.done`. An event of an item that was not shown yet is dropped.
          """
      ) { settings, glob throws(Failure) in try settings.place.keep(itemType: glob) },
      .value(
        "index", nil, "N", help: "Keep only events with output_index N; repeatable."
      ) { settings, text throws(Failure) in settings.place.indexes.append(try number(text)) },
      .value(
        "after", nil, "N", help: "Keep only events with a sequence_number above N.",
        detail: "An event without a number is dropped."
      ) { settings, text throws(Failure) in settings.place.after = try number(text) },
      .value(
        "before", nil, "N", help: "Keep only events with a sequence_number below N.",
        detail: "An event without a number is dropped."
      ) { settings, text throws(Failure) in settings.place.before = try number(text) },
    ]
  }

  static var responseOptions: [Option<Settings>] {
    [
      .value(
        "request", nil, "NAME", help: "Keep only responses that are tagged NAME; repeatable.",
        detail: "The tag is that of `oresp-sse --tag`."
      ) { settings, name throws(Failure) in settings.responses.tags.append(Array(name.utf8)) },
      .value(
        "response-id", nil, "ID", help: "Keep only the response ID; repeatable."
      ) { settings, id throws(Failure) in settings.responses.ids.append(Array(id.utf8)) },
      .value(
        "nth", nil, "N", help: "Keep only the Nth response; repeatable.",
        detail: """
          Responses are counted from 1 in the order in which they begin, over all files. `--nth`,
          `--request` and `--response-id` go with `-R` and its like, too; the exit status is that
          of all responses.
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
      .value(
        "split", nil, "DIR", .file,
        help: "Write each response to a file of its own in DIR.",
        detail: """
          The selected events are written. The file is named by the tag of the response, its id or
          its number, and ends in `.ndjson`; what is no letter, digit, `-`, `_` or dot in its name
          becomes `_`. The folder is made if it is missing. The path of each file is printed when
          the file is whole. A file that exists stays and is an error, unless `--force` is given.
          """
      ) { settings, folder in settings.folder = folder },
      .flag(
        "force", nil, help: "With --split, replace files that exist.", at: \.replacesFiles),
      .value(
        "max-count", "m", "N", help: "Print at most N events.",
        detail: "The whole input is read all the same, for the exit status."
      ) { settings, text throws(Failure) in settings.limit = try number(text) },
      .flag(
        "count", "c", help: "Print only the number of selected events.",
        detail: "Of all files together.",
        at: \.tellsCount),
      .flag(
        "exit-status", "e", help: "Exit with status 1 if no event was selected.", at: \.needsOne),
      .flag(
        "keep-ends", "k", help: "Keep first and last event of each response, too.",
        detail: """
          A tool that reads what is printed then comes to the same exit status. The first is that
          with which the response begins; an `error` is printed, too. They are not counted, unless
          they were selected.
          """, at: \.keepsEnds),
      .flag(
        "silent", nil, help: "Print nothing.",
        detail: "With `-e` the exit status then tells whether an event was selected.",
        at: \.isSilent),
    ]
  }

  /// The whole number that `text` spells.
  private static func number(_ text: String) throws(Failure) -> Int {
    guard text.utf8.allSatisfy(ASCII.isDigit), let number = Int(text),
      number <= JSONNumber.largest
    else { throw .usage("expected a whole number up to \(JSONNumber.largest), got \(text)") }
    return number
  }

  /// The documented types of events, as short as they may be written.
  private static var typeNames: [String] {
    EventCatalogue.rows.filter { $0.standing.isDocumented }.map {
      TypeSelection.short($0.name.description)
    }
  }
}
