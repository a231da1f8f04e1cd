import Foundation

/// A program that runs as a process of its own, in a process group of its own.
package final class ToolProcess {
  /// What standard input is.
  package enum Input {
    /// `/dev/null`.
    case nothing
    /// A pipe that brings these bytes and ends.
    case bytes([UInt8])
    /// A pipe that stays open; `write` and `closeInput` are for it.
    case open

    package static func text(_ text: String) -> Self { .bytes(Array(text.utf8)) }
  }

  package let processID: Int32
  private let name: String
  /// The pipe to standard input, while it is held open.
  private var input: Int32?
  private let output = Shared(Collected())
  private let errors = Shared(Collected())
  private let end = Shared<Int32?>(nil)

  private struct Collected {
    var bytes: [UInt8] = []
    var hasEnded = false
  }

  /// Starts `program` with `arguments`; `environment` is added to a clean one. The streams of
  /// `terminals`, 1 and 2, are terminals of their own, which change nothing; others are pipes.
  package init(
    _ program: String, _ arguments: [String] = [], input source: Input = .nothing,
    environment: [String: String] = [:], terminals: Set<Int32> = []
  ) throws {
    _ = SystemCall.ignoresSIGPIPE
    guard let path = Tools.path(of: program) else { throw SystemError(program, ENOENT) }
    name = ([program] + arguments).joined(separator: " ")
    let stdin = try Self.open(source)
    let stdout = try terminals.contains(1) ? SystemCall.terminal() : SystemCall.pipe()
    let stderr = try terminals.contains(2) ? SystemCall.terminal() : SystemCall.pipe()
    let descriptors = [stdin.reading, stdout.writing, stderr.writing]
    defer { for descriptor in descriptors { close(descriptor) } }
    processID = try Spawn.start(
      path, [program] + arguments,
      environment: Tools.environment.merging(environment) { $1 },
      descriptors: descriptors)
    Self.collect(from: stdout.reading, into: output)
    Self.collect(from: stderr.reading, into: errors)
    Self.await(processID, into: end)
    if case .bytes(let bytes) = source, let descriptor = stdin.writing {
      Self.feed(bytes, to: descriptor)
    } else {
      input = stdin.writing
    }
  }

  deinit {
    closeInput()
    if end.value == nil { kill(-processID, SIGKILL) }
  }

  /// Writes to standard input; false when nobody reads it any more.
  @discardableResult
  package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
    input.map { SystemCall.write(bytes, to: $0) } ?? false
  }

  package func closeInput() {
    if let input { close(input) }
    input = nil
  }

  /// Waits until the output so far is as `isReady` wants it; gives the output either way.
  package func output(until isReady: (String) -> Bool) -> String {
    wait(on: output, until: isReady)
  }

  /// The same for what is told on stderr.
  package func errors(until isReady: (String) -> Bool) -> String {
    wait(on: errors, until: isReady)
  }

  /// Waits for the end of the process and its output. A process that hangs is ended.
  package func finish() -> Finished {
    let isOver =
      output.wait { $0.hasEnded } && errors.wait { $0.hasEnded } && end.wait { $0 != nil }
    if !isOver { kill(-processID, SIGKILL) }
    Secret.check(Data(output.value.bytes), "the output of \(name)")
    Secret.check(Data(errors.value.bytes), "what \(name) told")
    return Finished(
      outcome: isOver ? Finished.Outcome(waitStatus: end.value ?? 0) : .hung,
      output: output.value.bytes, errors: Finished.text(errors.value.bytes))
  }

  private func wait(on stream: Shared<Collected>, until isReady: (String) -> Bool) -> String {
    _ = stream.wait { $0.hasEnded || isReady(Finished.text($0.bytes)) }
    return Finished.text(stream.value.bytes)
  }

  private static func feed(_ bytes: [UInt8], to descriptor: Int32) {
    Thread.detachNewThread {
      _ = SystemCall.write(bytes, to: descriptor)
      close(descriptor)
    }
  }

  private static func open(_ input: Input) throws -> (reading: Int32, writing: Int32?) {
    switch input {
    case .nothing: return (Foundation.open("/dev/null", O_RDONLY | O_CLOEXEC), nil)
    case .bytes, .open: return try SystemCall.pipe()
    }
  }

  private static func collect(from descriptor: Int32, into collected: Shared<Collected>) {
    Thread.detachNewThread {
      while true {
        let bytes = SystemCall.read(descriptor)
        if bytes.isEmpty { break }
        collected.update { $0.bytes += bytes }
      }
      close(descriptor)
      collected.update { $0.hasEnded = true }
    }
  }

  private static func await(_ processID: Int32, into end: Shared<Int32?>) {
    Thread.detachNewThread {
      var status: Int32 = 0
      while waitpid(processID, &status, 0) < 0, errno == EINTR {}
      end.update { [status] in $0 = status }
    }
  }
}
