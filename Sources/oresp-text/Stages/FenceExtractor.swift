package import Core

/// Takes the content of fenced code blocks out of Markdown that comes in chunks (CommonMark 0.31,
/// section 4.5).
///
/// A fence may stand as deep as a list item puts it, right behind the item's marker too; its indent
/// is taken off its content. Content leaves as soon as it is known to be no closing fence, so that
/// no more is held than white space and fence characters at the start of a line. Block quotes are
/// not looked into.
package struct FenceExtractor: TextStage {
  /// How many blocks were found that were asked for.
  package private(set) var found = 0

  /// What the first word behind a fence must be; `nil` for any.
  private let language: String?
  private let endsInNUL: Bool
  private var notices: [Notice] = []
  /// Whether the text stands at the start of a line that may become a fence, and what is known of
  /// that line.
  private var isInHead = true
  private var head = HeadScanner()
  /// The block that the text stands in.
  private var block: Block?

  private struct Block {
    let fence: OpeningFence
    let isWanted: Bool
    /// Whether the content so far ends in a line end, as nothing does.
    var endsInLineEnd = true
  }

  /// `language` is compared with the first word behind a fence, upper and lower case alike. With
  /// `endingInNUL` a NUL follows the content of each block.
  package init(language: String? = nil, endingInNUL: Bool = false) {
    self.language = language
    endsInNUL = endingInNUL
  }

  /// Takes the next part of the text.
  package mutating func take(_ text: Span<UInt8>, into output: inout [UInt8]) {
    var index = 0
    while index < text.count {
      guard isInHead else {
        let end = text.firstIndex(of: ASCII.lf, from: index).map { $0 + 1 }
        emit(text.extracting(index..<(end ?? text.count)), into: &output)
        index = end ?? text.count
        if end != nil { startLine() }
        continue
      }
      let outcome = takeHead(text[index])
      if case .none = outcome {} else { index += 1 }
      handle(outcome, into: &output)
    }
  }

  /// Takes the end of the text; another may follow. Content without a line end gets one.
  package mutating func end(into output: inout [UInt8]) {
    if isInHead {
      // The end of the text ends its last line.
      let outcome = takeHead(ASCII.lf)
      if case .none = outcome, head.held.isEmpty {} else { handle(outcome, into: &output) }
    }
    if block?.isWanted == true {
      notices.append(Notice(.warning, "the last code block has no end"))
    }
    if block?.endsInLineEnd == false { emit([ASCII.lf].span, into: &output) }
    if block != nil { close(into: &output) }
    startLine()
  }

  package mutating func takeNotices() -> [Notice] {
    defer { notices = [] }
    return notices
  }

  package var missing: String? {
    guard found == 0 else { return nil }
    return "fenced code block\(language.map { " of \($0)" } ?? "") in the answer"
  }

  private mutating func startLine() {
    head = HeadScanner()
    isInHead = true
  }

  private mutating func takeHead(_ byte: UInt8) -> HeadScanner.Outcome {
    if let fence = block?.fence { head.take(byte, inside: fence) } else { head.take(byte) }
  }

  private mutating func handle(_ outcome: HeadScanner.Outcome, into output: inout [UInt8]) {
    switch outcome {
    case .more: break
    case .none:
      // The line goes on as one that is no fence: what was held of it is content.
      isInHead = false
      if let fence = block?.fence { emit(fence.dedented(head.held).span, into: &output) }
    case .opens(let fence): open(fence)
    case .closes: close(into: &output)
    }
  }

  private mutating func open(_ fence: OpeningFence) {
    let isWanted = language.map { Self.isSame(fence.language, $0) } ?? true
    block = Block(fence: fence, isWanted: isWanted)
    if isWanted { found += 1 }
    startLine()
  }

  private mutating func close(into output: inout [UInt8]) {
    if block?.isWanted == true, endsInNUL { output.append(0) }
    block = nil
    startLine()
  }

  private mutating func emit(_ text: Span<UInt8>, into output: inout [UInt8]) {
    guard !text.isEmpty, block?.isWanted == true else { return }
    output.append(copying: text)
    block?.endsInLineEnd = text[text.count - 1] == ASCII.lf
  }

  private static func isSame(_ word: [UInt8], _ language: String) -> Bool {
    word.elementsEqual(language.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) }
  }
}
