import Core

/// One thing that is fuzzed: what it does with an input, and which inputs it is for.
struct FuzzTarget: Sendable {
  let name: String
  let run: @Sendable (FuzzInput) -> Void

  static let all: [FuzzTarget] = [
    .init(name: "sse") { Stream.check($0, .sse) },
    .init(name: "reader") { Stream.check($0, .reader) },
    .init(name: "rebuild") { Stream.check($0, .rebuild) },
    .init(name: "check") { Stream.check($0, .check) },
    .init(name: "text") { Stream.check($0, .text) },
    .init(name: "merge") { Merge.check($0) },
    .init(name: "schema") { Schema.check($0) },
    .init(name: "options") { Sender.checkOptions($0) },
    .init(name: "set") { Sender.checkPaths($0) },
    .init(name: "headers") { Sender.checkReply($0) },
  ]

  /// The one that the environment names.
  static let chosen: FuzzTarget = {
    let name = getenv("ORESP_FUZZ").map { String(cString: $0) } ?? ""
    guard let target = all.first(where: { $0.name == name }) else {
      fail("ORESP_FUZZ names no target: \(all.map(\.name).joined(separator: " "))")
    }
    return target
  }()
}

/// The bytes that the fuzzer made.
struct FuzzInput {
  let bytes: [UInt8]

  /// What all that is left to chance follows from: the bytes alone (FNV-1a).
  var seed: UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  var generator: SeededGenerator { SeededGenerator(seed: seed) }

  /// The first line without its end, and what stands behind it.
  var parted: (line: [UInt8], rest: FuzzInput) {
    guard let end = bytes.firstIndex(of: ASCII.lf) else { return (bytes, FuzzInput(bytes: [])) }
    return (Array(bytes[..<end]), FuzzInput(bytes: Array(bytes[(end + 1)...])))
  }
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ base: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  FuzzTarget.chosen.run(
    FuzzInput(bytes: Array(UnsafeBufferPointer(start: base, count: count))))
  return 0
}
