/// When an event arrived, as its line tells in `oresp.at`: seconds since the epoch, with six decimals.
package enum Stamp {
  /// The stamp of an event that arrived `microseconds` after the epoch.
  package static func json(microseconds: Int) -> JSONValue {
    let decimals = String(1_000_000 + microseconds % 1_000_000).dropFirst()
    return .raw(Array("\(microseconds / 1_000_000).\(decimals)".utf8))
  }

  /// When the event `line` arrived, in microseconds since the epoch; `nil` when it has no stamp, or
  /// one from before 1970 or after 2255.
  package static func microseconds(of line: Span<UInt8>) -> Int? {
    guard let place = JSONChildren.value(of: "oresp", "at", in: line),
      let time = JSONDecimal(line.extracting(place))?.scaled(by: 6)?.value
    else { return nil }
    return 0...JSONNumber.largest ~= time ? time : nil
  }
}
