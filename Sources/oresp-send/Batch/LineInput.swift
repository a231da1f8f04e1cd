import Core

/// Cuts a file into its lines, and holds no more of it than one read and the line that was begun.
struct LineInput: ~Copyable {
  /// The longest line that is taken.
  private static let limit = 256 << 20

  let file: Descriptor
  private var input = InputBuffer()
  /// How many of the unused bytes have no line end.
  private var searched = 0
  /// The number of the last line that was given, from 1.
  private(set) var number = 0
  private(set) var isAtEnd = false

  init(_ file: consuming Descriptor) { self.file = file }

  /// How many bytes of the file the lines had that were given.
  var offset: Int { input.offset(of: input.start) }

  /// Whether a read would not have to wait.
  var isReady: Bool { !file.isIdle(until: 0) }

  /// Reads once.
  mutating func read() throws(Failure) {
    isAtEnd = try file.read(into: &input) == 0
    guard input.count <= Self.limit else {
      throw .other("\(file.name): line \(number + 1) is longer than \(Self.limit) bytes", .badInput)
    }
  }

  /// The next line of what was read, without its line end; at the end of the file what is left.
  mutating func next() -> [UInt8]? {
    let count = endOfLine
    guard count != nil || isAtEnd && input.count > 0 else {
      searched = input.count
      return nil
    }
    let line = Array(input.bytes[input.start..<input.start + (count ?? input.count)])
    input.start += line.count + (count == nil ? 0 : 1)
    searched = 0
    number += 1
    return line
  }

  /// How many bytes stand before the next line end, if there is one.
  private var endOfLine: Int? {
    input.bytes.span.extracting(input.start..<input.end).firstIndex(of: ASCII.lf, from: searched)
  }
}
