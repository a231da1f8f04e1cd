import Foundation
import ProcessSupport
import TestSupport
import Testing

@testable import Core
@testable import oresp_send

/// What becomes of bytes on standard input that nothing on the command line reads.
@Suite struct UnreadStdinTests {
  /// A standard input; the pipes and sockets have the bytes already.
  enum Source: Sendable {
    case pipe(String, isOpen: Bool = false)
    case socket(String, isOpen: Bool = false)
    case file(String, offset: UInt64 = 0)
    case device(String)
  }

  /// What is open for a test, and closed behind it.
  private final class Input: @unchecked Sendable {
    let file: FileHandle
    private let other: FileHandle?

    init(_ source: Source) throws {
      switch source {
      case .pipe(let text, let isOpen):
        let pipe = Pipe()
        (file, other) = (pipe.fileHandleForReading, isOpen ? pipe.fileHandleForWriting : nil)
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        if !isOpen { try pipe.fileHandleForWriting.close() }
      case .socket(let text, let isOpen):
        var ends: [Int32] = [0, 0]
        #if canImport(Glibc)
          let made = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        #else
          let made = unsafe socketpair(AF_UNIX, SOCK_STREAM, 0, &ends)
        #endif
        try #require(made == 0)
        let writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        file = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        other = isOpen ? writing : nil
        try writing.write(contentsOf: Data(text.utf8))
        if !isOpen { try writing.close() }
      case .file(let text, let offset):
        let folder = try TemporaryFolder()
        file = try #require(FileHandle(forReadingAtPath: folder.file("f", text)))
        other = nil
        try file.seek(toOffset: offset)
      case .device(let path):
        file = try #require(FileHandle(forReadingAtPath: path))
        other = nil
      }
    }

    /// Writes `text` to the other end, and closes it.
    func end(with text: String) {
      try? other?.write(contentsOf: Data(text.utf8))
      try? other?.close()
    }
  }

  private static let refusal =
    "oresp-send: standard input would be lost: - sends it, "
    + "</dev/null or ORESP_NO_STDIN=1 leaves it out\n"

  private func run(
    _ arguments: [String], on source: Source, _ environment: [String: String] = [:]
  ) throws -> (status: Int32, errors: String) {
    let (input, output, errors) = (try Input(source), try NamelessFile(), try NamelessFile())
    let status = SendTool.command.run(
      arguments,
      on: Streams(
        input: input.file.fileDescriptor, output: output.descriptor, errors: errors.descriptor
      ) {
        environment[$0]
      })
    withExtendedLifetime(input) {}
    return (status, String(decoding: errors.bytes, as: UTF8.self))
  }

  @Test(
    arguments: [
      (.pipe("x"), true), (.pipe("x", isOpen: true), true), (.pipe(""), false),
      (.socket("x"), true), (.socket("x", isOpen: true), true), (.socket(""), false),
      (.file("xy"), true), (.file("xy", offset: 1), false), (.file("xy", offset: 2), false),
      (.file(""), false), (.device("/dev/null"), false), (.device("/dev/zero"), false),
    ] as [(Source, Bool)])
  func `bytes that wait, and a file that was not read into, are refused`(
    source: Source, isRefused: Bool
  ) throws {
    let run = try self.run(["-n", "-m", "m", "Hi"], on: source)
    #expect(run.status == (isRefused ? 2 : 0))
    #expect(run.errors == (isRefused ? Self.refusal : ""))
  }

  @Test(arguments: ["", "x"])
  func `an open pipe or socket is unread, unless its end comes in time`(text: String) throws {
    for source in [Source.pipe("", isOpen: true), .socket("", isOpen: true)] {
      let input = try Input(source)
      let descriptor = Descriptor(borrowing: input.file.fileDescriptor, name: "")
      let isUnread = descriptor.isUnread(by: 0)
      #expect(isUnread)
      Thread.detachNewThread {
        usleep(10_000)
        input.end(with: text)
      }
      let isUnreadLater = descriptor.isUnread(by: .max)
      #expect(isUnreadLater == !text.isEmpty)
    }
  }

  /// Command lines that make a body and read no standard input.
  private static let making = [
    ["Hi"], ["-f", "file-1"], [#"--outputs={"call_id":"c","output":"x"}"#],
    ["-b", #"{"input":"x"}"#], ["--template=p"],
    ["--set-str=input=x"], ["--api=chat", "Hi"], ["--compact", "Hi"], ["--count-tokens", "Hi"],
    ["--previous=r", "Hi"], ["--path=/x", "-X", "POST"], ["--path=/x", "-X", "PUT"],
    ["--path=/x", "-X", "PATCH"], ["--path=/x", "--set=a=1"], ["--path=/x", "-F", "a=b"],
    ["--batch=/dev/null"], ["--batch", "/dev/null"],
  ]
  /// Command lines that make none, or read it.
  private static let others = [
    [], ["-"], ["-f", "-", "Hi"], ["-s", "@-", "Hi"], ["--path=/x"], ["--path=/x", "-X", "DELETE"],
    ["--path=/x", "-X", "DELETE", "-F", "a=b"], ["--get=r"], ["--cancel=r"], ["--delete=r"],
    ["--resume=r"], ["-t", "help"], ["-P", "help"], ["--provider=help"],
    ["--help"], ["--version"], ["--batch"],
  ]

  @Test func `every run that makes a body refuses bytes that nothing reads`() throws {
    let model = ["ORESP_MODEL": "m", "HOME": "/nonexistent"]
    for arguments in Self.making {
      let run = try self.run(["--rehearse", "-q"] + arguments, on: .pipe("x"), model)
      #expect(run.status == 2 && run.errors == Self.refusal, "\(arguments)")
      let other = try self.run(["--rehearse", "-q"] + arguments, on: .pipe(""), model)
      #expect(other.status == 0 && other.errors == "", "\(arguments): \(other)")
    }
    for arguments in Self.others {
      let run = try self.run(["--rehearse", "-q"] + arguments, on: .pipe("x"), model)
      #expect(run.status != 2, "\(arguments): \(run)")
      #expect(!run.errors.contains(Self.refusal), "\(arguments)")
    }
  }

  @Test(
    arguments: [
      (["Hi"], 0, ""), (["-"], 0, ""), (["-b", "-"], 0, ""),
      ([], 2, "oresp-send: nothing to send: give a PROMPT, -f or -b\n"),
    ] as [([String], Int32, String)])
  func `the variable leaves standard input alone, but not where it is named`(
    arguments: [String], status: Int32, told: String
  ) throws {
    let run = try self.run(
      ["-n", "-m", "m"] + arguments, on: .pipe(arguments == ["-b", "-"] ? "{}" : "x"),
      ["ORESP_NO_STDIN": "1"])
    #expect(run.status == status && run.errors == told)
  }
}
