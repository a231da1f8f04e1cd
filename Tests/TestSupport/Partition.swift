import Foundation

/// A way to deal out the lines of a recording to several files.
package enum Partition: CaseIterable, Sendable {
  case types, items, numbers, ranges, lines

  /// Deals out `lines` to `count` files, each in order. A line without a number goes where the one
  /// before it went; now and then a line goes to two.
  package func parts(
    of lines: [String], _ count: Int, using generator: inout SeededGenerator
  ) -> [[String]] {
    var parts = [[String]](repeating: [], count: count)
    var places: [String: Int] = [:]
    var last = 0
    for (index, line) in lines.enumerated() {
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
      let event = object as? [String: Any] ?? [:]
      let own = event["oresp"] as? [String: Any]
      if let number = event["sequence_number"] as? Int ?? own?["n"] as? Int {
        let item = event["item"] as? [String: Any]
        let key =
          switch self {
          case .types: "\(event["type"] ?? "")"
          case .items: "\(event["item_id"] ?? item?["id"] ?? "")"
          case .numbers: "\(number % 7)"
          case .ranges: "\(index / max(1, lines.count / (2 * count)))"
          case .lines: "\(index)"
          }
        last = places[key] ?? Int.random(in: 0..<count, using: &generator)
        places[key] = last
        let other = Int.random(in: 0..<(8 * count), using: &generator)
        if other < count, other != last { parts[other].append(line) }
      }
      parts[last].append(line)
    }
    return parts.shuffled(using: &generator)
  }
}
