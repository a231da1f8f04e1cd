import Core

enum Shell {
  /// Runs `command` by `/bin/sh -c`, with nothing on its standard input and the caller's standard
  /// error. Returns its output and its exit status, which is 128 and the number of a signal that
  /// ended it. Its output is closed once a little more than `limit` bytes were read.
  ///
  /// `nil` when its output has not ended at `end` (`Clock.steadyMilliseconds`): the shell and what
  /// it runs are told to end, and not waited for.
  static func run(
    _ command: String, limit: Int, until end: Int? = nil
  ) throws(Failure) -> (output: [UInt8], status: Int)? {
    // The first line of the output is the number of the shell's process.
    guard let pipe = unsafe popen("echo $$\nexec </dev/null\n" + command, "r") else {
      throw .file(name: "/bin/sh", errno: errno)
    }
    let output = unsafe Descriptor(borrowing: fileno(pipe), name: "pipe")
    var input = InputBuffer()
    do throws(Failure) {
      while input.count <= limit {
        if let end, output.isIdle(until: end) {
          let number = input.takeAll().prefix { $0 != ASCII.lf }
          if let process = pid_t(String(decoding: number, as: UTF8.self)) { stop(process) }
          return nil
        }
        if try output.read(into: &input) == 0 { break }
      }
    } catch {
      _ = unsafe pclose(pipe)
      throw error
    }
    // pclose is -1 if SIGCHLD is ignored; the output counts all the same.
    let status = max(0, unsafe pclose(pipe))
    let signal = status & 0x7F
    let lines = input.takeAll()
    let start = lines.firstIndex(of: ASCII.lf).map { $0 + 1 } ?? lines.count
    return (Array(lines[start...]), Int(signal == 0 ? status >> 8 & 0xFF : 128 + signal))
  }

  /// Tells `process` and, on Linux, what it started to end.
  private static func stop(_ process: pid_t) {
    let list = try? Descriptor(reading: "/proc/\(process)/task/\(process)/children").readAll()
    kill(process, SIGTERM)
    for child in (list ?? []).split(separator: ASCII.space) {
      if let child = pid_t(String(decoding: child, as: UTF8.self)) { stop(child) }
    }
  }
}
