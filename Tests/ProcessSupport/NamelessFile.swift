import Foundation

/// An open file that no folder has, to be read from its start.
package final class NamelessFile {
  package let descriptor: Int32

  package init(_ bytes: [UInt8] = []) throws {
    SystemCall.descriptors.lock()
    defer { SystemCall.descriptors.unlock() }
    let name = TemporaryFolder.parent + "/oresp-tests-" + UUID().uuidString
    descriptor = open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw SystemError("open") }
    unlink(name)
    SystemCall.keepFromChildren(descriptor)
    guard SystemCall.write(bytes, to: descriptor) else { throw SystemError("write") }
    lseek(descriptor, 0, SEEK_SET)
  }

  deinit { close(descriptor) }

  /// All that the file holds now.
  package var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }
}

/// The end of a pipe from which some bytes are read, and then the end of the input.
package final class NamelessPipe {
  package let descriptor: Int32

  /// A pipe holds all of `bytes`, or this throws.
  package init(_ bytes: [UInt8]) throws {
    SystemCall.descriptors.lock()
    defer { SystemCall.descriptors.unlock() }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemError("pipe") }
    descriptor = ends[0]
    defer { close(ends[1]) }
    for end in ends { SystemCall.keepFromChildren(end) }
    let flags = fcntl(ends[1], F_GETFL)
    _ = fcntl(ends[1], F_SETFL, flags | O_NONBLOCK)
    guard bytes.isEmpty || write(ends[1], bytes, bytes.count) == bytes.count else {
      throw SystemError("write")
    }
  }

  deinit { close(descriptor) }
}

/// The end of a pipe to which bytes are written, while a thread of its own reads them.
package final class NamelessSink {
  package private(set) var descriptor: Int32
  private let held = Shared((bytes: [UInt8](), isWhole: false))

  package init() throws {
    let (reading, writing) = try SystemCall.pipe()
    descriptor = writing
    let held = held
    Thread.detachNewThread {
      while true {
        let bytes = SystemCall.read(reading)
        if bytes.isEmpty { break }
        held.update { $0.bytes += bytes }
      }
      close(reading)
      held.update { $0.isWhole = true }
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Ends the writing. Returns all that was written.
  package func finish() -> [UInt8] {
    close(descriptor)
    descriptor = -1
    _ = held.wait { $0.isWhole }
    return held.value.bytes
  }
}
