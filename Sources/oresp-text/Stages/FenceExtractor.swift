import Core

/// Takes the content of fenced code blocks out of Markdown that comes in chunks (CommonMark 0.31,
/// section 4.5).
///
/// A fence may be indented as a list item is, and may stand right behind the item's marker; its
/// indent is taken off the content. Content goes out as soon as it is known to be no closing fence:
/// held are only the white space and the fence characters at the start of a line. Block quotes are
/// not searched.
struct FenceExtractor {
  /// The number of blocks in the wanted language so far.
  private(set) var found = 0

  /// The first word behind the fence of a wanted block; `nil` for any.
  private let language: String?
  private let endsInNUL: Bool
  /// Whether blocks go out whole in place of being printed, and the open block then.
  private let keepsBlocks: Bool
  private var block: CodeBlock?
  /// Whether the current line may still become a fence, and its bytes so far.
  private var isInHead = true
  private var head: [UInt8] = []
  /// The fence of the open block, and whether the block is wanted.
  private var fence: OpeningFence?
  private var isWanted = false
  /// Whether the content of the block so far ends in a line end, or is empty.
  private var endsInLineEnd = true

  /// A longer line begins no block.
  private static let longestHead = 4096

  /// `language` is compared with the first word behind a fence, whatever its case. With
  /// `endingInNUL` a NUL follows the content of each block. With `keepingBlocks` blocks go out as
  /// values, and nothing is printed.
  init(
    language: String? = nil, endingInNUL: Bool = false, keepingBlocks: Bool = false
  ) {
    self.language = language
    (endsInNUL, keepsBlocks) = (endingInNUL, keepingBlocks)
  }

  /// Handles the next part of the text.
  mutating func append(_ text: Span<UInt8>, into sink: inout TextSink) {
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
  mutating func end(into sink: inout TextSink) {
    if isInHead { endHead(into: &sink) }
    if isWanted { sink.notices.append(Notice(.warning, "the last code block has no end")) }
    if !endsInLineEnd { emit([ASCII.lf].span, into: &sink) }
    close(into: &sink)
    isInHead = true
  }

  private mutating func appendHead(_ byte: UInt8, into sink: inout TextSink) {
    head.append(byte)
    if byte == ASCII.lf { return endHead(into: &sink) }
    isInHead =
      fence?.canEnd(with: byte)
      ?? (OpeningFence.canBegin(with: head[0]) && head.count < Self.longestHead)
    if !isInHead { releaseHead(into: &sink) }
  }

  /// Ends a line whose every byte may be part of a fence.
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

  /// Emits the held bytes of a line that is no fence: they are content.
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
