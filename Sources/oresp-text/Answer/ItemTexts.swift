import Core

/// One whole text of an output item.
struct WholeText {
  let name: TextName
  var text: [UInt8]
  /// What it cites; places count from its own beginning.
  var citations: [Citation] = []
}

/// Finds the texts of a whole output item, by a table of where each type of item has them.
struct ItemTexts {
  /// The item's type.
  let type: String
  /// The item's id as it is spelled; empty when it has none.
  let id: [UInt8]
  /// What a tool is called, for a heading.
  let label: String
  private(set) var texts: [WholeText] = []

  /// Reads `item`, a JSON object, for the texts of `kinds`; its citations only with a `reader`.
  init(_ item: Span<UInt8>, kinds: TextKinds, citations reader: CitationReader?) {
    type = JSONChildren.text(of: "type", in: item)
    id = JSONChildren.value(of: "id", in: item).map { [UInt8](copying: item.extracting($0)) } ?? []
    label = kinds.contains(.tools) ? Self.label(of: item) : ""
    if type == "message" {
      addParts(of: "content", in: item, kinds, reader)
    } else if type == "reasoning" {
      guard kinds.contains(.reasoning) else { return }
      addParts(of: "summary", in: item, kinds, reader)
      addParts(of: "content", in: item, kinds, reader)
    } else if kinds.contains(.tools) {
      addToolTexts(of: item)
    }
  }

  /// The text of `part`, a content part or a part of a summary; `nil` when it has none.
  init?(part: Span<UInt8>, citations reader: CitationReader?) {
    (type, id, label) = ("", [], "")
    add(part, reader)
    if texts.isEmpty { return nil }
  }

  /// The texts, those of one name together.
  var sections: [[WholeText]] {
    var sections: [[WholeText]] = []
    for text in texts {
      if let index = sections.firstIndex(where: { $0[0].name == text.name }) {
        sections[index].append(text)
      } else {
        sections.append([text])
      }
    }
    return sections
  }

  /// What the first text of a tool's item is, for which later items wait; `nil` when it has none,
  /// and for lists of tools, whose end servers leave out.
  var firstToolName: TextName? {
    if type == "mcp_list_tools" { return nil }
    guard let rows = Self.rows(of: type) else { return .value }
    return rows.first?.0
  }

  /// The same item with its texts of `kinds` only.
  func only(_ kinds: TextKinds) -> ItemTexts {
    var item = self
    item.texts.removeAll { !kinds.contains($0.name.kind) }
    return item
  }

  private static func label(of item: Span<UInt8>) -> String {
    let name = JSONChildren.text(of: "name", in: item)
    let server = JSONChildren.text(of: "server_label", in: item)
    return [server, name].filter { !$0.isEmpty }.joined(separator: ".")
  }

  private mutating func addParts(
    of member: StaticString, in item: Span<UInt8>, _ kinds: TextKinds, _ reader: CitationReader?
  ) {
    guard let list = JSONChildren.value(of: member, in: item) else { return }
    var parts = JSONChildren(at: list.lowerBound)
    while let part = parts.next(in: item) {
      let count = texts.count
      add(item.extracting(part.value), reader)
      if count < texts.count, !kinds.contains(texts[count].name.kind) { texts.removeLast() }
    }
  }

  private mutating func add(_ part: Span<UInt8>, _ reader: CitationReader?) {
    guard let (name, member) = Self.text(ofPart: JSONChildren.text(of: "type", in: part)),
      let text = JSONChildren.string(of: member, in: part)
    else { return }
    var whole = WholeText(name: name, text: text)
    if name == .answer, let reader, let list = JSONChildren.value(of: "annotations", in: part) {
      whole.citations = reader.citations(in: part.extracting(list))
    }
    texts.append(whole)
  }

