import Core
import Testing

@Suite struct FileKindTests {
  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], "x.jpg", "image/png"),
      (Array("GIF87a".utf8), "", "image/gif"), (Array("GIF88a".utf8), "x.gif", nil),
      (Array("RIFF1234WEBPVP8 ".utf8), "", "image/webp"), (Array("RIFF1234WEB".utf8), "", nil),
      (Array("RIFF1234WAVEfmt ".utf8), "", "audio/wav"), ([0xFF, 0xFB], "", "audio/mpeg"),
      // Archives begin alike, and their names tell them apart.
      (Array("PK\u{3}\u{4}".utf8), "", "application/zip"),
      (Array("PK\u{3}\u{4}".utf8), "a/b.c/x.EPUB", "application/epub+zip"),
      (Array("PK\u{3}\u{4}".utf8), "x.epub/y", "application/zip"), ([], "x.png", nil),
    ] as [([UInt8], String, String?)])
  func `the first bytes tell the kind`(head: [UInt8], name: String, type: String?) {
    #expect(FileKind.of(head.span, named: name)?.mediaType == type)
  }

  @Test(
    arguments: [
      ("jpeg", "jpg"), ("image/JPEG", "jpg"), ("audio/x-wav", "wav"), ("opus", "ogg"),
      ("HTM", "html"), ("x", nil), ("", nil),
    ] as [(String, String?)])
  func `a suffix or a media type tells the kind`(name: String, suffix: String?) {
    #expect(FileKind.called(name)?.suffix == suffix)
  }

  @Test func `no suffix and no media type stands for two kinds`() {
    let names = FileKind.all.flatMap { $0.suffixes + $0.mediaTypes }
    #expect(Set(names).count == names.count)
  }
}
