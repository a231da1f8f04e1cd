import Core
import Foundation
import ProcessSupport
import TestSupport
import Testing
import oresp_text

/// Hands events to the files and prints their paths.
private struct Probe: EventFilter, ~Copyable {
  var files: ProducedFiles
  var states: [Int: ProducedFiles.State] = [:]

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output) {
    guard let response = event.response else { return }
    let state = states[response.number] ?? ProducedFiles.State()
    states[response.number] = state
    files.handle(event, line, state, into: &output)
    print(into: &output)
  }

  mutating func close(_ response: Response, into output: inout Output) {
    if let state = states[response.number] { files.close(state, into: &output) }
    print(into: &output)
  }

  mutating func finish(into output: inout Output) {}

  private mutating func print(into output: inout Output) {
    for path in files.takePaths() { output.append(line: Array(path.utf8).span) }
  }
}

/// What came of a stream: the paths told, the files that are there, and the notices.
private struct Produced: Equatable {
  var paths: [String] = []
  var files: [String: [UInt8]] = [:]
  var status = ExitStatus.completed
  var notices: [String] = []
}

private func produce(
  _ chunks: [[UInt8]], into folder: TemporaryFolder, replaces: Bool = false
) throws -> Produced {
  let path = folder.path + "/out"
  let files = try ProducedFiles(into: path, replaces: replaces)
  let outcome = feed(
    EventPipe(Probe(files: files), reading: EventReader.Settings(), needing: .objectsUnlessEmpty),
    chunks)
  var produced = Produced(status: outcome.status)
  produced.paths = outcome.output.split(separator: "\n").map {
    $0.replacingOccurrences(of: path + "/", with: "")
  }
  produced.notices = outcome.notices.map { $0.replacingOccurrences(of: path + "/", with: "") }
  for name in try FileManager.default.contentsOfDirectory(atPath: path) {
    produced.files[name] = Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
  }
  return produced
}

private let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(0...200)
private let jpg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 7, count: 50)
private let wav: [UInt8] = Array("RIFF....WAVEfmt ".utf8) + Array(repeating: 9, count: 100)

private func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

private func image(_ text: String, id: String = "ig_1", _ more: String = "") -> String {
  #"{"type":"image_generation_call","id":"\#(id)","status":"generating"\#(more),"result":\#(text)}"#
}

private func image(_ bytes: [UInt8], id: String = "ig_1") -> String {
  image("\"\(base64(bytes))\"", id: id)
}

private func code(_ outputs: String...) -> String {
  #"{"type":"code_interpreter_call","id":"ci_1","outputs":[\#(outputs.joined(separator: ","))]}"#
}

