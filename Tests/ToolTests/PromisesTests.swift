import Foundation
import TestSupport
import Testing

/// The list of promises in Tests/README.md: each row names the tests that hold it.
@Suite struct PromisesTests {
  /// A test, or a script, that a row names.
  private struct Check {
    /// The suite, or the path of the script.
    let place: String
    /// The name of the test; empty for a script.
    let name: String
  }

  /// The rows of the list, by what each promises.
  private static func rows() throws -> [(promise: String, checks: [Check])] {
    let list = try Repository.text("Tests/README.md").split(separator: "## Promises\n").last ?? ""
    var rows: [(promise: String, checks: [Check])] = []
    for line in list.split(separator: "\n") {
      if line.hasPrefix("- ") { rows.append((String(line.dropFirst(2)), [])) }
      guard line.hasPrefix("  - `"), let row = rows.indices.last else { continue }
      let parts = line.dropFirst(5).split(separator: "`", maxSplits: 1)
      let name = parts.count > 1 ? parts[1].dropFirst(2) : ""
      rows[row].checks.append(Check(place: String(parts[0]), name: String(name)))
    }
    return rows
  }

  @Test func `each promise has its tests`() throws {
    let rows = try Self.rows()
    #expect(rows.count > 20)
    for (promise, checks) in rows {
      #expect(!promise.isEmpty && !checks.isEmpty, "\(promise)")
      for check in checks {
        #expect(try Self.isThere(check), "\(promise): \(check.place): \(check.name)")
      }
    }
  }

  private static func isThere(_ check: Check) throws -> Bool {
    let path = Repository.root.appending(path: check.place).path
    if check.place.contains("/") {
      return check.name.isEmpty && FileManager.default.isExecutableFile(atPath: path)
    }
    let tests = Repository.root.appending(path: "Tests")
    let all = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
    for case let file as URL in all ?? .init()
    where file.lastPathComponent == check.place + ".swift" {
      let source = try String(contentsOf: file, encoding: .utf8)
      let isSuite = source.contains("struct \(check.place) {")
      if isSuite, source.contains("func `\(check.name)`(") { return true }
    }
    return false
  }
}
