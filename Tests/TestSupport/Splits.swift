package import Core

/// Ways to cut `bytes` into chunks: whole, byte by byte, and in two at every place.
package func splits(of bytes: [UInt8]) -> [[[UInt8]]] {
  let halves = bytes.indices.map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
  return [[bytes], bytes.map { [$0] }] + halves
}

/// Ways to cut `bytes` for a filter: up to 100 of them as `splits` does. More are cut byte by byte,
/// at every place within 3 bytes of a line end, quote or brace, several that are far apart at once,
/// and in two at 32 random places.
package func cuts(of bytes: [UInt8]) -> [[[UInt8]]] {
  guard bytes.count > 100 else { return splits(of: bytes) }
  let marks = Set("\n\r\"{}".utf8)
  var rows = [[Int]](repeating: [], count: 64)
  for place in bytes.indices.dropFirst()
  where bytes[max(0, place - 3)..<min(bytes.count, place + 3)].contains(where: marks.contains) {
    rows[place % rows.count].append(place)
  }
  rows += (0..<32).map { _ in [Int.random(in: bytes.indices)] }
  return [[bytes], bytes.map { [$0] }]
    + rows.map { places in
      zip([0] + places, places + [bytes.count]).map { Array(bytes[$0..<$1]) }
    }
}

/// `bytes` cut at `count` random places; cuts may coincide, which makes empty chunks.
package func randomCuts(
  of bytes: [UInt8], _ count: Int, using generator: inout SeededGenerator
) -> [[UInt8]] {
  let places = (0..<count).map { _ in Int.random(in: 0...bytes.count, using: &generator) }.sorted()
  return zip([0] + places, places + [bytes.count]).map { Array(bytes[$0..<$1]) }
}

/// Random numbers that a printed seed brings back (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
  /// What to print, so that a failure can be seen again.
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64 = .random(in: 0 ... .max)) {
    (self.seed, state) = (seed, seed)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// What a filter made of an input.
package struct Outcome: Equatable {
  package var output: String
  /// The worst status of all that was told, and of what the filter returned.
  package var status: ExitStatus
  /// The notices as text, without the tool's name; summaries left out.
  package var notices: [String]

  package init(_ output: String, _ status: ExitStatus = .completed, _ notices: [String] = []) {
    (self.output, self.status, self.notices) = (output, status, notices)
  }
}

/// Feeds `chunks` to a filter as so many reads of one input.
package func feed<F: Filter & ~Copyable>(_ filter: consuming F, _ chunks: [[UInt8]]) -> Outcome {
  var output = Output()
  var status = run(&filter, chunks, into: &output)
  let told = output.notices.compactMap(\.status).max() ?? .completed
  if told < .badInput, let complaint = filter.complaint {
    output.notices.removeAll(where: \.isSaidByComplaint)
    output.notices.append(complaint)
  }
  for notice in output.notices { status = max(status, notice.status ?? .completed) }
  let shown = output.notices.filter { $0.kind != .summary }
  return Outcome(
    String(decoding: output.bytes, as: UTF8.self), status,
    shown.map { String($0.text(tool: "", input: "in").dropFirst(2)) })
}

/// Feeds `chunks` to a filter as so many reads of one input, and ends it. Returns what the filter
/// does.
package func run<F: Filter & ~Copyable>(
  _ filter: inout F, _ chunks: [[UInt8]], into output: inout Output
) -> ExitStatus {
  var input = InputBuffer()
  for chunk in chunks {
    input.append(chunk.span)
    repeat { filter.handle(&input, into: &output) } while output.goesOn
    if output.isOver { return filter.finish(into: &output) }
  }
  repeat { filter.endInput(&input, into: &output) } while output.goesOn
  return filter.finish(into: &output)
}

/// Feeds `text` in every way that `cuts` knows, and tells the ways in which the outcome was not
/// `expected`.
package func mismatches<F: Filter & ~Copyable>(
  feeding text: String, expecting expected: Outcome, to make: () -> F
) -> [String] {
  cuts(of: Array(text.utf8)).compactMap { chunks in
    let outcome = feed(make(), chunks)
    return outcome == expected ? nil : "\(outcome) for chunks of \(chunks.map(\.count))"
  }
}

extension Output {
  /// What the notices so far tell under `name`, as JSON.
  package func facts(_ name: String) -> [String] {
    notices.flatMap(\.facts).filter { $0.name == name }
      .map { String(decoding: $0.value.line, as: UTF8.self) }
  }

  /// Whether the filter left off, to be called again; that is taken back.
  fileprivate var goesOn: Bool {
    mutating get {
      defer { pauseUntil = nil }
      return pauseUntil != nil
    }
  }
}
