import Core

/// Runs commands by the shell.
enum Shell {
  /// Runs `command` by `/bin/sh -c`, with nothing on its standard input and the caller's standard
  /// error. Returns what it printed, and what it exited with: 128 and the signal's number when one
  /// ended it. Reads no more of its output than a little above `limit` bytes; a command that prints
  /// more finds its output closed.
  static func run(
    _ command: String, limit: Int
  ) throws(Failure) -> (output: [UInt8], status: Int) {
    guard let pipe = unsafe popen("exec </dev/null\n" + command, "r") else {
      throw .file(name: "/bin/sh", errno: errno)
    }
    do throws(Failure) {
      let output = try unsafe Descriptor(borrowing: fileno(pipe), name: "pipe").readAll(
        limit: limit)
      // -1 where nobody waits for children: what it printed counts.
      let status = max(0, unsafe pclose(pipe))
      let signal = status & 0x7F
      return (output, Int(signal == 0 ? status >> 8 & 0xFF : 128 + signal))
    } catch {
      _ = unsafe pclose(pipe)
      throw error
    }
  }
}
