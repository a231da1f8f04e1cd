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
