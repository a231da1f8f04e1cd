import Core

/// Leaves out of one long event, while it comes, what no verdict is read from: the rest of a long
/// text, and what is nested deeper than the words of a refusal. What is left is JSON if the event is;
/// however long that is, a few megabytes are left of it.
struct Condenser {
  /// How much is kept of one text, number or blank.
  private static let longestRun = 64 << 10
  /// How deep values may be nested that are kept: `content` of an item of `output` of a `response`.
  private static let deepest = 6
  /// With so much kept no more is kept of what is deeper than the members of a response, and with
  /// twice of it nothing.
  private static let most = 2 << 20

  /// How many brackets are open, and how many of those are kept.
  private var (depth, keptDepth) = (0, 0)
  private var isInString = false
  /// Whether the string's quote is kept, and whether the rest of the string is left out.
  private var (isKept, isCut) = (false, false)
  private var isEscaped = false
  /// How many bytes came since the last backslash, as far as an escape goes.
  private var sinceEscape = 0
  /// How many bytes the string, or what stands outside of strings, has so far.
  private var run = 0
  private var count = 0
  /// How deep values are that are kept; negative when none are.
  private var limit = Int.max

  /// Goes on behind `start`, all of which is kept.
  init(behind start: Span<UInt8>) {
    var unused: [UInt8] = []
    take(start, into: &unused)
    limit = Self.deepest
  }

  /// Appends to `kept` what is kept of `bytes`.
  mutating func take(_ bytes: Span<UInt8>, into kept: inout [UInt8]) {
    var index = 0
    while index < bytes.count {
      if isInString, !isEscaped {
        let end = bytes.endOfStringRun(from: index)
        takeText(bytes.extracting(index..<end), into: &kept)
        index = end
        guard index < bytes.count else { return }
      }
      takeByte(bytes[index], into: &kept)
      index += 1
    }
  }

  /// Takes a part of a string that has no escapes.
  private mutating func takeText(_ text: Span<UInt8>, into kept: inout [UInt8]) {
    guard !text.isEmpty else { return }
    sinceEscape += text.count
    run += text.count
    guard isKept, !isCut else { return }
    guard limit != .max, run > Self.longestRun, sinceEscape > 6 + text.count else {
      return keep(text, in: &kept)
    }
    // Characters stay whole.
    let end = text.indices.first { text[$0] < 0x80 || text[$0] >= 0xC0 } ?? text.count
    keep(text.extracting(first: end), in: &kept)
    isCut = true
  }

  private mutating func keep(_ bytes: Span<UInt8>, in kept: inout [UInt8]) {
    kept.append(copying: bytes)
    count += bytes.count
  }

  private mutating func takeByte(_ byte: UInt8, into kept: inout [UInt8]) {
    let keeps = isInString ? takeInString(byte) : takeOutside(byte)
    guard keeps else { return }
    kept.append(byte)
    count += 1
  }

  /// Takes a quote, a backslash or what it escapes, or a byte that is not allowed; whether it is kept.
  private mutating func takeInString(_ byte: UInt8) -> Bool {
    run += 1
    if isEscaped {
      (isEscaped, sinceEscape) = (false, 0)
      return isKept && !isCut
    }
    if byte == ASCII.quote {
      (isInString, run) = (false, 0)
      return isKept
    }
    if limit != .max, run > Self.longestRun { isCut = true }
    isEscaped = byte == ASCII.backslash
    return isKept && !isCut
  }

  private mutating func takeOutside(_ byte: UInt8) -> Bool {
    let isOpen = depth == keptDepth && depth <= limit
    switch byte {
    case ASCII.quote:
      (isInString, isKept, isCut, isEscaped, run) = (true, isOpen, false, false, 0)
      return isOpen
    case ASCII.openBrace, ASCII.openBracket:
      depth += 1
      guard isOpen else { return false }
      keptDepth = depth
      return true
    case ASCII.closeBrace, ASCII.closeBracket:
      let isKept = keptDepth == depth && limit >= 0
      depth = max(0, depth - 1)
      keptDepth = min(keptDepth, depth)
      return isKept
    case ASCII.comma:
      run = 0
      // Behind a whole value nothing is missed.
      if limit != .max, count > Self.most, depth > 2 { limit = min(limit, 2) }
      if limit != .max, count > 2 * Self.most { limit = -1 }
      return isOpen && depth <= limit
    default:
      run += 1
      return isOpen && (limit == .max || run <= Self.longestRun)
    }
  }
}
