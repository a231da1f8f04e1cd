package import Core

/// Takes the content of fenced code blocks out of Markdown that comes in chunks (CommonMark 0.31,
/// section 4.5).
///
/// A fence may stand as deep as a list item puts it, right behind the item's marker too; its indent
/// is taken off its content. Content leaves as soon as it is known to be no closing fence, so that
/// no more is held than white space and fence characters at the start of a line. Block quotes are
/// not looked into.
package struct FenceExtractor {
  /// How many blocks were found that were asked for.
  package private(set) var found = 0

  /// What the first word behind a fence must be; `nil` for any.
  private let language: String?
  private let endsInNUL: Bool
  /// Whether blocks are kept in place of being printed, and those that were.
  private let keepsBlocks: Bool
  private var blocks: [CodeBlock] = []
  private var block: CodeBlock?
  package var notices: [Notice] = []
  /// Whether the text stands at the start of a line that may become a fence, and what came of it.
  private var isInHead = true
  private var head: [UInt8] = []
  /// The beginning of the block that the text stands in, and whether that is asked for.
  private var fence: OpeningFence?
  private var isWanted = false
  /// Whether the content so far ends in a line end, as nothing does.
  private var endsInLineEnd = true

  /// A line that is longer outside of blocks begins none.
  private static let longestHead = 4096

  /// `language` is compared with the first word behind a fence, upper and lower case alike. With
  /// `endingInNUL` a NUL follows the content of each block. With `keepingBlocks` nothing is printed.
  package init(
    language: String? = nil, endingInNUL: Bool = false, keepingBlocks: Bool = false
  ) {
    self.language = language
    (endsInNUL, keepsBlocks) = (endingInNUL, keepingBlocks)
  }

  package mutating func takeBlocks() -> [CodeBlock] {
    defer { blocks = [] }
    return blocks
  }

  /// Takes the next part of the text.
  package mutating func take(_ text: Span<UInt8>, into output: inout [UInt8]) {
    var index = 0
    while index < text.count {
      if isInHead {
        takeHead(text[index], into: &output)
        index += 1
      } else {
        let end = text.firstIndex(of: ASCII.lf, from: index).map { $0 + 1 }
        emit(text.extracting(index..<(end ?? text.count)), into: &output)
        index = end ?? text.count
        isInHead = end != nil
      }
    }
  }

  /// Takes the end of the text; another may follow. Content without a line end gets one.
  package mutating func end(into output: inout [UInt8]) {
    if isInHead { endHead(into: &output) }
    if isWanted { notices.append(Notice(.warning, "the last code block has no end")) }
    if !endsInLineEnd { emit([ASCII.lf].span, into: &output) }
    close(into: &output)
    isInHead = true
  }

  package var missing: String? {
    guard found == 0 else { return nil }
    return "fenced code block\(language.map { " of \($0)" } ?? "") in the answer"
  }

  private mutating func takeHead(_ byte: UInt8, into output: inout [UInt8]) {
    head.append(byte)
    if byte == ASCII.lf { return endHead(into: &output) }
    isInHead =
      fence?.canEnd(with: byte)
      ?? (OpeningFence.canBegin(with: head[0]) && head.count < Self.longestHead)
    if !isInHead { releaseHead(into: &output) }
  }

  /// Ends a line that may be a fence all along.
  private mutating func endHead(into output: inout [UInt8]) {
    let line = head.last == ASCII.lf ? head : head + [ASCII.lf]
    if fence?.isClosed(by: line) == true {
      close(into: &output)
    } else if fence == nil, let opening = OpeningFence(line) {
      fence = opening
      isWanted = language.map { Self.isSame(opening.language, $0) } ?? true
      if isWanted { found += 1 }
      if isWanted, keepsBlocks { block = CodeBlock(info: opening.info) }
    } else {
      return releaseHead(into: &output)
    }
    head = []
  }

  /// What was held of a line that is no fence is content.
  private mutating func releaseHead(into output: inout [UInt8]) {
    if let fence { emit(fence.dedented(head).span, into: &output) }
    head.removeAll(keepingCapacity: true)
  }

  private mutating func close(into output: inout [UInt8]) {
    if let block { blocks.append(block) } else if isWanted, endsInNUL { output.append(0) }
    block = nil
    (fence, isWanted, endsInLineEnd) = (nil, false, true)
  }

  private mutating func emit(_ text: Span<UInt8>, into output: inout [UInt8]) {
    guard !text.isEmpty, isWanted else { return }
    if block != nil {
      block?.content.append(copying: text)
    } else {
      output.append(copying: text)
    }
    endsInLineEnd = text[text.count - 1] == ASCII.lf
  }

  private static func isSame(_ word: [UInt8], _ language: String) -> Bool {
    word.elementsEqual(language.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) }
  }
}
