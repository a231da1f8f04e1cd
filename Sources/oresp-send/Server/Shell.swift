import Core

enum Shell {
  /// Runs `command` by `/bin/sh -c`, with nothing on its standard input and the caller's standard
  /// error. Returns its output and its exit status, which is 128 and the number of a signal that
  /// ended it. Its output is closed once a little more than `limit` bytes were read.
  static func run(_ command: String, limit: Int) throws(Failure) -> (output: [UInt8], status: Int) {
    guard let pipe = unsafe popen("exec </dev/null\n" + command, "r") else {
      throw .file(name: "/bin/sh", errno: errno)
    }
    do throws(Failure) {
      let output = try unsafe Descriptor(borrowing: fileno(pipe), name: "pipe").readAll(
        limit: limit)
      // pclose is -1 if SIGCHLD is ignored; the output counts all the same.
      let status = max(0, unsafe pclose(pipe))
      let signal = status & 0x7F
      return (output, Int(signal == 0 ? status >> 8 & 0xFF : 128 + signal))
    } catch {
      _ = unsafe pclose(pipe)
      throw error
    }
  }
}
