import Core

/// How many bytes each read brings, and each write takes.
enum Cuts {
  case whole, bytes
  /// Any number, and now and then a signal comes first.
  case random(SeededGenerator)

  /// How many of `wanted` bytes go through; `nil` when a signal comes first.
  mutating func next(of wanted: Int) -> Int? {
    switch self {
    case .whole: return wanted
    case .bytes: return min(wanted, 1)
    case .random(var generator):
      defer { self = .random(generator) }
      if Int.random(in: 0..<16, using: &generator) == 0 { return nil }
      let most = 1 << Int.random(in: 0...9, using: &generator)
      return min(wanted, Int.random(in: 1...most, using: &generator))
    }
  }
}

/// The system as a tool sees it that is fuzzed: streams and files in memory, and a clock that goes
/// on by what is waited. The linker puts `SystemCalls` before the system's own calls.
final class World {
  /// What the calls of a tool reach; `nil` when none runs, and the system is asked.
  nonisolated(unsafe) static var current: World?

  /// The descriptors of the three streams; files have those behind.
  static let (stdin, stdout, stderr): (Int32, Int32, Int32) = (1000, 1001, 1002)

  private let files: [String: [UInt8]]
  private var cuts: Cuts
  private var open: [Int32: (bytes: [UInt8], place: Int)]
  private var last = World.stderr
  private(set) var output: [UInt8] = []
  private(set) var errors: [UInt8] = []
  /// The nanoseconds that were waited.
  private(set) var waited = 0
  /// For the dice.
  var generator = SeededGenerator(seed: 1)

  init(input: [UInt8], files: [String: [UInt8]], _ cuts: Cuts) {
    (self.files, self.cuts, open) = (files, cuts, [Self.stdin: (input, 0)])
  }

  /// A new descriptor of the file at `path`; -1 when there is none.
  func open(_ path: String) -> Int32 {
    guard let bytes = files[path] else { return -1 }
    last += 1
    open[last] = (bytes, 0)
    return last
  }

  func close(_ number: Int32) { if number != Self.stdin { open[number] = nil } }

  /// Reads into `buffer`; -1 when a signal came first.
  func read(_ number: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let (bytes, place) = open[number] else { return 0 }
    guard let count = cuts.next(of: min(buffer.count, bytes.count - place)) else { return -1 }
    bytes[place..<place + count].withUnsafeBytes { buffer.copyMemory(from: $0) }
    open[number]?.place += count
    return count
  }

  /// Writes `bytes`, or the first of them; -1 when a signal came first.
  func write(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    guard let count = cuts.next(of: bytes.count) else { return -1 }
    if number == Self.stdout {
      output += bytes.prefix(count)
    } else {
      errors += bytes.prefix(count)
    }
    return count
  }

  func wait(_ time: timespec) { waited += time.tv_sec * 1_000_000_000 + time.tv_nsec }
}
