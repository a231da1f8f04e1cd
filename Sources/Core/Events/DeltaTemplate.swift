/// Recognises deltas that differ from one before only in their text, their number and their padding,
/// so that they need not be framed, checked and read member by member: a fifth of the time.
///
/// Everything else must be there to the byte, what frames the line too; so what matches is whole
/// JSON, and has its members where the one before had them.
struct DeltaTemplate {
  /// A value that may differ.
  private enum Slot {
    case number, text, delta
  }

  /// What must stand there to the byte, and what follows it.
  private struct Piece {
    let literal: Range<Int>
    let slot: Slot?
  }

  /// A delta that matches.
  struct Match {
    /// Where its frame ends.
    var end: Int
    /// Where its delta stands, quotes included.
    var delta = 0..<0
    /// Its sequence number, `.min` for one of more than 18 digits; `nil` when it has none.
    var number: Int?
  }

  let type: EventType
  /// The name of the type, counted from the line's start, or from its end: then it is negative.
  let name: Range<Int>
  /// Where the line stands in the frame: how much before it, and how much behind it.
  let (before, behind): (Int, Int)
  /// How many lines the frame takes up.
  let lines: Int
  private let bytes: [UInt8]
  private let pieces: [Piece]

  /// Makes a template of `frame`, in which the line of an event with a delta stands at `line`; `nil`
  /// when it has one of the values twice, or not in its usual form.
  init?(_ frame: Span<UInt8>, line: Range<Int>, _ type: EventType, named name: Range<Int>) {
    var slots: [(value: Range<Int>, slot: Slot)] = []
    var members = JSONChildren(at: line.lowerBound)
    while let member = members.next(in: frame) {
      let name = frame.extracting(member.name)
      let slot: Slot
      if member.hasEscapedName || name.equals("oresp") {
        return nil
      } else if name.equals("delta") {
        slot = .delta
      } else if name.equals("sequence_number") {
        slot = .number
      } else if name.equals("obfuscation") {
        slot = .text
      } else {
        // Log probabilities add up, even if they are the same.
        if name.equals("logprobs"), member.value.count > 2 { return nil }
        continue
      }
      let isText = frame[member.value.lowerBound] == ASCII.quote
      guard isText == (slot != .number), !slots.contains(where: { $0.slot == slot }) else {
        return nil
      }
      slots.append((member.value, slot))
    }
    guard !members.isBroken, members.position == line.upperBound,
      slots.contains(where: { $0.slot == .delta }), let first = slots.first, let last = slots.last
    else { return nil }
    // Between two of the values it would stand at another place each time.
    let nameEnd = line.lowerBound + name.upperBound
    guard nameEnd < first.value.lowerBound || nameEnd > last.value.upperBound else { return nil }
    let origin = nameEnd < first.value.lowerBound ? 0 : line.count
    var start = 0
    var pieces: [Piece] = []
    for (value, slot) in slots {
      pieces.append(Piece(literal: start..<value.lowerBound, slot: slot))
      start = value.upperBound
    }
    pieces.append(Piece(literal: start..<frame.count, slot: nil))
    (self.type, self.pieces) = (type, pieces)
    self.name = name.lowerBound - origin..<name.upperBound - origin
    (before, behind) = (line.lowerBound, frame.count - line.upperBound)
    bytes = [UInt8](copying: frame)
    lines = bytes.count { $0 == ASCII.lf }
  }

  /// The delta whose frame starts at `start` in `input`; `nil` when something else stands there.
  func match(_ input: Span<UInt8>, at start: Int, checksUTF8: Bool) -> Match? {
    var match = Match(end: start)
    let (bytes, pieces) = (bytes.span, pieces.span)
    for index in pieces.indices {
      let piece = pieces[index]
      guard input.starts(with: bytes.extracting(piece.literal), at: match.end) else { return nil }
      match.end += piece.literal.count
      guard let slot = piece.slot else { break }
      let begin = match.end
      if slot == .number {
        guard Self.takeNumber(input, &match) else { return nil }
      } else {
        guard begin < input.count, input[begin] == ASCII.quote,
          let end = CompactJSON.endOfString(input, from: begin + 1, checksUTF8)
        else { return nil }
        match.end = end
        if slot == .delta { match.delta = begin..<end }
      }
    }
    return match
  }

  /// Takes the digits that stand at the end of `match`; false when they are no whole number of JSON.
  @inline(__always)
  private static func takeNumber(_ input: Span<UInt8>, _ match: inout Match) -> Bool {
    let start = match.end
    var number = 0
    while match.end < input.count, input[match.end] &- UInt8(ascii: "0") < 10 {
      number = number &* 10 &+ Int(input[match.end] &- UInt8(ascii: "0"))
      match.end += 1
    }
    let count = match.end - start
    match.number = count <= 18 ? number : .min
    return count > 0 && (count == 1 || input[start] != ASCII.zero)
  }
}