  /// What the text of a part of type `type` is, and the member that holds it.
  private static func text(ofPart type: String) -> (TextName, StaticString)? {
    switch type {
    case "output_text": (.answer, "text")
    case "refusal": (.refusal, "refusal")
    case "reasoning_text": (.reasoning, "text")
    case "summary_text": (.summary, "text")
    case "output_audio": (.transcript, "transcript")
    default: nil
    }
  }

  private mutating func addToolTexts(of item: Span<UInt8>) {
    guard let rows = Self.rows(of: type) else {
      texts.append(WholeText(name: .value, text: [UInt8](copying: item)))
      return
    }
    for (name, path) in rows {
      let found = texts.count
      add(name, at: path[...], in: item)
      // A search tells its query twice: in a list, and alone as it once was.
      if name == .query, texts.count > found { return }
    }
  }

  /// Adds what `path` leads to; `[]` in it stands for each element of an array. What is no string
  /// is given as JSON.
  private mutating func add(
    _ name: TextName, at path: ArraySlice<StaticString>, in value: Span<UInt8>
  ) {
    // As deep as the longest path of the table.
    guard let step = path.first else {
      if value.count > 0, value[0] == ASCII.quote {
        texts.append(WholeText(name: name, text: JSONString.decoded(value)))
      } else if !value.equals("null") {
        texts.append(WholeText(name: name, text: [UInt8](copying: value)))
      }
      return
    }
    let isEach = step.utf8CodeUnitCount == 2 && step.description == "[]"
    guard value.count > 0, value[0] == (isEach ? ASCII.openBracket : ASCII.openBrace) else {
      return
    }
    var children = JSONChildren()
    while let child = children.next(in: value) {
      guard isEach || JSONChildren.isName(value.extracting(child.name), step) else { continue }
      add(name, at: path.dropFirst(), in: value.extracting(child.value))
      if !isEach { return }
    }
  }

  private typealias Row = (TextName, [StaticString])

  /// Where an item of type `type` has its texts; `nil` when that is not known, and empty when it
  /// has none that people read.
  private static func rows(of type: String) -> [Row]? {
    switch type {
    case "web_search_call":
      [
        (.query, ["action", "queries", "[]"]), (.query, ["action", "query"]),
        (.pattern, ["action", "pattern"]), (.url, ["action", "url"]), (.arguments, ["arguments"]),
      ]
    case "file_search_call":
      [(.query, ["queries", "[]"])]
    case "code_interpreter_call":
      [(.code, ["code"]), (.logs, ["outputs", "[]", "logs"])]
    case "function_call", "multi_agent_call": [(.arguments, ["arguments"])]
    case "function_call_output", "custom_tool_call_output", "apply_patch_call_output",
      "local_shell_call_output", "multi_agent_call_output":
      [(.output, ["output"])]
    case "custom_tool_call": [(.input, ["input"])]
    case "mcp_call":
      [(.arguments, ["arguments"]), (.output, ["output"]), (.error, ["error"])]
    case "mcp_list_tools": [(.tool, ["tools", "[]", "name"]), (.error, ["error"])]
    case "mcp_approval_request": [(.arguments, ["arguments"])]
    case "shell_call": [(.command, ["action", "commands", "[]"])]
    case "shell_call_output":
      [(.stdout, ["output", "[]", "stdout"]), (.stderr, ["output", "[]", "stderr"])]
    case "local_shell_call": [(.command, ["action", "command"])]
    case "apply_patch_call": [(.path, ["operation", "path"]), (.diff, ["operation", "diff"])]
    case "computer_call": [(.action, ["actions", "[]"]), (.action, ["action"])]
    case "image_generation_call": [(.prompt, ["revised_prompt"])]
    case "tool_search_call": [(.arguments, ["arguments"])]
    case "tool_search_output": [(.tool, ["tools", "[]", "name"])]
    case "program": [(.code, ["code"])]
    case "program_output": [(.result, ["result"])]
    case "compaction", "additional_tools": []
    default: nil
    }
  }
}
