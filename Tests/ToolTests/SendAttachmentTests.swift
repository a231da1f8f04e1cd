import Core
import Foundation
import ProcessSupport
import Testing

@testable import oresp_send

/// What becomes of attachments.
@Suite struct SendAttachmentTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0xFF]
  private static let zip = Array("PK\u{3}\u{4}...".utf8)

  private static func text(_ text: String) -> String { #"{"type":"input_text","text":"\#(text)"}"# }

  private static func image(_ type: String, _ bytes: [UInt8]) -> String {
    let data = Data(bytes).base64EncodedString()
    return #"{"type":"input_image","image_url":"data:\#(type);base64,\#(data)","detail":"auto"}"#
  }

  private static func file(_ name: String, _ type: String, _ bytes: [UInt8]) -> String {
    let data = Data(bytes).base64EncodedString()
    return
      #"{"type":"input_file","filename":"\#(name)","file_data":"data:\#(type);base64,\#(data)"}"#
  }

  private static func audio(_ format: String, _ bytes: [UInt8]) -> String {
    let data = Data(bytes).base64EncodedString()
    return #"{"type":"input_audio","input_audio":{"data":"\#(data)","format":"\#(format)"}}"#
  }

  /// The body whose input is a message of `parts`.
  private static func body(_ parts: String...) -> String {
    let content = parts.joined(separator: ",")
    return #"{"model":"m","input":[{"type":"message","role":"user","content":[\#(content)]}],"#
      + #""stream":true}"#
  }

  @Test(
    arguments: [
      ("a.txt", Array("é\n\"".utf8), text(#"==> a.txt <==\né\n\""#)),
      ("a.png", Array("no image".utf8), text(#"==> a.png <==\nno image"#)),
      ("a.txt", png, image("image/png", png)),
      ("b", [0xFF, 0xD8, 0xFF, 0xE0], image("image/jpeg", [0xFF, 0xD8, 0xFF, 0xE0])),
      ("c", Array("GIF87a".utf8), image("image/gif", Array("GIF87a".utf8))),
      ("d", Array("GIF89a!".utf8), image("image/gif", Array("GIF89a!".utf8))),
      (
        "e", Array("RIFF....WEBPVP8 ".utf8), image("image/webp", Array("RIFF....WEBPVP8 ".utf8))
      ),
      ("f.wav", Array("RIFF....WAVE".utf8), audio("wav", Array("RIFF....WAVE".utf8))),
      ("f.mp3", Array("ID3!".utf8), audio("mp3", Array("ID3!".utf8))),
      ("f", [0xFF, 0xFB, 0x90, 0], audio("mp3", [0xFF, 0xFB, 0x90, 0])),
      ("f.ogg", Array("OggS!".utf8), file("f.ogg", "audio/ogg", Array("OggS!".utf8))),
      ("g", Array("%PDF-1.7\n".utf8), file("g", "application/pdf", Array("%PDF-1.7\n".utf8))),
      ("h.zip", zip, file("h.zip", "application/zip", zip)),
      (
        "i.DOCX", zip,
        file(
          "i.DOCX", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", zip)
      ),
      ("j", [1, 0, 2], file("j", "application/octet-stream", [1, 0, 2])),
      ("k.txt", [0x61, 0xE9], file("k.txt", "application/octet-stream", [0x61, 0xE9])),
    ] as [(String, [UInt8], String)])
  func `a file is sent as what its content is`(name: String, bytes: [UInt8], part: String) throws {
    #expect(try SendCommand(data: [name: bytes]).body(["-m", "m", "-f", name]) == Self.body(part))
  }

  @Test(
    arguments: [
      ("text", [0x61, 0], text("==> x.csv <==\\na\\u0000")),
      ("file", Array("a,b".utf8), file("x.csv", "text/csv", Array("a,b".utf8))),
      ("file", png, file("x.csv", "image/png", png)),
      ("image", png, image("image/png", png)),
      ("image/avif", Array("....ftypavif".utf8), image("image/avif", Array("....ftypavif".utf8))),
      ("audio/wav", Array("a".utf8), audio("wav", Array("a".utf8))),
      ("audio/mp3", Array("a".utf8), audio("mp3", Array("a".utf8))),
      ("audio/flac", Array("a".utf8), file("x.csv", "audio/flac", Array("a".utf8))),
      ("file", Array("ID3".utf8), file("x.csv", "audio/mpeg", Array("ID3".utf8))),
    ] as [(String, [UInt8], String)])
  func `a type says as what a file is sent`(type: String, bytes: [UInt8], part: String) throws {
    let body = try SendCommand(data: ["x.csv": bytes]).body(["-m", "m", "-f", "x.csv;type=\(type)"])
    #expect(body == Self.body(part))
  }

  @Test(
    arguments: [
      ("", "file-Ab1", nil, #"{"type":"input_file","file_id":"file-Ab1"}"#),
      ("", "file_1", "low", #"{"type":"input_file","file_id":"file_1","detail":"low"}"#),
      ("image", "file-1", nil, #"{"type":"input_image","file_id":"file-1","detail":"auto"}"#),
      (
        "", "https://x.org/a.JPG?b#c", "high",
        #"{"type":"input_image","image_url":"https://x.org/a.JPG?b#c","detail":"high"}"#
      ),
      (
        "", "HTTP://x.org/?a.png", nil,
        #"{"type":"input_file","file_url":"HTTP://x.org/?a.png"}"#
      ),
      ("file", "https://x/a.png", nil, #"{"type":"input_file","file_url":"https://x/a.png"}"#),
      (
        "image", "https://x/", "original",
        #"{"type":"input_image","image_url":"https://x/","detail":"original"}"#
      ),
    ] as [(String, String, String?, String)])
  func `a URL or an id is left to the server`(
    type: String, name: String, detail: String?, part: String
  ) throws {
    let marks = (type.isEmpty ? "" : ";type=" + type) + (detail.map { ";detail=" + $0 } ?? "")
    let body = try SendCommand().body(["-m", "m", "-f", name + marks])
    #expect(body == Self.body(part))
  }

  @Test(
    arguments: [
      ("a;b", "a;b"), ("a;type", "a;type"), ("a;filename=b", "a;filename=b"),
      (#""a;type=text""#, "a;type=text"), (#""a;type=x";type=text"#, "a;type=x"),
      (#""a"b"#, #""a"b"#), (#""\"a\"""#, #""a""#), ("a;detail=low;type=text", "a"),
    ])
  func `only a type and a detail are split off a name`(given: String, name: String) throws {
    let head = String(decoding: JSONValue.text("==> \(name) <==\nx").line, as: UTF8.self)
    let body = try SendCommand(files: [name: "x"]).body(["-m", "m", "-f", given])
    #expect(body == Self.body(#"{"type":"input_text","text":\#(head)}"#))
  }

  @Test func `what is said of a file is for this file alone`() throws {
    let body = try SendCommand().body([
      "-m", "m", "-f", "file-1;type=image;detail=low", "-f", "file-2", "-f",
      "https://x/?a;b=c;detail=high",
    ])
    let parts = [
      #"{"type":"input_image","file_id":"file-1","detail":"low"}"#,
      #"{"type":"input_file","file_id":"file-2"}"#,
      #"{"type":"input_file","file_url":"https://x/?a;b=c","detail":"high"}"#,
    ]
    #expect(body == Self.body(parts[0], parts[1], parts[2]))
  }

  @Test(arguments: ["file-a.txt", "file-", "file", "ftp"])
  func `what looks like no id or URL is a file`(name: String) throws {
    let body = try SendCommand(files: [name: "a"]).body(["-m", "m", "-f", name])
    #expect(body == Self.body(Self.text("==> \(name) <==\\na")))
    #expect(SendCommand().refusal(["-f", name]) == "\(name): errno 2")
  }

  @Test func `attachments stand before the prompt, in their order`() throws {
    let command = SendCommand(stdin: "now?", files: ["a": "a"])
    let body = try command.body(["-m", "m", "What", "-", "-f", "file-1", "-f", "a"])
    let parts = [#"{"type":"input_file","file_id":"file-1"}"#, Self.text("==> a <==\\na")]
    #expect(body == Self.body(parts[0], parts[1], Self.text("What\\nnow?")))
  }

  @Test(arguments: [
    ("text", Self.text("text")),
    ("%PDF-", Self.file("stdin.pdf", "application/pdf", Array("%PDF-".utf8))),
    ("a\0", Self.file("stdin", "application/octet-stream", Array("a\0".utf8))),
  ])
  func `standard input can be a file`(stdin: String, part: String) throws {
    #expect(try SendCommand(stdin: stdin).body(["-m", "m", "-f", "-"]) == Self.body(part))
  }

  @Test(
    arguments: [
      (["-f", "x;type=image"], nil, "x: not an image"),
      (["-f", "x;type=text"], nil, "x: not text: not UTF-8"),
      (
        ["-f", "https://x/;type=text"], nil, "-f: only the server reads https://x/: not ;type=text"
      ),
      (["-f", "file-1;type=text"], nil, "-f: only the server reads file-1: not ;type=text"),
      (["-f", "x;type=pdf"], nil, "-f: expected ;type=text, image, file or a media type, got pdf"),
      (["-f", "x;type=a/"], nil, "-f: expected ;type=text, image, file or a media type"),
      (["-f", "x;type=a/b;c=d"], nil, "-f: expected ;type=text, image, file or a media type"),
      (["-f", ""], nil, "-f: expected the name"),
      (["-f", ";type=text"], nil, "-f: expected the name"),
    ] as [([String], String?, String)])
  func `what cannot be sent along is refused`(arguments: [String], stdin: String?, why: String) {
    let files: [String: [UInt8]] = ["x": [0xFF, 0, 0xE9], "bytes": [0xFF, 0], "a": []]
    let told = SendCommand(stdin: stdin, data: files).refusal(arguments)
    #expect(told.hasPrefix(why) && !told.hasSuffix(" (3)"), "\(told)")
  }

  @Test func `a file whose name is not UTF-8 is sent along`() throws {
    let folder = try TemporaryFolder()
    let name = folder.path + "/" + String(system: [0xFF, 0x2E, 0x74])
    try Descriptor(writing: name).write([0x78].span)
    #expect(try SendCommand().body(["-m", "m", "-f", name]).contains("/\u{FFFD}.t <==\\nx"))
  }

  @Test func `a file that is too large is refused`() throws {
    let folder = try TemporaryFolder()
    let name = try folder.file("large", "")
    try FileHandle(forWritingTo: URL(filePath: name)).truncate(
      atOffset: UInt64(AttachmentLoader.limit + 1))
    let loader = AttachmentLoader(open: Descriptor.init(reading:))
    do throws(Failure) {
      _ = try loader.load(Attachment(name: name, kind: .automatic, detail: nil))
      Issue.record("not refused")
    } catch {
      #expect(error.status == .usage && error.message == "\(name): larger than 50 MiB")
    }
  }

  @Test func `what is sent along keeps its place in a body that is given`() throws {
    let body = #"{"model":"b", "input": [1], "n":1e2}"#
    let command = SendCommand(files: ["body": body], data: ["x": Self.png])
    let message =
      #"[{"type":"message","role":"user","content":[\#(Self.image("image/png", Self.png))]}]"#
    #expect(
      try command.body(["-b", "body", "-f", "x"])
        == #"{"model":"b","input":\#(message),"n":1e2,"stream":true}"#)
  }
}
