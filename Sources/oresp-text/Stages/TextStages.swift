import Core

/// A step that a text passes on its way out, in pieces cut anywhere.
protocol TextStage {
  /// Takes the next piece of the text, and appends what is known to go on.
  mutating func take(_ text: Span<UInt8>, into output: inout [UInt8])

  /// Takes the end of the text, and appends what is left of it. Another text may follow.
  mutating func end(into output: inout [UInt8])

  /// What is to be told, until it is taken.
  var notices: [Notice] { get set }

  /// What a stage looked for and never found.
  var missing: String? { get }

  /// The blocks that a stage kept since this was asked last.
  mutating func takeBlocks() -> [CodeBlock]
}

extension TextStage {
  mutating func end(into output: inout [UInt8]) {}

  var notices: [Notice] {
    get { [] }
    set {}
  }

  /// What is to be told since this was asked last.
  mutating func takeNotices() -> [Notice] {
    defer { notices = [] }
    return notices
  }

  var missing: String? { nil }

  mutating func takeBlocks() -> [CodeBlock] { [] }
}

/// Shows each NUL as U+FFFD.
private struct NULStage: TextStage {
  mutating func take(_ text: Span<UInt8>, into output: inout [UInt8]) {
    var start = 0
    while let index = text.firstIndex(of: 0, from: start) {
      output.append(copying: text.extracting(start..<index))
      output.append("\u{FFFD}")
      start = index + 1
    }
    output.append(copying: text.extracting(start...))
  }
}

/// The stages that texts pass one after another, chosen once. Without any, a text goes out as it is.
struct TextStages {
  private var stages: [any TextStage] = []

  /// The stages of messages, or of the other texts.
  init(ofMessages isMessage: Bool, _ style: TextStyle) {
    let form = style.form
    if style.forbidsNUL { stages.append(NULStage()) }
    if isMessage, form.takesBlocks {
      // JSON has no NUL, so that is what its blocks are told apart by.
      let endsInNUL = style.ending == .nul || form.parses
      stages.append(
        FenceExtractor(
          language: form.language, endingInNUL: endsInNUL, keepingBlocks: style.hasFiles))
    }
    if isMessage, form.parses {
      stages.append(JSONStage(form, endingInNUL: style.ending == .nul))
    }
  }

  var isEmpty: Bool { stages.isEmpty }

  /// Takes the next piece of the text.
  mutating func take(_ text: Span<UInt8>, into output: inout [UInt8]) {
    pass(text, from: 0, into: &output)
  }

  /// Takes the end of the text.
  mutating func end(into output: inout [UInt8]) {
    for index in stages.indices {
      var rest: [UInt8] = []
      stages[index].end(into: &rest)
      pass(rest.span, from: index + 1, into: &output)
    }
  }

  /// What is to be told since this was asked last.
  mutating func takeNotices() -> [Notice] {
    stages.indices.flatMap { stages[$0].takeNotices() }
  }

  /// The blocks that were kept since this was asked last.
  mutating func takeBlocks() -> [CodeBlock] {
    stages.indices.flatMap { stages[$0].takeBlocks() }
  }

  /// What the stages looked for and never found.
  var missing: String? { stages.lazy.compactMap(\.missing).first }

  /// Passes `text` through the stages from `index` on.
  private mutating func pass(_ text: Span<UInt8>, from index: Int, into output: inout [UInt8]) {
    guard !text.isEmpty else { return }
    switch stages.count - index {
    case ...0: output.append(copying: text)
    case 1: stages[index].take(text, into: &output)
    default:
      var next: [UInt8] = []
      stages[index].take(text, into: &next)
      pass(next.span, from: index + 1, into: &output)
    }
  }
}
