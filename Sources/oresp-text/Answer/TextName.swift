import Core

/// Kinds of text that a response has; each is printed when its option asks for it.
package struct TextKinds: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let answer = TextKinds(rawValue: 1)
  package static let refusal = TextKinds(rawValue: 2)
  package static let reasoning = TextKinds(rawValue: 4)
  package static let tools = TextKinds(rawValue: 8)
  package static let transcript = TextKinds(rawValue: 16)
  package static let files = TextKinds(rawValue: 32)
  /// Messages of another phase than the answer's.
  package static let commentary = TextKinds(rawValue: 64)
  /// All but files, which are not printed as text.
  package static let all: TextKinds = [
    .answer, .refusal, .reasoning, .tools, .transcript, .commentary,
  ]
}

/// The way to print the texts of each name. Texts of one item that have one name follow each other
/// in one section; other texts get a section of their own.
extension TextName {
  var kind: TextKinds {
    switch self {
    case .answer: .answer
    case .refusal: .refusal
    case .reasoning, .summary: .reasoning
    case .transcript: .transcript
    case .file: .files
    case .commentary: .commentary
    default: .tools
    }
  }

  /// The text between two texts of this name. The parts of an answer follow each other directly.
  var separator: StaticString {
    switch self {
    case .answer, .commentary, .refusal, .transcript: ""
    case .reasoning, .summary: "\n\n"
    default: "\n"
    }
  }

  /// The name in a heading.
  var word: String { self == .summary ? "reasoning summary" : String(describing: self) }

  /// The name of such a text in an item of type `type`. Bridges from Chat Completions send the
  /// reasoning that they streamed as a summary once more, as output text: it is no answer.
  func inItem(of type: String) -> TextName {
    self == .answer && type == "reasoning" ? .summary : self
  }
}
