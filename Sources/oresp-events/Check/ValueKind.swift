import Core

/// A value that comes in pieces.
enum ValueKind {
  case text, refusal, reasoning, summary, arguments, input, code, command, diff

  /// The kind that events of `row` bring; `nil` when they bring none. `part` is the type of the part
  /// in the event, if there is one.
  init?(_ row: EventCatalogue.Row, part: String) {
    switch row.family {
    case .outputText where row.phase != .annotation: self = .text
    case .contentPart: self = ValueKind(part: part)
    case .refusal: self = .refusal
    case .reasoningText: self = .reasoning
    case .reasoningSummaryPart, .reasoningSummaryText: self = .summary
    case .functionCallArguments, .mcpCallArguments: self = .arguments
    case .customToolCallInput: self = .input
    case .codeInterpreterCallCode: self = .code
    case .shellCallCommand: self = .command
    case .applyPatchCallOperationDiff: self = .diff
    default: return nil
    }
  }

  /// The kind that a content part of type `part` holds.
  init(part: String) {
    switch part {
    case "refusal": self = .refusal
    case "reasoning_text": self = .reasoning
    default: self = .text
    }
  }

  /// The member of a part that holds it.
  var member: StaticString { self == .refusal ? "refusal" : "text" }

  var mismatch: CheckRule {
    switch self {
    case .text: .textMismatch
    case .refusal: .refusalMismatch
    case .reasoning: .reasoningMismatch
    case .summary: .summaryMismatch
    case .arguments: .argumentsMismatch
    case .input: .inputMismatch
    case .code: .codeMismatch
    case .command: .commandMismatch
    case .diff: .diffMismatch
    }
  }

  /// Whether servers are known that leave the opening of its part out.
  var isOftenUnopened: Bool { [.reasoning, .summary, .command].contains(self) }

  var list: PartKey.List {
    switch self {
    case .text, .refusal, .reasoning: .content
    case .summary: .summary
    case .command: .commands
    case .arguments, .input, .code, .diff: .itself
    }
  }
}

/// Where in its item a value stands.
struct PartKey: Hashable {
  /// The item's member that lists it, or the item itself.
  enum List: String, CaseIterable {
    case itself, content, summary, commands
  }

  var list: List
  /// Its number in the list; 0 in the item itself.
  var index: Int

  init(_ list: List, _ index: Int) { (self.list, self.index) = (list, index) }

  init(_ kind: ValueKind, _ members: EventMembers) {
    list = kind.list
    switch kind.list {
    case .itself: index = 0
    case .content: index = members.contentIndex ?? 0
    case .summary: index = members.summaryIndex ?? 0
    case .commands: index = members.commandIndex ?? 0
    }
  }

  var name: String { list == .itself ? "it" : "\(list.rawValue)[\(index)]" }
}

/// The values of a whole item that could have come in pieces.
enum ItemValues {
  /// Those of `list` in `item`, in order.
  static func values(
    _ list: PartKey.List, of item: Span<UInt8>
  ) -> [(kind: ValueKind, text: Range<Int>)] {
    switch list {
    case .itself: itself(item)
    case .content: parts(JSONChildren.value(of: "content", in: item), in: item, isSummary: false)
    case .summary: parts(JSONChildren.value(of: "summary", in: item), in: item, isSummary: true)
    case .commands: commands(item)
    }
  }

  private static func itself(_ item: Span<UInt8>) -> [(kind: ValueKind, text: Range<Int>)] {
    switch JSONChildren.text(of: "type", in: item) {
    case "function_call", "mcp_call": one(.arguments, JSONChildren.value(of: "arguments", in: item))
    case "custom_tool_call": one(.input, JSONChildren.value(of: "input", in: item))
    case "code_interpreter_call": one(.code, JSONChildren.value(of: "code", in: item))
    case "apply_patch_call":
      one(.diff, JSONChildren.value(of: "operation", "diff", in: item))
    default: []
    }
  }

  private static func one(
    _ kind: ValueKind, _ text: Range<Int>?
  ) -> [(kind: ValueKind, text: Range<Int>)] {
    text.map { [(kind, $0)] } ?? []
  }

  private static func parts(
    _ list: Range<Int>?, in item: Span<UInt8>, isSummary: Bool
  ) -> [(kind: ValueKind, text: Range<Int>)] {
    elements(of: list, in: item).map { place in
      let part = item.extracting(place)
      let kind: ValueKind =
        isSummary ? .summary : ValueKind(part: JSONChildren.text(of: "type", in: part))
      let text = JSONChildren.value(of: kind.member, in: part) ?? 0..<0
      return (kind, text.lowerBound + place.lowerBound..<text.upperBound + place.lowerBound)
    }
  }

  private static func commands(_ item: Span<UInt8>) -> [(kind: ValueKind, text: Range<Int>)] {
    elements(of: JSONChildren.value(of: "action", "commands", in: item), in: item).map {
      (.command, $0)
    }
  }

  /// The elements of the array at `list`; none when it is something else.
  static func elements(of list: Range<Int>?, in bytes: Span<UInt8>) -> [Range<Int>] {
    guard let list, bytes[list.lowerBound] == ASCII.openBracket else { return [] }
    var elements: [Range<Int>] = []
    var children = JSONChildren(at: list.lowerBound)
    while let child = children.next(in: bytes) { elements.append(child.value) }
    return elements
  }
}
