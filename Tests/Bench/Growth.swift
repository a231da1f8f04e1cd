import Foundation

/// Rows on inputs that have much of one thing: four times as much of it must be no more than five
/// times the work.
///
/// The work is counted where that takes no long time: the instructions of the tool, by valgrind.
/// What is too large for that is timed.
enum Growth {
  static var canCount: Bool { Tools.path(of: "valgrind") != nil }

  static func count(into table: inout Table) throws {
    let shapes = GrowthShape.counted
    let ratios = Ratios()
    // Nothing depends on what runs beside it.
    DispatchQueue.concurrentPerform(iterations: shapes.count) { index in
      ratios[index] = Result {
        let shape = shapes[index]
        let (less, more) = (
          try steps(of: shape, shape.count), try steps(of: shape, 4 * shape.count)
        )
        return Double(more) / Double(less)
      }
    }
    for (index, shape) in shapes.enumerated() {
      guard let ratio = try ratios[index]?.get() else { continue }
      add(shape, ratio, "its instructions", to: &table)
    }
  }

  /// What came of each shape.
  private final class Ratios: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [Int: Result<Double, any Error>] = [:]

    subscript(index: Int) -> Result<Double, any Error>? {
      get { lock.withLock { all[index] } }
      set { lock.withLock { all[index] = newValue } }
    }
  }

  static func time(runs: Int, into table: inout Table) throws {
    for shape in GrowthShape.large {
      let folder = try TemporaryFolder()
      var (times, peak) = ([Double](), 0)
      for count in [shape.count, 4 * shape.count] {
        let candidate = try candidate(shape, count, in: folder)
        let costs = try (0..<runs).map { _ in try Measure.run(candidate) }
        times.append(Measure.median(costs.map(\.cpuSeconds)))
        peak = costs.map(\.peakBytes).max() ?? 0
      }
      let how = "its CPU time (\(times[1].short) s, \(peak >> 20) MiB)"
      add(shape, times[1] / max(times[0], 0.001), how, to: &table)
    }
  }

  private static func add(
    _ shape: GrowthShape, _ ratio: Double, _ how: String, to table: inout Table
  ) {
    let command = ([shape.tool] + shape.arguments).joined(separator: " ")
    table.add(
      "`\(command)`, \(shape.name)", against: "a quarter of it", "\(ratio.short) × \(how)",
      budget: "5 × at most", isMet: ratio <= 5)
  }

  private static func candidate(
    _ shape: GrowthShape, _ count: Int, in folder: TemporaryFolder
  ) throws -> Candidate {
    let paths = [
      "$D": folder.path + "/made", "$F": try folder.file("file", shape.file(count)),
    ]
    var candidate = Candidate(shape.tool, input: try folder.file("input", shape.input(count)))
    candidate.arguments = shape.arguments.map { paths[$0] ?? $0 }
    return candidate
  }

  /// How many instructions the tool makes of `count` of the thing.
  private static func steps(of shape: GrowthShape, _ count: Int) throws -> Int {
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    let candidate = try candidate(shape, count, in: folder)
    guard let tool = Tools.path(of: shape.tool) else { throw SystemError(shape.tool, ENOENT) }
    var counter = Candidate("valgrind", input: candidate.input)
    counter.arguments =
      [
        "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
        "--log-file=\(log)", tool,
      ] + candidate.arguments
    _ = try Measure.run(counter)
    let told = try String(contentsOfFile: log, encoding: .utf8)
    let total = told.split(separator: "\n").last { $0.contains(" refs:") }
    guard let total, let steps = Int(total.drop { $0 != ":" }.filter(\.isNumber)) else {
      throw SystemError("valgrind: \(told)", EINVAL)
    }
    return steps
  }
}
