/// Deltas that came one behind the other and differ only in their text, their number and their
/// padding. None of them has a member `oresp`. Of a class, as most events stand for themselves alone.
package final class DeltaRun: Sendable {
  /// One of the deltas, counted from the first byte of the first one's line.
  package struct Member: Sendable {
    package let line: Range<Int>
    /// Quotes included.
    package let delta: Range<Int>
  }

  /// Two or more.
  package let members: [Member]
  /// Whether each sequence number is one above the number before it, or none has one.
  package let isInSequence: Bool
  /// The name of their type, counted from their lines' start, or from their end if it is negative.
  private let name: Range<Int>
  /// How many lines of the input each takes up.
  private let lines: Int

  init(_ members: [Member], named name: Range<Int>, _ isInSequence: Bool, lines: Int) {
    (self.members, self.name, self.isInSequence, self.lines) = (members, name, isInSequence, lines)
  }

  /// Where `name`, counted from the start of its line or from its end, stands in `line`.
  static func place(of name: Range<Int>, in line: Range<Int>) -> Range<Int> {
    let origin = name.lowerBound < 0 ? line.count : 0
    return name.lowerBound + origin..<name.upperBound + origin
  }

  /// Where the last one's line stands.
  var last: Range<Int> { members.last?.line ?? 0..<0 }

  /// All but the first, counted as they were.
  package var withoutFirst: DeltaRun {
    DeltaRun(Array(members.dropFirst()), named: name, isInSequence, lines: lines)
  }

  /// The member `index` as an event of its own; `event` stands for all of them.
  package func event(_ index: Int, of event: Event) -> Event {
    let line = members[index].line
    var single = event
    (single.run, single.typeName) = (nil, Self.place(of: name, in: line))
    single.place = event.place.map {
      $0.lowerBound + line.lowerBound..<$0.lowerBound + line.upperBound
    }
    single.inputPlace.line += index * lines
    single.inputPlace.byte += line.lowerBound
    return single
  }
}

/// The deltas of an event: its own, or those of all that it stands for. They stand in its line.
package struct Deltas {
  /// The first, quotes included.
  package let first: Range<Int>
  let run: DeltaRun?

  /// Those of an event that stands for `run`, or for itself; the first is a JSON string at `first`.
  package init(_ first: Range<Int>, in run: DeltaRun? = nil) {
    (self.first, self.run) = (first, run)
  }

  /// Each of several by itself.
  package var singles: [Deltas]? { run?.members.map { Deltas($0.delta) } }

  /// Whether there is no text in them.
  package var isEmpty: Bool {
    first.count <= 2 && run?.members.allSatisfy { $0.delta.count <= 2 } ?? true
  }

  /// Calls `body` with each, quotes included.
  package func each(_ body: (Range<Int>) -> Void) {
    guard let run else { return body(first) }
    for member in run.members { body(member.delta) }
  }
}
