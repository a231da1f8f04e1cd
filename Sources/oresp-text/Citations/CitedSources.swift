/// The sources that a response cites, numbered from 1 in the order of their first mark.
struct CitedSources {
  private var numbers: [[UInt8]: Int] = [:]
  private(set) var sources: [Citation] = []

  /// The number of what `citation` cites; given now if it had none.
  mutating func number(of citation: Citation) -> Int {
    if let number = numbers[citation.address] { return number }
    sources.append(citation)
    numbers[citation.address] = sources.count
    return sources.count
  }

  func contains(_ citation: Citation) -> Bool { numbers[citation.address] != nil }
}