private func picture(_ url: String) -> String { #"{"type":"image","url":"\#(url)"}"# }

private func audioPart(_ bytes: [UInt8]) -> String {
  #"{"type":"message","id":"msg_1","content":[{"type":"output_audio","data":"\#(base64(bytes))","transcript":""}]}"#
}

private func done(_ item: String, _ index: Int = 0) -> String {
  #"{"type":"response.output_item.done","output_index":\#(index),"item":\#(item)}"#
}

private func completed(_ items: String..., id: String = "r") -> String {
  #"{"type":"response.completed","response":{"status":"completed","id":"\#(id)","output":[\#(items.joined(separator: ","))]}}"#
}

private func partial(_ bytes: [UInt8], _ number: Int) -> String {
  #"{"type":"response.image_generation_call.partial_image","item_id":"ig_1","output_index":0,"partial_image_index":\#(number),"partial_image_b64":"\#(base64(bytes))"}"#
}

private func audio(_ text: String, _ place: String = "") -> String {
  #"{"type":"response.audio.delta","delta":"\#(text)"\#(place)}"#
}

private let audioDone = #"{"type":"response.audio.done"}"#
private let created = #"{"type":"response.created","response":{"id":"r"}}"#

@Suite struct ProducedFilesTests {
  @Test(
    arguments: [
      // Each image once, however often it comes.
      ([done(image(png)), completed(image(png))], ["ig_1.png"], [png]),
      ([completed(image(png))], ["ig_1.png"], [png]), ([done(image(png))], ["ig_1.png"], [png]),
      ([done(image(png, id: "a")), completed(image(png, id: "b"))], ["a.png"], [png]),
      ([done(image(png), 3), completed(image(png))], ["ig_1.png"], [png]),
      (
        [
          done(image(png)), done(image(jpg, id: "ig_2"), 1),
          completed(image(png), image(jpg, id: "ig_2")),
        ],
        ["ig_1.png", "ig_2.jpg"], [png, jpg]
      ),
      ([partial(jpg, 0), done(image(png))], ["ig_1.png"], [png]),
      (
        [
          created, completed(image(png)), created.replacing("r\"}", with: "s\"}"),
          completed(image(png), id: "s"),
        ],
        ["ig_1.png", "ig_1-2.png"], [png, png]
      ),
      // Responses that only end.
      (
        [completed(image(png), id: "1"), completed(image(jpg, id: "ig_2"), id: "2")],
        ["ig_1.png", "ig_2.jpg"], [png, jpg]
      ),
      (
        [completed(image(png), id: ""), completed(image(jpg, id: "ig_2"), id: "")],
        ["ig_1.png", "ig_2.jpg"], [png, jpg]
      ),
      // What is no image is passed over.
      ([done(image("null")), done(image("\"\"")), done(image("7"))], [], []),
      (
        [done(#"{"type":"message","id":"m","content":[{"type":"output_text","text":"x"}]}"#)], [],
        []
      ),
      // The format is told by the bytes, else by a member, else not at all.
      ([done(image("\"AAAA\"", #","output_format":"webp""#))], ["ig_1.webp"], [[0, 0, 0]]),
      ([done(image("\"AAAA\"", #","output_format":"../x""#))], ["ig_1.bin"], [[0, 0, 0]]),
      (
        [done(image("\"iVBORw0KGgo=\"", #","output_format":"webp""#))], ["ig_1.png"],
        [Array(png[..<8])]
      ),
      // Escapes in the base64.
      ([done(image(#""Pz8\/\nPz8\u002F""#))], ["ig_1.bin"], [Array("??????".utf8)]),
      // Names stay in the folder.
      ([done(image(png, id: "../../x"))], ["_._.._x.png"], [png]),
      ([done(image(png, id: ".hidden"))], ["_hidden.png"], [png]),
      ([done(image(png, id: "-rf"))], ["_rf.png"], [png]),
      ([done(image(png, id: "a\\u0000b\\nc é"))], ["a_b_c___.png"], [png]),
      ([done(image(png, id: ""))], ["image.png"], [png]),
      (
        [done(image(png, id: String(repeating: "x", count: 300)))],
        [String(repeating: "x", count: 100) + ".png"], [png]
      ),
      (
        [
          done(image(png, id: "a/b")), done(image(jpg, id: "a?b"), 1),
          done(image(png, id: "A_b"), 2),
        ],
        ["a_b.png", "a_b.jpg", "A_b-2.png"], [png, jpg, png]
      ),
      // The code interpreter.
      (
        [
          done(
            code(
              #"{"type":"logs","logs":"x"}"#, picture("data:image/png;base64,\(base64(png))"),
              picture("data:image\\/gif;base64,AAAA"))),
          completed(
            code(
              "1", picture("data:image/png;base64,\(base64(png))"),
              picture("data:image/gif;base64,AAAA"))),
        ], ["ci_1-1.png", "ci_1-2.gif"], [png, [0, 0, 0]]
      ),
      // Audio.
      ([created, audio(base64(wav)), audioDone, completed()], ["audio-0.wav"], [wav]),
      (
        [
          audio(base64(Array(wav[..<4]))), audio(base64(Array(wav[4..<60]))),
          audio(base64(Array(wav[60...]))), audioDone,
        ],
        ["audio-0.wav"], [wav]
      ),
      (
        [audio("Ukl"), audio("GRi4uLi5XQVZF"), audio("Zm10IA=="), audioDone], ["audio-0.wav"],
        [Array(wav[..<16])]
      ),
      ([audio("AAAA"), completed()], ["audio-0.bin"], [[0, 0, 0]]),
      ([audio(base64(wav)), audioDone, completed(audioPart(wav))], ["audio-0.wav"], [wav]),
      (
        [
          audio(base64(wav), #","item_id":"msg_1","output_index":0,"content_index":0"#), audioDone,
          done(audioPart(wav)),
          completed(audioPart(wav)),
        ], ["msg_1-0.wav"], [wav]
      ),
      ([done(audioPart(wav)), completed(audioPart(wav))], ["msg_1-0.wav"], [wav]),
    ] as [([String], [String], [[UInt8]])])
  func `each file is written once, whole and under its name`(
    lines: [String], names: [String], contents: [[UInt8]]
  ) throws {
    let expected = Produced(
      paths: names, files: Dictionary(uniqueKeysWithValues: zip(names, contents)))
    let stream = Array(lines.joined(separator: "\n").utf8)
    var generator = SeededGenerator()
    for chunks in [[stream], stream.map { [$0] }, randomCuts(of: stream, 5, using: &generator)] {
      let folder = try TemporaryFolder()
      let produced = try produce(chunks, into: folder)
      #expect(produced == expected, "seed \(generator.seed)")
    }
  }

  @Test(
    arguments: [
      ("png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ("jpg", [0xFF, 0xD8, 0xFF, 0xDB]),
      ("webp", Array("RIFF1234WEBPVP8 ".utf8)), ("wav", Array("RIFF1234WAVEfmt ".utf8)),
      ("bin", Array("RIFF1234AVI LIST".utf8)), ("gif", Array("GIF89a".utf8)),
      ("mp3", Array("ID3".utf8)), ("mp3", [0xFF, 0xFB, 0x90]), ("mp3", [0xFF, 0xF3, 0x90]),
      ("aac", [0xFF, 0xF1, 0x50]), ("flac", Array("fLaC".utf8)), ("ogg", Array("OggS".utf8)),
      ("pdf", Array("%PDF-1.7".utf8)), ("svg", Array("<svg xmlns=".utf8)), ("bin", [0x89]),
      ("bin", [0xFF, 0xFF, 0xFF]),
    ] as [(String, [UInt8])])
  func `the first bytes tell the format`(fileExtension: String, head: [UInt8]) throws {
    let bytes = head + (head.count > 4 ? Array(repeating: 1, count: 40) : [])
    let produced = try produce([Array(done(image(bytes)).utf8)], into: TemporaryFolder())
    #expect(produced.files == ["ig_1.\(fileExtension)": bytes])
  }

  @Test(
    arguments: [
      (
        done(image("\"iVBORw0KGgo!\"")),
        "in: line 1, byte 0: ig_1: not base64: a character is no base64 (character 11)"
      ),
      (
        done(image("\"i\"")),
        "in: line 1, byte 0: ig_1: not base64: it ends within a byte (character 1)"
      ),
      (
        done(image("\"\(base64(png))=\"")),
        "in: line 1, byte 0: ig_1: not base64: there is too much padding (character \(base64(png).utf8.count))"
      ),
      (done(image("\" \"")), "in: line 1, byte 0: ig_1: it has no bytes"),
      (
        done(code(picture("data:image/png;base64,?"))),
        "in: line 1, byte 0: ci_1-0: not base64: a character is no base64 (character 0)"
      ),
      (
        audio("AAAA") + "\n" + audio("?") + "\n" + audio("AAAA") + "\n" + audioDone,
        "in: line 2, byte 47: audio-0: not base64: a character is no base64 (character 4)"
      ),
    ] as [(String, String)])
  func `broken base64 is told with its place and leaves no file`(stream: String, notice: String)
    throws
  {
    let produced = try produce([Array(stream.utf8)], into: TemporaryFolder())
    #expect(produced == Produced(status: .badInput, notices: [notice]))
  }

  @Test func `a later copy may be whole where the first is broken`() throws {
    let stream = done(image("\"i\"")) + "\n" + completed(image(png))
    let produced = try produce([Array(stream.utf8)], into: TemporaryFolder())
    #expect(produced.paths == ["ig_1.png"] && produced.status == .badInput)
  }

  @Test func `what is at an address is told, once`() throws {
    let item = code(picture("https://example.com/a.png"), picture("data:text/plain,x"))
    let stream = done(item) + "\n" + completed(item)
    let produced = try produce([Array(stream.utf8)], into: TemporaryFolder())
    #expect(
      produced
        == Produced(notices: [
          "in: line 1, byte 0: ci_1-0 is at https://example.com/a.png, and is not fetched",
          "in: line 1, byte 0: ci_1-1 is at data:text/plain,x, and is not fetched",
        ]))
  }

  @Test func `responses by turns have their own files, each once`() throws {
    func tagged(_ line: String, _ tag: String) -> String {
      "\(line.dropLast()),\"oresp\":{\"request\":\"\(tag)\"}}"
    }
    let lines = [
      tagged(created, "a"), tagged(done(image(png)), "a"), tagged(created, "b"),
      tagged(done(image(jpg)), "b"), tagged(completed(image(png)), "a"),
      tagged(completed(image(jpg)), "b"),
    ]
    let text = lines.map { $0 + "\n" }.joined()
    let produced = try produce([Array(text.utf8)], into: TemporaryFolder())
    #expect(Set(produced.files.values) == [png, jpg] && produced.files.count == 2)
    #expect(produced.notices == [])
  }

  @Test func `audio that is cut off leaves no file`() throws {
    for lines in [[audio(base64(wav))], [audio(base64(wav)), created, completed()]] {
      let produced = try produce(
        [Array(lines.joined(separator: "\n").utf8)], into: TemporaryFolder())
      #expect(produced.files == [:] && produced.paths == [])
      #expect(
        produced.notices.first?.hasSuffix("the audio was cut off, and its file is not kept") == true
      )
    }
  }

  @Test func `a file that is there stays, unless it is to be replaced`() throws {
    let folder = try TemporaryFolder()
    let out = folder.path + "/out"
    try Core.Folder.make(out)
    let outside = try folder.file("outside", "old")
    _ = try folder.file("out/ig_1.png", "old")
    folder.link("out/ig_2.jpg", to: outside)
    let stream = Array(
      [
        done(image(png)), done(image(jpg, id: "ig_2"), 1), done(image(png, id: "ig_3"), 2),
        completed(image(png), image(jpg, id: "ig_2")),
      ].joined(separator: "\n").utf8)
    var produced = try produce([stream], into: folder)
    #expect(produced.paths == ["ig_3.png"])
    let exists = "File exists; --force replaces it"
    #expect(produced.notices == ["ig_1.png: \(exists)", "ig_2.jpg: \(exists)"])
    #expect(produced.status == .usage)
    #expect(produced.files["ig_1.png"] == Array("old".utf8))
    produced = try produce([stream], into: folder, replaces: true)
    #expect(produced.paths == ["ig_1.png", "ig_2.jpg", "ig_3.png"])
    #expect(produced.files == ["ig_1.png": png, "ig_2.jpg": jpg, "ig_3.png": png])
    #expect(try String(contentsOfFile: outside, encoding: .utf8) == "old")
  }

  @Test func `a large image goes through in pieces`() throws {
    let bytes = png + (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let produced = try produce([Array(done(image(bytes)).utf8)], into: TemporaryFolder())
    #expect(produced.files == ["ig_1.png": bytes])
  }

  @Test func `a folder that cannot be made is a failure`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("file", "")
    #expect(throws: Failure.self) { _ = try ProducedFiles(into: path + "/x") }
    #expect(throws: Failure.self) { _ = try ProducedFiles(into: "") }
  }

  @Test func `a file is the same under all its names`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("file", "old")
    let other = try folder.file("other", "old")
    try FileManager.default.linkItem(atPath: path, toPath: folder.path + "/hard")
    func isSame(_ name: String, _ other: String) -> Bool {
      fileStatus(name)?.isSame(as: fileStatus(other)) == true
    }
    let names = [path, folder.link("soft", to: path), folder.path + "/hard"]
    for name in names { #expect(isSame(name, path) && isSame(path, name)) }
    for name in [other, folder.path + "/x", folder.link("null", to: "/dev/null")] {
      #expect(!isSame(name, path) && !isSame(path, name))
    }
    // Anything but a regular file loses nothing.
    #expect(!isSame("/dev/null", "/dev/null"))
  }
}
