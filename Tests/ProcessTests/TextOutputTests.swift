import Foundation
import ProcessSupport
import Testing

/// Where `oresp-text` writes to.
struct TextOutputTests {
  private static let cut = SampleStream.stream(Array(SampleStream.events.dropLast(4)))
  private static let cutText = SampleStream.pieces.joined() + "\n"

  /// What is in the file after a run, if it is there.
  private func content(_ path: String) -> String? {
    (try? Data(contentsOf: URL(fileURLWithPath: path))).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    arguments: [
      // The file is replaced by a whole answer only, unless another is asked for.
      ([], SampleStream.stream, 0, SampleStream.text), ([], cut, 5, "old\n"),
      (["--keep-partial"], cut, 5, cutText),
    ] as [([String], String, Int32, String)])
  func `a file is put in place if the answer is whole`(
    arguments: [String], stream: String, status: Int32, text: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("answer.txt", "old\n")
    let run = try ToolProcess.run("oresp-text", ["-o", path] + arguments, input: .text(stream))
    #expect(run.outcome == .exited(status))
    #expect(run.text.isEmpty)
    #expect(content(path) == text)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == ["answer.txt"], "something was left beside the file")
  }

  @Test func `a file that was not there is not there after half an answer`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/answer.txt"
    let run = try ToolProcess.run("oresp-text", ["-o", path], input: .text(Self.cut))
    #expect(run.outcome == .exited(5))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    #expect(run.errors.contains("answer.txt: not written"))
  }

  @Test func `a file shows nothing before the answer is whole, and goes with a signal`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/answer.txt"
    let process = try ToolProcess("oresp-text", ["-o", path, "-v"], input: .open)
    process.write(Self.cut)
    // Standard output is elsewhere, so wait for the file beside.
    let deadline = Date(timeIntervalSinceNow: 20)
    var names: [String] = []
    while names.isEmpty, Date() < deadline {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      usleep(2000)
    }
    #expect(names.count == 1 && names != ["answer.txt"])
    kill(process.processID, SIGTERM)
    #expect(process.finish().outcome == .killed(signal: SIGTERM))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test(arguments: [[], ["--keep-partial"]])
  func `a file that is read is not written`(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("stream.sse", SampleStream.stream)
    for name in [path, folder.link("link", to: path)] {
      let run = try ToolProcess.run("oresp-text", ["-o", name, "-", path] + arguments)
      #expect(run.outcome == .exited(2))
      #expect(run.errors.hasPrefix("oresp-text: -o: \(name) is input, too\n"))
    }
    #expect(content(path) == SampleStream.stream)
  }

  @Test(arguments: ["/nonexistent/answer.txt", "/"])
  func `a file that cannot be written is status 2`(path: String) throws {
    let run = try ToolProcess.run("oresp-text", ["-o", path], input: .text(SampleStream.stream))
    #expect(run.outcome == .exited(2))
    #expect(run.errors.hasPrefix("oresp-text: -o: \(path): "))
  }

  @Test func `a file that is not put in place is told with the status`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/answer.txt"
    let run = try ToolProcess.run(
      "oresp-text", ["-j", "-o", path], input: .text(SampleStream.stream))
    #expect(run.outcome == .exited(1))
    #expect(run.errors.hasSuffix("oresp-text: \(path): not written: the exit status is 1\n"))
  }

  @Test func `images are written into the folder, and their paths printed`() throws {
    let folder = try TemporaryFolder()
    let item =
      #"{"type":"image_generation_call","id":"ig_1","status":"completed","output_format":"png","result":"iVBORw0KGgo="}"#
    let lines = [
      #"{"type":"response.created","response":{"id":"r"}}"#,
      #"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Here:"}"#,
      #"{"type":"response.output_item.done","output_index":1,"item":\#(item)}"#,
      #"{"type":"response.completed","response":{"id":"r","output":[{"type":"message","content":[{"type":"output_text","text":"Here:"}]},\#(item)]}}"#,
    ]
    let stream = ToolProcess.Input.text(lines.joined(separator: "\n"))
    let path = folder.path + "/new/ig_1.png"
    let arguments = ["--files", folder.path + "/new"]
    let first = try ToolProcess.run("oresp-text", arguments, input: stream)
    #expect(first.outcome == .exited(0))
    #expect(first.text == "Here:\n\(path)\n")
    let image = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == image)
    // A file that is there stays, and the text is printed all the same.
    let second = try ToolProcess.run("oresp-text", arguments, input: stream)
    #expect(second.outcome == .exited(2))
    #expect(second.text == "Here:\n")
    let third = try ToolProcess.run(
      "oresp-text", arguments + ["--force", "--message=none"], input: stream)
    #expect(third.outcome == .exited(0))
    #expect(third.text == path + "\n")
  }
}
