import Core

enum Shell {
  /// Runs `command` by `/bin/sh -c`, with nothing on its standard input and the caller's standard
  /// error. Returns its output, and its exit status, which is 128 and the number of a signal that
  /// ended it.
  ///
  /// Waits for the first line of the output, and then for the status: a second at most, as the line
  /// is what is wanted. A process that the shell leaves behind may hold the output open:
  /// `agent & echo key`. The output is closed once a little more than `limit` bytes were read.
  ///
  /// `nil` when there is no line at `end` (`Clock.steadyMilliseconds`): the shell and what it runs
  /// are told to end, and not waited for.
  static func run(
    _ command: String, limit: Int, until end: Int? = nil
  ) throws(Failure) -> (output: [UInt8], status: Int)? {
    // The first line of the output is the number of the shell's process.
    guard let pipe = unsafe popen("echo $$\nexec </dev/null\n" + command, "r") else {
      throw .file(name: "/bin/sh", errno: errno)
    }
    let output = unsafe Descriptor(borrowing: fileno(pipe), name: "pipe")
    var input = InputBuffer()
    var bytes: [UInt8] = []
    var process: pid_t?
    var status: Int32?
    /// The time until which the status is waited for, once the line is there.
    var statusEnd: Int?
    do throws(Failure) {
      while bytes.count <= limit {
        let now = Clock.steadyMilliseconds()
        if statusEnd != nil { status = process.flatMap(endStatus) }
        if status != nil { break }
        if let end, now >= end {
          if let process { stop(process) }
          return nil
        }
        // pclose would wait for a shell that goes on.
        if let statusEnd, now >= statusEnd { return (bytes, 0) }
        let wait = statusEnd == nil ? end : min(now + 20, end ?? .max)
        if let wait, output.isIdle(until: wait) { continue }
        if try output.read(into: &input) == 0 { break }
        bytes += input.takeAll()
        if process == nil, let line = bytes.firstIndex(of: ASCII.lf) {
          process = pid_t(String(decoding: bytes[..<line], as: UTF8.self))
          bytes.removeFirst(line + 1)
        }
        if statusEnd == nil, process != nil, bytes.contains(ASCII.lf) {
          statusEnd = Clock.steadyMilliseconds() + 1000
        }
      }
    } catch {
      _ = unsafe pclose(pipe)
      throw error
    }
    // pclose is -1 if the status was read, or SIGCHLD is ignored; the output counts all the same.
    let closed = max(0, unsafe pclose(pipe))
    let ended = status ?? closed
    let signal = ended & 0x7F
    return (bytes, Int(signal == 0 ? ended >> 8 & 0xFF : 128 + signal))
  }

  /// The status of `process`, as wait(2) has it, once it has ended; 0 where nothing knows it.
  private static func endStatus(_ process: pid_t) -> Int32? {
    var status: Int32 = 0
    let ended = unsafe waitpid(process, &status, WNOHANG)
    if ended == 0 { return nil }
    return ended == process ? status : 0
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
