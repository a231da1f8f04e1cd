import Core
import Foundation
import ProcessSupport
import Testing

@testable import oresp_send

@Suite struct BodyReaderTests {
  /// All that a reader gives, asked for `most` bytes at a time.
  private static func read(
    _ reader: inout BodyReader, _ most: Int
  ) throws(Failure) -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let count = all.count
      try reader.read(most, into: &all)
      if all.count == count { return all }
      #expect(all.count - count <= most)
    }
  }

  /// A body as the marks of its sources have it: `a`, the first, `b`, the second, `c`.
  private static func content(_ first: BodySource, _ second: BodySource) throws -> BodyContent {
    let marked = "a\u{1}b\u{2}c".utf8.flatMap { byte -> [UInt8] in
      byte < 3 ? [0xFF, UInt8(ascii: "0") + byte - 1, 0xFF] : [byte]
    }
    return BodyContent(marked: marked, [first, second])
  }

  @Test func `a body comes out whole, however it is read and from wherever`() throws {
    let folder = try TemporaryFolder()
    for length in 0...3 {
      let bytes = (0..<length).map { UInt8(200 + $0) }
      let file = try folder.file("x", bytes)
      let content = try Self.content(.bytes(bytes), .file(path: file, size: length))
      let encoded = Data(bytes).base64EncodedString()
      let whole = Array("a\(encoded)b\(encoded)c".utf8)
      #expect(content.count == whole.count)
      #expect(String(decoding: content.text, as: UTF8.self) == "abc")
      for most in [1, 2, 3, whole.count, whole.count + 1] {
        var reader = BodyReader(content)
        let all = try Self.read(&reader, most)
        #expect(all == whole, "\(most) bytes at a time")
      }
      for offset in stride(from: 0, through: whole.count + 1, by: 3) {
        var reader = BodyReader(content)
        var first: [UInt8] = []
        try reader.read(3, into: &first)
        try reader.seek(to: offset)
        let rest = try Self.read(&reader, 2)
        #expect(rest == Array(whole.dropFirst(offset)), "from \(offset)")
      }
    }
  }

  @Test func `files larger than a read come out whole`() throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    let file = try folder.file("x", bytes)
    let content = try Self.content(.file(path: file, size: bytes.count), .bytes(bytes))
    let encoded = Data(bytes).base64EncodedString()
    var reader = BodyReader(content)
    let whole = Array("a\(encoded)b\(encoded)c".utf8)
    for offset in [0, 1_700_000] {
      try reader.seek(to: offset)
      let isSame = try Self.read(&reader, 100_000) == Array(whole.dropFirst(offset))
      #expect(isSame, "from \(offset)")
    }
  }

  @Test(arguments: [-1, 1]) func `a file that changes its size is told`(change: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = [UInt8](repeating: 1, count: 600_000)
    let file = try folder.file("x", bytes)
    let source = BodySource.file(path: file, size: bytes.count)
    var reader = BodyReader(try Self.content(source, source))
    var output: [UInt8] = []
    try reader.read(10, into: &output)
    _ = try folder.file("x", [UInt8](repeating: 1, count: bytes.count + change))
    let told = Self.failure { () throws(Failure) in _ = try Self.read(&reader, 1 << 20) }
    #expect(told == "\(file): its size changed while it was sent")
  }

  @Test func `a file that is gone is told`() throws {
    let source = BodySource.file(path: "/nonexistent/x", size: 1)
    let content = try Self.content(source, source)
    #expect(throws: Failure.self) {
      var reader = BodyReader(content)
      _ = try Self.read(&reader, 10)
    }
  }

  @Test func `only marks of what is there are marks`() {
    let texts: [[UInt8]] = [
      [0xFF], [0xFF, 0xFF], [0xFF, 0x37, 0xFF], [0xFF, 0x30], [1, 0xFF, 2],
    ]
    for text in texts {
      #expect(BodyContent(marked: text, [.bytes([])]).text == text)
      #expect(BodyContent(marked: text, []).text == text)
    }
  }

  private static func failure(_ work: () throws(Failure) -> Void) -> String? {
    do throws(Failure) {
      try work()
      return nil
    } catch {
      guard case .other(let why, .usage) = error else { return "\(error)" }
      return why
    }
  }
}
