/// The mark that says when a tool told how an event ends its response: `"oresp":{"told":1764316800}`
/// in its line, or a comment in a block of its own right in front of it.
///
///     : oresp told=1764316800
///
///     event: response.failed
package enum ToldMark {
  private static let start: StaticString = " oresp told="

  /// The time now, in seconds.
  package static var now: Int { Clock.microseconds() / 1_000_000 }

  /// Whether a tool told it just now, so that no other tells it again.
  static func isFresh(_ seconds: Int) -> Bool { -10...10 ~= seconds - now }

  /// Appends its block.
  package static func append(_ seconds: Int, to output: inout [UInt8]) {
    output.append(ASCII.colon)
    output.append(start)
    output.append(contentsOf: String(seconds).utf8)
    output.append("\n\n")
  }

  /// The time in a comment, whose text is `text`; `nil` when it is no mark.
  static func seconds(inComment text: Span<UInt8>) -> Int? {
    guard text.starts(with: start) else { return nil }
    let number = text.extracting(droppingFirst: start.utf8CodeUnitCount)
    return seconds(number)
  }

  private static func seconds(_ number: Span<UInt8>) -> Int? {
    guard let seconds = JSONNumber.integer(number), seconds >= 0 else { return nil }
    return seconds
  }

  /// The time in the mark of `event`, as far as it is believed: it `isTrusted`, as it came from a
  /// pipe, and fresh.
  static func time(
    of event: borrowing Event, _ line: Span<UInt8>, isTrusted: Bool
  ) -> Int? {
    guard isTrusted else { return nil }
    if let told = event.told { return told }
    guard let told = seconds(of: event, line), isFresh(told) else { return nil }
    return told
  }

  /// The time in the line of `event`; `nil` when it has no mark.
  static func seconds(of event: borrowing Event, _ line: Span<UInt8>) -> Int? {
    event.value(of: "oresp", "told", in: line).flatMap { seconds(line.extracting($0)) }
  }

  /// The same in `object`, whose members are not noted.
  package static func seconds(in object: Span<UInt8>) -> Int? {
    JSONChildren.value(of: "oresp", "told", in: object).flatMap { seconds(object.extracting($0)) }
  }
}

extension EventLine {
  /// `line`, an object, with the mark `seconds`; without any where that is `nil`.
  package static func marking(_ line: Span<UInt8>, told seconds: Int?) -> [UInt8] {
    var own = JSONValue.object([])
    if let value = JSONChildren.value(of: "oresp", in: line) {
      guard let known = JSONValue(object: line.extracting(value)) else {
        return [UInt8](copying: line)
      }
      own = known
    }
    own["told"] = seconds.map { .integer($0) }
    var made: [UInt8] = []
    appendWithoutOwn(line, to: &made)
    if case .object(let members) = own, members.isEmpty { return made }
    append(own, to: &made, from: 0)
    return made
  }
}
