/// The end of a string, searched from an index inside its text, and what stands before it.
struct JSONStringEnd {
  /// The index behind the closing quote of a whole string; else of the byte that breaks or cuts it.
  private(set) var index: Int
  private(set) var isWhole = true
  /// Whether all of it is UTF-8.
  private(set) var isUTF8 = true
  private(set) var hasEscape = false

  /// Whether the string's bytes are its text.
  @inline(__always)
  var isPlain: Bool { isUTF8 && !hasEscape }

  @inline(__always)
  init(_ value: Span<UInt8>, from start: Int) {
    index = value.endOfASCIIStringRun(from: start)
    if value.byte(at: index) == ASCII.quote {
      index += 1
    } else {
      self = JSONStringEnd(value, behindUsual: index)
    }
  }

  /// Goes on at `start`, the first byte behind a run of plain ASCII.
  @inline(never)
  private init(_ value: Span<UInt8>, behindUsual start: Int) {
    index = start
    while true {
      switch value.byte(at: index) {
      case ASCII.quote:
        index += 1
        return
      case ASCII.backslash:
        guard let length = JSONString.escapeLength(value, at: index) else {
          isWhole = false
          return
        }
        hasEscape = true
        index += length
      case 0x80...:
        repeat {
          let length = UTF8Repair.character(value, at: index)
          if length < 0 {
            // A character cut by the end of the bytes may still become whole.
            if index - length == value.count {
              isWhole = false
              return
            }
            isUTF8 = false
          }
          index += abs(length)
        } while value.byte(at: index) >= 0x80
      default:
        isWhole = false
        return
      }
      index = value.endOfASCIIStringRun(from: index)
    }
  }
}
