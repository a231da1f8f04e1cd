import Foundation
import ProcessSupport
import Testing

@testable import Core

@Suite struct FolderTests {
  private let root = TemporaryFolder.parent + "/oresp-tests-\(UUID().uuidString)"

  private func write(_ bytes: [UInt8], to path: String, replaces: Bool) throws {
    let file = try NewFile(at: path, existing: replaces ? .replace : .keep)
    try file.write(bytes.span)
    try file.commit()
  }

  @Test func `folders are made, and files in them`() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = root + "/a/b"
    try Folder.make(folder)
    try Folder.make(folder)
    try write(Array("one".utf8), to: folder + "/one", replaces: false)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["one"])
  }

  @Test func `a file that is there is replaced only when that is asked for`() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try Folder.make(root)
    let path = root + "/f"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    let failure = #expect(throws: Failure.self) {
      try write(Array("new".utf8), to: path, replaces: false)
    }
    #expect(failure?.message == "\(path): File exists; --force replaces it")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    try write(Array("new".utf8), to: path, replaces: true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
    #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["f"])
  }

  @Test func `what cannot be made is told by its name`() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try Folder.make(root)
    try write([], to: root + "/file", replaces: false)
    #expect(throws: Failure.self) { try Folder.make(root + "/file/sub") }
    let failure = #expect(throws: Failure.self) {
      try write([], to: root + "/none/f", replaces: true)
    }
    #expect(failure?.message == "\(root)/none/f: No such file or directory")
  }
}
