import Core

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
  /// Whether blocks become files in place of being printed, and the one that is open.
  private let keepsBlocks: Bool
  private var block: CodeBlock?
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
  /// `endingInNUL` a NUL follows the content of each block. With `keepingBlocks` nothing is
  /// printed.
  package init(
    language: String? = nil, endingInNUL: Bool = false, keepingBlocks: Bool = false
  ) {
    self.language = language
    (endsInNUL, keepsBlocks) = (endingInNUL, keepingBlocks)
  }

  /// Handles the next part of the text.
  package mutating func append(_ text: Span<UInt8>, into sink: inout TextSink) {
    var index = 0
    while index < text.count {
      if isInHead {
        appendHead(text[index], into: &sink)
        index += 1
      } else {
        let end = text.firstIndex(of: ASCII.lf, from: index).map { $0 + 1 }
        emit(text.extracting(index..<(end ?? text.count)), into: &sink)
        index = end ?? text.count
        isInHead = end != nil
      }
    }
  }

  /// Ends the text; another may follow. Content without a line end gets one.
  package mutating func end(into sink: inout TextSink) {
    if isInHead { endHead(into: &sink) }
    if isWanted { sink.notices.append(Notice(.warning, "the last code block has no end")) }
    if !endsInLineEnd { emit([ASCII.lf].span, into: &sink) }
    close(into: &sink)
    isInHead = true
  }

  /// Leaves the text, which goes on later: what is out of a block ends as blocks do.
  mutating func leave(into sink: inout TextSink) {
    guard isWanted, block == nil else { return }
    if !endsInLineEnd { sink.bytes.append(ASCII.lf) }
    endsInLineEnd = true
    if endsInNUL { sink.bytes.append(0) }
  }

  private mutating func appendHead(_ byte: UInt8, into sink: inout TextSink) {
    head.append(byte)
    if byte == ASCII.lf { return endHead(into: &sink) }
    isInHead =
      fence?.canEnd(with: byte)
      ?? (OpeningFence.canBegin(with: head[0]) && head.count < Self.longestHead)
    if !isInHead { releaseHead(into: &sink) }
  }

  /// Ends a line that may be a fence all along.
  private mutating func endHead(into sink: inout TextSink) {
    let line = head.last == ASCII.lf ? head : head + [ASCII.lf]
    if fence?.isClosed(by: line) == true {
      close(into: &sink)
    } else if fence == nil, let opening = OpeningFence(line) {
      fence = opening
      isWanted = language.map { Self.isSame(opening.language, $0) } ?? true
      if isWanted { found += 1 }
      if isWanted, keepsBlocks { block = CodeBlock(info: opening.info) }
    } else {
      return releaseHead(into: &sink)
    }
    head = []
  }

  /// What was held of a line that is no fence is content.
  private mutating func releaseHead(into sink: inout TextSink) {
    if let fence { emit(fence.dedented(head).span, into: &sink) }
    head.removeAll(keepingCapacity: true)
  }

  private mutating func close(into sink: inout TextSink) {
    if let block { sink.blocks.append(block) } else if isWanted, endsInNUL { sink.bytes.append(0) }
    block = nil
    (fence, isWanted, endsInLineEnd) = (nil, false, true)
  }

  private mutating func emit(_ text: Span<UInt8>, into sink: inout TextSink) {
    guard !text.isEmpty, isWanted else { return }
    if block != nil {
      block?.content.append(copying: text)
    } else {
      sink.bytes.append(copying: text)
    }
    endsInLineEnd = text[text.count - 1] == ASCII.lf
  }

  private static func isSame(_ word: [UInt8], _ language: String) -> Bool {
    word.elementsEqual(language.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) }
  }
}
