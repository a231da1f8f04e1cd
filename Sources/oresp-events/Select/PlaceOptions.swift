import Core

extension EventsTool {
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
        "item-type", nil, "GLOB", .oneOf(itemTypes),
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
      ) { settings, text throws(Failure) in
        settings.place.indexes.append(try number(text))
      },
      .value(
        "after", nil, "N", help: "Keep events with a sequence_number above N only.",
        detail: "An event without a number is dropped."
      ) { settings, text throws(Failure) in
        settings.place.after = try number(text)
      },
      .value(
        "before", nil, "N", help: "Keep events with a sequence_number below N only.",
        detail: "An event without a number is dropped."
      ) { settings, text throws(Failure) in
        settings.place.before = try number(text)
      },
    ]
  }

  static var outputOptions: [Option<Settings>] {
    [
      .value(
        "max-count", "m", "N", help: "Select N events at most.",
        detail: "All of the input is read all the same, for the verdict."
      ) { settings, text throws(Failure) in
        settings.limit = try number(text)
      },
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

  /// The number that `text` spells.
  private static func number(_ text: String) throws(Failure) -> Int {
    guard text.utf8.allSatisfy(ASCII.isDigit), let number = Int(text),
      number <= JSONNumber.largest
    else {
      throw .usage("expected a whole number up to \(JSONNumber.largest), got \(text)")
    }
    return number
  }

  /// The documented types of output items.
  private static let itemTypes = [
    "apply_patch_call", "code_interpreter_call", "compaction", "computer_call",
    "custom_tool_call", "file_search_call", "function_call", "image_generation_call",
    "local_shell_call", "mcp_approval_request", "mcp_call", "mcp_list_tools", "message",
    "reasoning", "shell_call", "shell_call_output", "tool_search_call", "tool_search_output",
    "web_search_call",
  ]
}
