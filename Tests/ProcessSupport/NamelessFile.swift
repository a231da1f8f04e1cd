import Foundation

/// An open file that no folder has, to be read from its start.
package final class NamelessFile {
  package let descriptor: Int32

  package init(_ bytes: [UInt8] = []) throws {
    SystemCall.descriptors.lock()
    defer { SystemCall.descriptors.unlock() }
    var name = Array((TemporaryFolder.parent + "/oresp-tests-XXXXXX").utf8CString)
    descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw SystemError("mkstemp") }
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
