import Foundation
import Testing

/// The page of promises in oresp(7): each row names the tests that hold it.
@Suite struct PromisesTests {
  /// A test, or a script, that a row names.
  private struct Check {
    /// The suite, or the path of the script.
    let place: String
    /// The name of the test; empty for a script.
    var name = ""
  }

  /// The rows of the page, by what each promises.
  private static func rows() throws -> [(promise: String, checks: [Check])] {
    let file = Repository.root.appending(path: "man/oresp.7")
    let page = try String(contentsOf: file, encoding: .utf8)
    let section = page.split(separator: ".Sh PROMISES\n").last?.split(separator: "\n.Sh ").first
    var rows: [(promise: String, checks: [Check])] = []
    for line in (section ?? "").split(separator: "\n") {
      if line == ".It" {
        rows.append(("", []))
      } else if line.hasPrefix(".Ql "), !rows.isEmpty {
        rows[rows.count - 1].checks.append(Check(place: String(line.dropFirst(4))))
      } else if !line.hasPrefix("."), let row = rows.indices.last {
        if let check = rows[row].checks.indices.last {
          rows[row].checks[check].name += (rows[row].checks[check].name.isEmpty ? "" : " ") + line
        } else {
          rows[row].promise += (rows[row].promise.isEmpty ? "" : " ") + line
        }
      }
    }
    return rows
  }

  @Test func `each promise of the page has its tests`() throws {
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
