import Core

/// Cuts a file into its lines. Holds at most one read and the unfinished line.
struct LineInput: ~Copyable {
  /// The longest line that is read, in bytes.
  private static let limit = 256 << 20

  let file: Descriptor
  private var input = InputBuffer()
  /// The count of unused bytes that were searched and have no line end.
  private var searched = 0
  /// The number of the last line from `next`, from 1; 0 before the first.
  private(set) var number = 0
  private(set) var isAtEnd = false
  /// Whether the last line from `next` had a line end.
  private(set) var hasLineEnd = true

  init(_ file: consuming Descriptor) { self.file = file }

  /// The size in bytes of all lines from `next`, with their line ends.
  var offset: Int { input.offset(of: input.start) }

  /// Whether a read returns at once.
  var isReady: Bool { !file.isIdle(until: 0) }

  /// Makes one read.
  mutating func read() throws(Failure) {
    isAtEnd = try file.read(into: &input) == 0
    guard input.count <= Self.limit else {
      throw .other("\(file.name): line \(number + 1) is longer than \(Self.limit) bytes", .badInput)
    }
  }

  /// Takes the next line that was read, without its line end; `nil` when more must be read.
  mutating func next() -> [UInt8]? {
    let count = endOfLine
    guard count != nil || isAtEnd && input.count > 0 else {
      searched = input.count
      return nil
    }
    let line = Array(input.bytes[input.start..<input.start + (count ?? input.count)])
    hasLineEnd = count != nil
    input.start += line.count + (hasLineEnd ? 1 : 0)
    searched = 0
    number += 1
    return line
  }

  /// The count of bytes before the next line end; `nil` when there is none.
  private var endOfLine: Int? {
    input.bytes.span.extracting(input.start..<input.end).firstIndex(of: ASCII.lf, from: searched)
  }
}
