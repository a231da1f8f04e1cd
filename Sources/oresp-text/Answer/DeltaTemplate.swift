import Core

/// Recognises a delta that differs from one before only in its text, its number and its padding, so
/// that it need not be read member by member: three times as fast.
///
/// Everything else must be there to the byte, so what matches is whole JSON, and has its place where
/// the one before had it.
package struct DeltaTemplate {
  /// A value that may differ.
  private enum Slot {
    case number, text, delta
  }

  /// What must stand there to the byte, and what follows it.
  private struct Piece {
    let literal: Range<Int>
    let slot: Slot?
  }

  private let bytes: [UInt8]
  private let pieces: [Piece]

  /// Makes a template of `line`, an event with a delta; `nil` when it has one of the values twice, or
  /// not in its usual form.
  package init?(_ line: Span<UInt8>) {
    var slots: [(value: Range<Int>, slot: Slot)] = []
    var members = JSONChildren()
    while let member = members.next(in: line) {
      let name = line.extracting(member.name)
      let slot: Slot
      if name.equals("delta") {
        slot = .delta
      } else if name.equals("sequence_number") {
        slot = .number
      } else if name.equals("obfuscation") {
        slot = .text
      } else {
        continue
      }
      let isText = line[member.value.lowerBound] == ASCII.quote
      guard isText == (slot != .number), !slots.contains(where: { $0.slot == slot }) else {
        return nil
      }
      slots.append((member.value, slot))
    }
    guard slots.contains(where: { $0.slot == .delta }) else { return nil }
    var start = 0
    var pieces: [Piece] = []
    for (value, slot) in slots {
      pieces.append(Piece(literal: start..<value.lowerBound, slot: slot))
      start = value.upperBound
    }
    pieces.append(Piece(literal: start..<line.count, slot: nil))
    self.pieces = pieces
    bytes = [UInt8](copying: line)
  }

  /// Where the delta stands in `line`, quotes included; `nil` when the line is another.
  package func delta(in line: Span<UInt8>) -> Range<Int>? {
    var index = 0
    var delta: Range<Int>?
    for piece in pieces {
      guard line.starts(with: bytes.span.extracting(piece.literal), at: index) else { return nil }
      index += piece.literal.count
      guard let slot = piece.slot else { break }
      let end = slot == .number ? Self.endOfNumber(line, index) : Self.endOfText(line, index)
      guard let end else { return nil }
      if slot == .delta { delta = index..<end }
      index = end
    }
    return index == line.count ? delta : nil
  }

  /// Where the digits end that stand at `start`; `nil` when they are no JSON number.
  @inline(__always)
  private static func endOfNumber(_ line: Span<UInt8>, _ start: Int) -> Int? {
    var end = start
    // A call of another module for each digit would be most of it.
    while end < line.count, line[end] &- UInt8(ascii: "0") < 10 { end += 1 }
    guard end > start, end == start + 1 || line[start] != ASCII.zero else { return nil }
    return end
  }

  /// Where the string ends that stands at `start`.
  private static func endOfText(_ line: Span<UInt8>, _ start: Int) -> Int? {
    guard start < line.count, line[start] == ASCII.quote else { return nil }
    return JSONString.end(of: line, from: start + 1)
  }
}
