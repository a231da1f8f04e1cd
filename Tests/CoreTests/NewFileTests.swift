import Core
import Foundation
import ProcessSupport
import Testing

/// Writes `text` to a new file; `ok`, or why there is none.
private func write(
  _ text: String, to path: String, _ existing: NewFile.Existing = .replace,
  before: () throws -> Void = {}
) throws -> String {
  do {
    let file = try NewFile(at: path, existing: existing)
    let bytes = Array(text.utf8)
    try file.write(bytes.span)
    try before()
    try file.commit()
    return "ok"
  } catch let failure as Failure {
    let message = failure.message ?? "nothing"
    return message.hasPrefix(path + ": ")
      ? String(message.dropFirst(path.count + 2)) : "elsewhere: " + message
  }
}

private func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

private func names(_ folder: TemporaryFolder) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
}

private func mode(_ path: String) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
}

private let exists = "File exists; --force replaces it"

@Suite struct NewFileTests {
  @Test func `a file stands in its place once it is whole, and not before`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x"
    let outcome = try write("new", to: path) {
      #expect(read(path) == nil)
      let count = try names(folder).count
      #expect(count == 1)
    }
    #expect(outcome == "ok")
    #expect(read(path) == "new")
    #expect(try names(folder) == ["x"])
    let plain = folder.path + "/plain"
    _ = FileManager.default.createFile(atPath: plain, contents: nil)
    #expect(try mode(path) == mode(plain))
  }

  @Test func `what is there stays as it is, whatever it is`() throws {
    let folder = try TemporaryFolder()
    let fifo = folder.fifo("fifo")
    let paths = [
      try folder.file("file", "old"), fifo, folder.link("device", to: "/dev/null"),
      folder.link("pipe", to: fifo), folder.link("nowhere", to: folder.path + "/x"),
    ]
    // To open a FIFO for writing would wait for a reader.
    for path in paths { #expect(try write("new", to: path, .keep) == exists, "\(path)") }
  }

  @Test func `a file that is not committed leaves nothing, and what was there as it was`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("x", "old")
    do {
      let file = try NewFile(at: path)
      try file.write([65].span)
    }
    #expect(read(path) == "old")
    #expect(try names(folder) == ["x"])
  }

  @Test func `a file that is replaced keeps its mode`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("x", "old")
    for bits in [0o600, 0o755] {
      try FileManager.default.setAttributes([.posixPermissions: bits], ofItemAtPath: path)
      #expect(try write("\(bits)", to: path) == "ok")
      #expect(read(path) == "\(bits)")
      #expect(try mode(path) == bits)
    }
  }

  @Test func `a link is followed, also to what is not there, but for replaceItself`() throws {
    let folder = try TemporaryFolder()
    let target = try folder.file("target", "old")
    for (name, goal) in [
      ("link", "target"), ("second", "link"), ("full", target), ("dangling", "made"), ("a", "b"),
      ("b", "a"),
    ] { folder.link(name, to: goal) }
    for name in ["link", "second", "full"] {
      #expect(try write(name, to: folder.path + "/" + name) == "ok")
      #expect(read(target) == name)
    }
    #expect(try write("new", to: folder.path + "/dangling") == "ok")
    #expect(read(folder.path + "/made") == "new")
    #expect(try write("", to: folder.path + "/a") == "Too many levels of symbolic links")
    #expect(try write("own", to: folder.path + "/second", .replaceItself) == "ok")
    #expect(read(folder.path + "/second") == "own" && read(target) == "full")
  }

  @Test func `a file that is there stays when asked for, whenever it came`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("x", "old")
    folder.link("link", to: "nowhere")
    #expect(try write("new", to: path, .keep) == exists)
    #expect(try write("new", to: folder.path + "/link", .keep) == exists)
    let outcome = try write("new", to: folder.path + "/y", .keep) {
      _ = try folder.file("y", "faster")
    }
    #expect(outcome == exists)
    #expect(read(path) == "old" && read(folder.path + "/y") == "faster")
    #expect(try write("new", to: folder.path + "/z", .keep) == "ok")
    #expect(read(folder.path + "/z") == "new")
    #expect(try names(folder) == ["link", "x", "y", "z"])
  }

  @Test func `what is no regular file is written directly`() throws {
    let folder = try TemporaryFolder()
    #expect(try write("x", to: "/dev/null") == "ok")
    let fifo = folder.fifo("fifo")
    let reader = try #require(FileHandle(forUpdatingAtPath: fifo))
    #expect(try write("through", to: fifo) == "ok")
    #expect(try reader.read(upToCount: 7) == Data("through".utf8))
    let open = try #require(FileHandle(forWritingAtPath: folder.file("open", "")))
    #expect(try write("same file", to: "/dev/fd/\(open.fileDescriptor)") == "ok")
    #expect(try open.offset() == 9)
    #expect(try names(folder) == ["fifo", "open"])
  }

  @Test func `what goes wrong names the path and the cause`() throws {
    let folder = try TemporaryFolder()
    #expect(try write("", to: folder.path) == "Is a directory")
    #expect(try write("", to: folder.path + "/no/x") == "No such file or directory")
    #expect(try write("", to: folder.path + "/no/") == "No such file or directory")
    #expect(try write("", to: "") == "elsewhere: '': No such file or directory")
    #expect(try write("", to: "/dev/fd/999999") == "Bad file descriptor")
    #if os(Linux)
      #expect(try write("x", to: "/dev/full") == "No space left on device")
    #endif
    #expect(try names(folder) == [])
  }

  @Test func `a signal that ends the process removes the file first`() async throws {
    let folder = try TemporaryFolder()
    // What runs in the other process knows only its environment.
    setEnvironment("ORESP_TEST_FOLDER", folder.path)
    await #expect(processExitsWith: .signal(SIGTERM)) {
      let folder = try #require(ProcessInfo.processInfo.environment["ORESP_TEST_FOLDER"])
      let file = try NewFile(at: folder + "/x")
      try file.write([65].span)
      let isThere = try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty
      kill(getpid(), isThere ? SIGTERM : SIGKILL)
      // It goes to another thread, for those of the test block signals.
      try await Task.sleep(for: .seconds(60))
      try file.commit()
    }
    #expect(try names(folder) == [])
  }

  @Test func `a folder is made with those that it stands in`() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 {
      try Folder.make(folder.path + "/a//b/c/")
      let isThere = FileManager.default.fileExists(atPath: folder.path + "/a/b/c")
      #expect(isThere)
    }
    let path = try folder.file("file", "")
    for wrong in [path, path + "/x", ""] {
      #expect(throws: Failure.self) { try Folder.make(wrong) }
    }
  }
}
