/// The known types of output items, one a row: the values of an item, their places in it, and the
/// events that bring them in pieces.
///
/// Events and items without a row are handed on as they are. A new family of events with text gets
/// its rows in `EventCatalogue`, a value here, and a word for people where `TextName` has none.
package enum ItemCatalogue {
  /// One type of item; a class, since many callers ask for it.
  package final class Row: Sendable {
    package let type: StaticString
    /// The values that people read, in order.
    package let values: [ItemValue]
    /// Those that events bring: in elements of arrays, by the arrays, and those in none.
    package let streamedLists: [[ItemValue]]
    package let streamedTexts: [ItemValue]
    /// The words that its `status` can be.
    package let states: [StaticString]
    /// The path to the member that lists the sources of a search; empty when there is none.
    package let sources: [StaticString]
    /// The paths to the base64 or the address of its file; the first member that is there counts.
    package let files: [[StaticString]]
    /// Whether OpenAI may leave its end out, and whether its status may be `in_progress` at its
    /// end.
    package let mayLackEnd, mayEndRunning: Bool

    fileprivate init(
      _ type: StaticString, _ values: [ItemValue],
      states: [StaticString] = ["in_progress", "completed", "incomplete"],
      sources: [StaticString] = [], files: [[StaticString]] = [],
      mayLackEnd: Bool = false, mayEndRunning: Bool = false
    ) {
      (self.type, self.values, self.states) = (type, values, states)
      let streamed = values.filter { !$0.families.isEmpty }
      streamedTexts = streamed.filter(\.list.isEmpty)
      streamedLists = streamed.reduce(into: []) { lists, value in
        if value.list.isEmpty { return }
        let index = lists.firstIndex { $0[0].listName == value.listName } ?? lists.count
        if index == lists.count { lists.append([]) }
        lists[index].append(value)
      }
      self.sources = sources
      self.files = files
      self.mayLackEnd = mayLackEnd
      self.mayEndRunning = mayEndRunning
    }
  }

  // swift-format-ignore
  package static let rows: [Row] = [
    Row("message", [
      .part(.answer, "content", "output_text", "text", .outputText, .contentPart),
      .part(.refusal, "content", "refusal", "refusal", .refusal, .contentPart),
      .part(.transcript, "content", "output_audio", "transcript", .audioTranscript, .contentPart),
    ], files: [["content", "[]", "data"]]),
    Row("reasoning", [
      .part(.summary, "summary", "summary_text", "text", .reasoningSummaryText, .reasoningSummaryPart),
      .part(.reasoning, "content", "reasoning_text", "text", .reasoningText, .contentPart),
    ]),
    Row("function_call", [.at(.arguments, "arguments", from: .functionCallArguments)]),
    Row("custom_tool_call", [.at(.input, "input", from: .customToolCallInput)], states: []),
    Row("mcp_call", [
      .at(.arguments, "arguments", from: .mcpCallArguments),
      .at(.output, "output", from: .mcpCall), .at(.error, "error"),
    ], states: ["in_progress", "calling", "completed", "incomplete", "failed"]),
    Row("mcp_approval_request", [.at(.arguments, "arguments")], states: []),
    Row("mcp_list_tools", [.at(.tool, "tools", "[]", "name"), .at(.error, "error")], states: [], mayLackEnd: true),
    Row("shell_call", [.at(.command, "action", "commands", "[]", from: .shellCallCommand)]),
    Row("shell_call_output", [
      .at(.stdout, "output", "[]", "stdout", from: .shellCallOutputContent),
      .at(.stderr, "output", "[]", "stderr", from: .shellCallOutputContent),
    ]),
    Row("local_shell_call", [.at(.command, "action", "command")]),
    Row("local_shell_call_output", [.at(.output, "output")]),
    Row("apply_patch_call", [
      .at(.path, "operation", "path"), .at(.diff, "operation", "diff", from: .applyPatchCallOperationDiff),
    ], states: ["in_progress", "completed"]),
    Row("apply_patch_call_output", [.at(.output, "output")], states: ["completed", "failed"]),
    Row("computer_call", [.at(.action, "actions", "[]"), .at(.action, "action")]),
    Row("web_search_call", [
      .at(.query, "action", "queries", "[]"), .at(.query, "action", "query"),
      .at(.pattern, "action", "pattern"), .at(.url, "action", "url"), .at(.arguments, "arguments"),
    ], states: ["in_progress", "searching", "completed", "incomplete", "failed"], sources: ["action", "sources"]),
    Row("file_search_call", [.at(.query, "queries", "[]")],
      states: ["in_progress", "searching", "completed", "incomplete", "failed"], sources: ["results"]),
    Row("code_interpreter_call", [
      .at(.code, "code", from: .codeInterpreterCallCode), .at(.logs, "outputs", "[]", "logs"),
      .at(.stdout, "stdout"), .at(.stderr, "stderr"),
    ], states: ["in_progress", "interpreting", "completed", "incomplete", "failed"], files: [["outputs", "[]", "url"]]),
    Row("image_generation_call", [.at(.prompt, "revised_prompt"), .at(.prompt, "revisedPrompt")],
      states: ["in_progress", "generating", "completed", "failed"],
      files: [["result"], ["imageB64"], ["imageUrl"]], mayEndRunning: true),
    Row("tool_search_call", [.at(.arguments, "arguments"), .at(.query, "query")]),
    Row("tool_search_output", [.at(.tool, "tools", "[]", "name")]),
    Row("program", [.at(.code, "code")], states: []),
    Row("program_output", [.at(.result, "result")]),
    Row("function_call_output", [.at(.output, "output")]),
    Row("custom_tool_call_output", [.at(.output, "output")]),
    Row("multi_agent_call", [.at(.arguments, "arguments")]),
    Row("multi_agent_call_output", [.at(.output, "output")]),
    Row("transcription", [.at(.answer, "text", from: .transcription)], states: []),
    Row("bash", [.at(.command, "command"), .at(.stdout, "stdout"), .at(.stderr, "stderr")]),
    Row("web_fetch", [.at(.url, "url"), .at(.output, "content"), .at(.error, "error")]),
    Row("datetime", [.at(.result, "datetime")]),
    Row("compaction", [], states: []),
    Row("additional_tools", [], states: []),
  ]

  /// The row of the items of type `type`, or of its kin; `nil` when there is none.
  package static func row(of type: String) -> Row? { byType[type] ?? byType[kin(of: type)] }

  /// The known type that `type` names behind a server's slug: `web_search_call` for
  /// `openai:web_search_call` (Open Responses, Extending Items) and `openrouter:web_search`; `type`
  /// itself when there is none.
  package static func kin(of type: String) -> String {
    guard type.utf8.contains(ASCII.colon), let colon = type.utf8.lastIndex(of: ASCII.colon)
    else { return type }
    let name = String(type[type.utf8.index(after: colon)...])
    return [name, name + "_call"].first { byType[$0] != nil } ?? type
  }

  private static let byType = Dictionary(
    uniqueKeysWithValues: rows.map { ($0.type.description, $0) })

  /// The value that a part of type `type` holds; `nil` when the type is not known.
  package static func value(ofPart type: String) -> ItemValue? { parts[type] }

  private static let parts = Dictionary(
    uniqueKeysWithValues: rows.flatMap(\.values).compactMap { value in
      value.part.map { ($0.description, value) }
    })

  /// The values that events of each type bring, in pieces or whole, by the type's index in the
  /// catalogue of events.
  fileprivate static let streamed: [[ItemValue]] = EventCatalogue.rows.map { row in
    guard [.start, .delta, .done].contains(row.phase) else { return [] }
    return rows.flatMap(\.values).filter { $0.families.contains(row.family) }
  }

  /// The type of the items that the events of each type are about, by the same index.
  fileprivate static let itemTypes: [String?] = EventCatalogue.rows.map { itemType(of: $0.family) }

  fileprivate static func itemType(of family: EventFamily) -> String? {
    let owners = rows.filter { $0.values.contains { $0.families.contains(family) } }
    if owners.count == 1 { return owners[0].type.description }
    return rows.first { $0.type.description == family.rawValue }?.type.description
  }
}

