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

  @Test(
    arguments: [
      ("a.txt", Array("é\n\"".utf8), text(#"==> a.txt <==\né\n\""#)),
      ("empty", [], text(#"==> empty <==\n"#)),
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
    let body = try InputBench.body(files: [name: bytes]) { input, folder throws(Failure) in
      try input.attach(folder + name)
    }
    #expect(try InputBench.input(body) == InputBench.message(part))
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
      ("auto", Array("a".utf8), text("==> x.csv <==\\na")),
    ] as [(String, [UInt8], String)])
  func `--as says as what a file is sent`(type: String, bytes: [UInt8], part: String) throws {
    let body = try InputBench.body(files: ["x.csv": bytes]) { input, folder throws(Failure) in
      try input.send(as: type)
      try input.attach(folder + "x.csv")
    }
    #expect(try InputBench.input(body) == InputBench.message(part))
  }

  @Test(
    arguments: [
      ("auto", "file-Ab1", nil, #"{"type":"input_file","file_id":"file-Ab1"}"#),
      ("auto", "file_1", "low", #"{"type":"input_file","file_id":"file_1","detail":"low"}"#),
      ("image", "file-1", nil, #"{"type":"input_image","file_id":"file-1","detail":"auto"}"#),
      (
        "auto", "https://x.org/a.JPG?b#c", "high",
        #"{"type":"input_image","image_url":"https://x.org/a.JPG?b#c","detail":"high"}"#
      ),
      (
        "auto", "HTTP://x.org/?a.png", nil,
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
    let body = try InputBench.body { input, _ throws(Failure) in
      try input.send(as: type)
      if let detail { input.detail.set(detail) }
      try input.attach(name)
    }
    #expect(try InputBench.input(body) == InputBench.message(part))
  }

  @Test func `what is said of files is for those behind it, else for those before`() throws {
    let body = try InputBench.body { input, _ throws(Failure) in
      try input.attach("file-1")
      try input.send(as: "image")
      try input.attach("file-2")
      input.detail.set("low")
      try input.attach("file-3")
      try input.send(as: "auto")
      try input.attach("file-4")
      input.detail.set("high")
    }
    let parts = [
      #"{"type":"input_file","file_id":"file-1","detail":"high"}"#,
      #"{"type":"input_image","file_id":"file-2","detail":"high"}"#,
      #"{"type":"input_image","file_id":"file-3","detail":"low"}"#,
      #"{"type":"input_file","file_id":"file-4","detail":"low"}"#,
    ]
    #expect(
      try InputBench.input(body) == InputBench.message(parts[0], parts[1], parts[2], parts[3]))
  }

  @Test(arguments: ["file-a.txt", "file-", "file", "ftp"])
  func `what looks like no id or URL is a file`(name: String) throws {
    let body = try InputBench.body(files: [name: [0x61]]) { input, folder throws(Failure) in
      try input.attach(folder + name)
    }
    #expect(try InputBench.input(body) == InputBench.message(Self.text("==> \(name) <==\\na")))
    let told = try InputBench.refusal {
      try InputBench.body { input, _ throws(Failure) in
        try input.attach(name)
      }
    }
    #expect(told.status == .usage && told.text.contains(name))
  }

  @Test func `attachments stand before the prompt, in their order`() throws {
    let body = try InputBench.body(["What", "-"], stdin: "now?", files: ["a": [0x61]]) {
      input, folder throws(Failure) in
      try input.attach("file-1")
      try input.attach(folder + "a")
    }
    let parts = [#"{"type":"input_file","file_id":"file-1"}"#, Self.text("==> a <==\\na")]
    #expect(
      try InputBench.input(body)
        == InputBench.message(parts[0], parts[1], Self.text("What\\nnow?")))
  }

  @Test(arguments: [
    ("text", Self.text("text")),
    ("%PDF-", Self.file("stdin.pdf", "application/pdf", Array("%PDF-".utf8))),
    ("a\0", Self.file("stdin", "application/octet-stream", Array("a\0".utf8))),
  ])
  func `standard input can be a file`(stdin: String, part: String) throws {
    let body = try InputBench.body(stdin: stdin) { input, _ throws(Failure) in try input.attach("-")
    }
    #expect(try InputBench.input(body) == InputBench.message(part))
  }

  @Test(arguments: ["", "\0"])
  func `names come from a file with NUL between them`(end: String) throws {
    let files = ["a b": [0x61], "c\nd": [0x62]] as [String: [UInt8]]
    let body = try InputBench.body(["q"], files: files) { input, folder throws(Failure) in
      let list = "\(folder)a b\0\(folder)c\nd\0file-1\(end)"
      try? Data(list.utf8).write(to: URL(fileURLWithPath: folder + "list"))
      input.detail.set("low")
      input.attach(list: folder + "list")
    }
    let id = #"{"type":"input_file","file_id":"file-1","detail":"low"}"#
    let texts = [Self.text("==> a b <==\\na"), Self.text("==> c\\nd <==\\nb"), Self.text("q")]
    #expect(try InputBench.input(body) == InputBench.message(texts[0], texts[1], id, texts[2]))
  }

  @Test(
    arguments: [
      ("--as image", .usage, "x: not an image"),
      ("--as text", .usage, "x: not text: not UTF-8"),
      ("--as text URL", .usage, "--as text: https://x/ is a URL"),
      ("--as text id", .usage, "--as text: file-1 is the id of a file"),
      ("--as pdf", .usage, "expected auto, text, image, file or a media type"),
      ("--as a/", .usage, "expected auto, text, image, file or a media type"),
      ("--as a/b;c=d", .usage, "expected auto, text, image, file or a media type"),
      ("unused", .usage, "--as: there is no file"),
      ("unused too", .usage, "--detail: there is no file"),
      ("empty", .usage, "expected the name"), ("list", .badInput, "stdin: name 2: empty"),
      ("list of bytes", .usage, "\u{10FFFF}"), ("list of -", .usage, "stdin: name 1: -"),
    ] as [(String, Core.ExitStatus, String)])
  func `what cannot be sent along is refused`(
    name: String, status: Core.ExitStatus, why: String
  ) throws {
    let stdin = name == "list" ? "x\0\0" : name == "list of -" ? "-\0" : "abc"
    let told = try InputBench.refusal {
      try InputBench.body(["q"], stdin: stdin, files: ["x": [0xFF, 0, 0xE9], "bytes": [0xFF, 0]]) {
        input, folder throws(Failure) in
        switch name {
        case "unused":
          try input.send(as: "text")
          try input.attach("file-1")
          try input.send(as: "text")
        case "unused too": input.detail.set("low")
        case "empty": try input.attach("")
        case "list", "list of -": input.attach(list: "-")
        case "list of bytes": input.attach(list: folder + "bytes")
        default:
          try input.send(as: String(name.split(separator: " ")[1]))
          try input.attach(
            name.hasSuffix("URL") ? "https://x/" : name.hasSuffix("id") ? "file-1" : folder + "x")
        }
      }
    }
    #expect(told.status == status)
    #expect(told.text.contains(why))
  }

  @Test func `a file whose name is not UTF-8 is sent along`() throws {
    let body = try InputBench.body(["q"]) { input, folder throws(Failure) in
      let name = folder + String(system: [0xFF, 0x2E, 0x74])
      try Descriptor(writing: name).write([0x78].span)
      try input.attach(name)
    }
    #expect(body.contains("==> \u{FFFD}.t <==\\nx"))
  }

  @Test(arguments: ["", "; --path /files -F purpose=user_data -F file=@FILE uploads it"])
  func `a file that is too large is refused`(advice: String) throws {
    let folder = try TemporaryFolder()
    let name = try folder.file("large", "")
    try FileHandle(forWritingTo: URL(filePath: name)).truncate(
      atOffset: UInt64(AttachmentLoader.limit + 1))
    let loader = AttachmentLoader(hasFiles: !advice.isEmpty, open: Descriptor.init(reading:))
    let told = try InputBench.refusal { () throws(Failure) in
      _ = try loader.load(Attachment(name: name, kind: .automatic, detail: nil))
      return ""
    }
    #expect(told.status == .usage)
    #expect(told.text == "\(name): larger than 50 MiB\(advice)")
  }

  @Test func `what is sent along keeps its place in a body that is given`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("x", Self.png)
    let body = try folder.file("body", #"{"model":"b", "input": [1], "n":1e2}"#.utf8)
    var settings = SendTool.Settings()
    settings.bodyPath = body
    try settings.input.attach(file)
    let sources = RequestBuilder.Sources(
      hasFreeStdin: false,
      read: { path throws(Failure) in try Descriptor(reading: path).readAll() },
      variable: { _ in nil })
    let bytes = try RequestBuilder(settings, prompt: [], sources).build().bytes
    let made = String(decoding: bytes, as: UTF8.self)
    let input = InputBench.message(Self.image("image/png", Self.png))
    #expect(made == #"{"model":"b","input":\#(input),"n":1e2,"stream":true}"#)
  }
}
