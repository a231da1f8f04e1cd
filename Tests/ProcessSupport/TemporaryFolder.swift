import Foundation

/// A folder that is there as long as its value.
package final class TemporaryFolder {
  package let path: String
  /// The files that the test made itself.
  private let own = Shared<Set<String>>([])

  /// Where tests keep their files: in memory, where a file system there has room and runs programs.
  package static let parent: String = {
    var facts = statvfs()
    let isRoomy =
      statvfs("/dev/shm", &facts) == 0 && UInt64(facts.f_bavail) * UInt64(facts.f_bsize) > 2 << 30
      // ST_NOEXEC
      && facts.f_flag & 8 == 0 && access("/dev/shm", W_OK) == 0
    return isRoomy ? "/dev/shm" : FileManager.default.temporaryDirectory.path
  }()

  package init() throws {
    path = Self.parent + "/oresp-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? []
    where !own.value.contains(name) {
      // A FIFO would wait for a writer.
      let file = URL(fileURLWithPath: path + "/" + name)
      guard (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true else {
        continue
      }
      let bytes = try? Data(contentsOf: file, options: .mappedIfSafe)
      Secret.check(bytes ?? Data(), "the file \(name)")
    }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes `bytes` to a file in the folder; gives its path.
  package func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    own.update { _ = $0.insert(name) }
    let path = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  package func file(_ name: String, _ text: String) throws -> String { try file(name, text.utf8) }

  /// Makes a library of `source`, in C, to be loaded before all others; gives its path.
  package func library(_ source: String) throws -> String {
    let library = path + "/library.so"
    let run = try ToolProcess.run(
      "clang", ["-shared", "-fPIC", "-o", library, try file("library.c", source), "-ldl"])
    guard run.outcome == .exited(0) else { throw CocoaError(.fileNoSuchFile) }
    return library
  }
}
