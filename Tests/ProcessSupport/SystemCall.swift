import Foundation

/// A call that the system refused.
package struct SystemError: Error, CustomStringConvertible {
  let call: String
  let number: Int32

  init(_ call: String, _ number: Int32 = errno) { (self.call, self.number) = (call, number) }

  package var description: String { "\(call): \(String(cString: strerror(number)))" }
}

enum SystemCall {
  /// Held while a descriptor is made and not yet marked, and while a process is started: no process
  /// is to inherit what is not its own, or a pipe would stay open longer than its test.
  static let descriptors = NSLock()

  /// Has a write to a pipe or socket without a reader fail, instead of ending the tests.
  static let ignoresSIGPIPE: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  static func pipe() throws -> (reading: Int32, writing: Int32) {
    descriptors.lock()
    defer { descriptors.unlock() }
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { throw SystemError("pipe") }
    ends.forEach(keepFromChildren)
    return (ends[0], ends[1])
  }

  /// A pseudo-terminal that passes all bytes as they are: what is written to one end can be read
  /// from the other.
  static func terminal() throws -> (reading: Int32, writing: Int32) {
    descriptors.lock()
    defer { descriptors.unlock() }
    var (reading, writing): (Int32, Int32) = (-1, -1)
    guard openpty(&reading, &writing, nil, nil, nil) == 0 else { throw SystemError("openpty") }
    [reading, writing].forEach(keepFromChildren)
    var settings = termios()
    guard tcgetattr(writing, &settings) == 0 else { throw SystemError("tcgetattr") }
    cfmakeraw(&settings)
    guard tcsetattr(writing, TCSANOW, &settings) == 0 else { throw SystemError("tcsetattr") }
    return (reading, writing)
  }

  /// A pseudo-terminal as a person's is: it echoes, and makes signals of keys. The name is that of
  /// the end for programs.
  static func cookedTerminal() throws -> (reading: Int32, writing: Int32, name: String) {
    descriptors.lock()
    defer { descriptors.unlock() }
    var (reading, writing): (Int32, Int32) = (-1, -1)
    guard openpty(&reading, &writing, nil, nil, nil) == 0, let name = ttyname(writing) else {
      throw SystemError("openpty")
    }
    [reading, writing].forEach(keepFromChildren)
    return (reading, writing, String(cString: name))
  }

  static func keepFromChildren(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Reads what is there; nothing at the end or when the other side is gone.
  static func read(_ descriptor: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
      repeat {
        count = max(Foundation.read(descriptor, buffer.baseAddress, buffer.count), -1)
      } while count < 0 && errno == EINTR
      count = max(count, 0)
    }
  }

  /// Writes all of `bytes`; false when there is no reader any more.
  static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Bool {
    let written = bytes.withContiguousStorageIfAvailable { buffer in
      var start = 0
      while start < buffer.count {
        let count = Foundation.write(
          descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start)
        guard count >= 0 || errno == EINTR else { return false }
        start += max(count, 0)
      }
      return true
    }
    return written ?? write(Array(bytes), to: descriptor)
  }
}