extension EventType {
  /// The values that events of this type bring, in pieces or whole: one; several when the delta is
  /// an object with a member for each, or when the event brings a part, whose type decides.
  package var values: [ItemValue] { ItemCatalogue.streamed[index] }

  /// The type of the items that such events are about; `nil` when there is no one type.
  package var itemType: String? { ItemCatalogue.itemTypes[index] }
}

/// One value of an item that people read; a class, since thousands of events share it.
package final class ItemValue: Sendable {
  package let name: TextName
  /// The path of member names to the value; `[]` stands for each element of an array.
  package let path: [StaticString]
  /// The type of the part that holds the value; `nil` when no part does.
  package let part: StaticString?
  /// The families of the events that bring it.
  package let families: [EventFamily]

  /// The path to the array whose elements have it; empty when it stands in none.
  package let list: ArraySlice<StaticString>
  /// That path as one name: `action.commands`.
  package let listName: String
  /// The path from an element of that array, or else from the item, to the value.
  package let members: ArraySlice<StaticString>

  private init(
    _ name: TextName, _ path: [StaticString], part: StaticString?, _ families: [EventFamily]
  ) {
    (self.name, self.path, self.part, self.families) = (name, path, part, families)
    let each = path.firstIndex { $0.description == "[]" }
    list = path.prefix(each ?? 0)
    listName = list.map(\.description).joined(separator: ".")
    members = path[(each.map { $0 + 1 } ?? 0)...]
  }

  fileprivate static func at(
    _ name: TextName, _ path: StaticString..., from family: EventFamily? = nil
  ) -> ItemValue {
    ItemValue(name, path, part: nil, family.map { [$0] } ?? [])
  }

  /// The value in the member `member` of the parts of type `type` in the array `list`.
  fileprivate static func part(
    _ name: TextName, _ list: StaticString, _ type: StaticString, _ member: StaticString,
    _ families: EventFamily...
  ) -> ItemValue {
    ItemValue(name, [list, "[]", member], part: type, families)
  }
}

/// The kind of one text of an output item.
package enum TextName: UInt8, Sendable {
  case answer, refusal, reasoning, summary, transcript
  case action, arguments, code, command, diff, error, input, logs, output, path, pattern, prompt
  case query, result, stderr, stdout, tool, url, value
  case file, commentary
}

/// The members in which an answer names its sources.
package enum SourceMembers {
  /// The arrays of `item`, an output item, that list the sources of a search. An item without a row
  /// may have any of them.
  package static func consulted(in item: Span<UInt8>) -> [Range<Int>] {
    let known = ItemCatalogue.row(of: JSONChildren.text(of: "type", in: item))
    let paths = known.map { [$0.sources] } ?? all
    return paths.filter { !$0.isEmpty }.compactMap { JSONChildren.value(at: $0[...], in: item) }
  }

  private static let all = ItemCatalogue.rows.map(\.sources)
}
