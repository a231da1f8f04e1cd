package import Core

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs commands by the shell.
package enum Shell {
  /// What a command left behind.
  package struct Finished {
    /// What it printed.
    package var output: [UInt8]
    /// What it exited with; 128 and the signal's number when one ended it.
    package var status: Int

    package init(output: [UInt8], status: Int) { (self.output, self.status) = (output, status) }
  }

  /// Runs `command` by `/bin/sh -c`, with nothing on its standard input and the caller's standard
  /// error. Reads no more of its output than a little above `limit` bytes; a command that prints more
  /// finds its output closed.
  package static func run(_ command: String, limit: Int) throws(Failure) -> Finished {
    let (reading, writing) = try pipe()
    var output = Descriptor(owning: reading, name: "pipe")
    let process: pid_t
    do throws(Failure) {
      process = try start(command, output: writing)
    } catch {
      _ = close(writing)
      throw error
    }
    _ = close(writing)
    let bytes = try output.readAll(limit: limit)
    try output.close()
    return Finished(output: bytes, status: end(of: process))
  }

  private static func pipe() throws(Failure) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    let failed = unsafe makePipe(&ends) != 0
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard !failed else { throw .file(name: "pipe", errno: errno) }
    return (ends[0], ends[1])
  }

  /// Starts the shell with `output` as its standard output.
  private static func start(_ command: String, output: Int32) throws(Failure) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    let words: [String] = ["sh", "-c", command]
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    var process = pid_t()
    let failed = unsafe posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ)
    guard failed == 0 else { throw .file(name: "/bin/sh", errno: failed) }
    return process
  }

  private static func end(of process: pid_t) -> Int {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return Int(signal == 0 ? status >> 8 & 0xFF : 128 + signal)
  }
}

// `pipe` by another name, for the method hides it.
private func makePipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { unsafe pipe(ends) }
