import Foundation

/// A program with its arguments and its input.
struct Candidate {
  let name: String
  var arguments: [String]
  /// The file that is its standard input.
  var input = "/dev/null"
  var environment: [String: String] = ["LC_ALL": "C"]

  init(_ name: String, _ arguments: String..., input: String = "/dev/null") {
    (self.name, self.arguments, self.input) = (name, arguments, input)
  }

  var isFound: Bool { Tools.path(of: name) != nil }
}

/// What one run of a program took.
struct Cost {
  var wallSeconds = 0.0
  /// User and system time.
  var cpuSeconds = 0.0
  /// How many bytes it wrote.
  var output = 0
  /// The most memory that it had in use, in bytes.
  var peakBytes = 0
}

enum Measure {
  static func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

  /// Runs `candidate` to its end, its output going to a pipe that is read as fast as it comes.
  static func run(_ candidate: Candidate) throws -> Cost {
    guard let path = Tools.path(of: candidate.name) else {
      throw SystemError(candidate.name, ENOENT)
    }
    let input = open(candidate.input, O_RDONLY | O_CLOEXEC)
    let errors = open("/dev/null", O_WRONLY | O_CLOEXEC)
    let output = try SystemCall.pipe()
    let start = now()
    let child = try Spawn.start(
      path, [candidate.name] + candidate.arguments,
      environment: Tools.environment.merging(candidate.environment) { $1 },
      descriptors: [input, output.writing, errors])
    for descriptor in [input, errors, output.writing] { close(descriptor) }
    var cost = Cost()
    (cost.output, cost.peakBytes) = drain(output.reading, of: child)
    cost.cpuSeconds = cpuSeconds(awaiting: child)
    cost.wallSeconds = now() - start
    close(output.reading)
    return cost
  }

  /// Waits for the end of `child`; the CPU time that it took.
  static func cpuSeconds(awaiting child: Int32) -> Double {
    var usage = rusage()
    var status: Int32 = 0
    while wait4(child, &status, 0, &usage) < 0, errno == EINTR {}
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }

  /// Reads what `child` writes; how many bytes that were, and the most memory it was seen to use.
  private static func drain(_ descriptor: Int32, of child: Int32) -> (Int, peakBytes: Int) {
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: 256 << 10, alignment: 4096)
    defer { buffer.deallocate() }
    var (total, peak, nextLook) = (0, 0, 0)
    while true {
      let count = read(descriptor, buffer, 256 << 10)
      guard count > 0 else { return (total, max(peak, peakBytes(of: child))) }
      total += count
      if total >= nextLook {
        peak = max(peak, peakBytes(of: child))
        nextLook = total + 64 << 20
      }
    }
  }

  /// The highest memory use so far of a process that runs; 0 where the system does not tell.
  private static func peakBytes(of child: Int32) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return 0 }
    return (Int(line.filter(\.isNumber)) ?? 0) << 10
  }

  /// The median of `values`, and between which they lie.
  static func spread(_ values: [Double]) -> String {
    let range = "\((values.min() ?? .nan).short)–\((values.max() ?? .nan).short)"
    return "\(median(values).short) × (\(range))"
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
  }

  /// Runs both in turn, once without counting; gives the costs of each.
  static func inTurn(
    _ ours: Candidate, _ peer: Candidate, runs: Int
  ) throws -> (ours: [Cost], peer: [Cost]) {
    var (left, right) = ([Cost](), [Cost]())
    for _ in 0...runs {
      left.append(try run(ours))
      right.append(try run(peer))
    }
    return (Array(left.dropFirst()), Array(right.dropFirst()))
  }
}
