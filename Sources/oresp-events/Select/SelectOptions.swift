import Core

extension EventsTool {
  static var selectOptions: [Option<Settings>] {
    [
      .value(
        "type", "t", "GLOB", .oneOf(typeNames), help: "Keep events of type GLOB only; repeatable.",
        detail: """
          A leading
          .Ql response.\\&
          may be left out.
          In
          .Ar GLOB ,
          .Ql *
          stands for any run of characters,
          .Ql \\&?
          for any one,
          .Ql [a-z]
          for one of a set,
          .Ql [!a-z]
          for one outside it, and
          .Ql {a,b}
          for one of several texts.
          """
      ) { settings, glob throws(Failure) in try settings.types.keep(glob) },
      .value(
        "type-not", "T", "GLOB", .oneOf(typeNames),
        help: "Drop events of type GLOB; repeatable.",
        detail: """
          What
          .Fl T
          drops,
          .Fl t
          does not bring back.
          """
      ) { settings, glob throws(Failure) in try settings.types.drop(glob) },
    ]
  }

  static var placeOptions: [Option<Settings>] {
    [
      .value(
        "item", nil, "ID", help: "Keep events of the item ID only; repeatable.",
        detail: """
          Some servers give each event another
          .Ar ID ;
          .Fl -index
          does not mind.
          """
      ) { settings, id throws(Failure) in settings.place.itemIDs.append(Array(id.utf8)) },
      .value(
        "item-type", nil, "GLOB",
        .oneOf(ItemCatalogue.rows.map(\.type.description).filter { $0 != "transcription" }),
        help: "Keep events of items of type GLOB only; repeatable.",
        detail: """
          The type of an item is known from the events that show it, which are
          .Ql output_item.added
          and
          .Ql output_item.done .
          An event of an item that was not shown yet is dropped.
          """
      ) { settings, glob throws(Failure) in try settings.place.keep(itemType: glob) },
      .value(
        "index", nil, "N", help: "Keep events of the item at output_index N only; repeatable."
      ) { settings, text throws(Failure) in settings.place.indexes.append(try number(text)) },
      .value(
        "after", nil, "N", help: "Keep events with a sequence_number above N only.",
        detail: "An event without a number is dropped."
      ) { settings, text throws(Failure) in settings.place.after = try number(text) },
      .value(
        "before", nil, "N", help: "Keep events with a sequence_number below N only.",
        detail: "An event without a number is dropped."
      ) { settings, text throws(Failure) in settings.place.before = try number(text) },
    ]
  }

  static var responseOptions: [Option<Settings>] {
    [
      .value(
        "request", nil, "NAME", help: "Keep the responses that were tagged NAME only; repeatable.",
        detail: """
          The tag is that of
          .Ql oresp-sse \\-\\-tag .
          """
      ) { settings, name throws(Failure) in settings.responses.tags.append(Array(name.utf8)) },
      .value(
        "response-id", nil, "ID", help: "Keep the response ID only; repeatable."
      ) { settings, id throws(Failure) in settings.responses.ids.append(Array(id.utf8)) },
      .value(
        "nth", nil, "N", help: "Keep the Nth response only, counted from 1; repeatable.",
        detail: """
          Responses are counted in the order in which they begin, over all files.
          The three options go with
          .Fl R
          and its like, too; the verdict is that of all responses.
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
        help: "Write the selected events of each response into a file in DIR.",
        detail: """
          The file is named by the tag of the response, its id or its number, and ends in
          .Ql .ndjson ;
          what is no letter, digit,
          .Ql - ,
          .Ql _
          or dot of its name becomes
          .Ql _ .
          The folder is made if it is missing.
          The path of each file is printed when the file is whole.
          A file that is there stays and is a fault, unless
          .Fl -force
          is given.
          """
      ) { settings, folder in settings.folder = folder },
      .flag(
        "force", nil, help: "With --split, replace files that are there.", at: \.replacesFiles),
      .value(
        "max-count", "m", "N", help: "Select N events at most.",
        detail: "All of the input is read all the same, for the verdict."
      ) { settings, text throws(Failure) in settings.limit = try number(text) },
      .flag(
        "count", "c", help: "Print only how many events were selected, of all files together.",
        at: \.tellsCount),
      .flag("exit-status", "e", help: "Exit with 1 when no event was selected.", at: \.needsOne),
      .flag(
        "keep-ends", "k", help: "Print the first and the last event of each response, too.",
        detail: """
          A tool that reads what is printed then reaches the same verdict.
          The first is that with which the response begins; an
          .Ql error
          is printed, too.
          They are not counted, unless they were selected.
          """, at: \.keepsEnds),
      .flag(
        "quiet", "q", help: "Print nothing, and tell errors only.",
        detail: """
          With
          .Fl e ,
          whether an event was selected is then all that comes out.
          """, at: \.notices.isQuiet),
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
