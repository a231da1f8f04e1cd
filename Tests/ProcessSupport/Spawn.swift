import Foundation

/// Starts processes.
enum Spawn {
  #if canImport(Darwin)
    private static let flags =
      POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
      | POSIX_SPAWN_CLOEXEC_DEFAULT
  #else
    private static let flags = Int32(
      POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
  #endif

  /// POSIX_SPAWN_SETSID.
  #if canImport(Darwin)
    private static let setsid: Int16 = 0x400
  #else
    private static let setsid: Int16 = 0x80
  #endif

  /// Starts the program at `path` with `descriptors` as its 0, 1 and 2, at the head of a process
  /// group of its own, or of a session of its own on the terminal `onTerminal`, with SIGPIPE's
  /// default action, which these tests themselves ignore, and with no signal blocked, as some are
  /// in the threads that tests run on.
  static func start(
    _ path: String, _ arguments: [String], environment: [String: String], descriptors: [Int32] = [],
    onTerminal terminal: String? = nil
  ) throws -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    if let terminal {
      // What a session's leader opens first becomes its terminal.
      posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
      for number in [Int32(1), 2] { posix_spawn_file_actions_adddup2(&actions, 0, number) }
    }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    let group = Int16(POSIX_SPAWN_SETPGROUP)
    posix_spawnattr_setflags(
      &attributes, terminal == nil ? Int16(flags) : Int16(flags) & ~group | setsid)

    let argv = arguments.map { strdup($0) } + [nil]
    let envp = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for string in argv + envp { free(string) } }
    var processID: Int32 = 0
    SystemCall.descriptors.lock()
    let failed = posix_spawn(&processID, path, &actions, &attributes, argv, envp)
    SystemCall.descriptors.unlock()
    guard failed == 0 else { throw SystemError(path, failed) }
    return processID
  }
}
