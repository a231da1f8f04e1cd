import Foundation

/// A folder that is there as long as its value.
package final class TemporaryFolder {
  package let path: String

  package init() throws {
    let name = "oresp-tests-\(UUID().uuidString)"
    path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes `bytes` to a file in the folder; gives its path.
  package func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let path = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  package func file(_ name: String, _ text: String) throws -> String { try file(name, text.utf8) }
}
