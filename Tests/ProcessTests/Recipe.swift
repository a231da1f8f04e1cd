import Foundation
import ProcessSupport
import TestSupport
import Testing

/// A block of the README or of oresp-recipes(7), run as it stands in a folder of its own, and what
/// comes of it.
struct Recipe: Sendable, CustomTestStringConvertible {
  /// The heading that the block stands under.
  let heading: String
  /// Which of the blocks there it is.
  var block = 0
  var files: [String: String] = [:]
  /// What is run in the folder before the block.
  var setup = ""
  /// `$1`, `$2` and so on.
  var arguments: [String] = []
  var input = ""
  var environment: [String: String] = [:]
  var key = Sender.key
  /// What is asked of the server, and nothing else.
  var rows: [RecipeServer.Row] = []

  var prints = ""
  var writes: [String: String] = [:]
  /// How a line on stderr begins; nothing is told where it is empty.
  var tells = ""
  var status: Int32 = 0

  var testDescription: String { "\(heading), \(block)" }

  func expect() throws {
    let folder = try TemporaryFolder()
    for (name, text) in files { _ = try folder.file(name, text) }
    let server = try RecipeServer(key: key, rows)
    let run = try run(in: folder, asking: server)
    #expect(run.outcome == .exited(status), "\(run.errors)")
    // A rehearsal that the environment asks for says that it is one.
    let told = Finished.lines(run.errors).filter { !$0.contains("ORESP_REHEARSE=") }
    // The stages of a pipeline tell in any order.
    #expect(
      tells.isEmpty ? told.isEmpty : told.contains { $0.hasPrefix(tells) }, "\(run.errors)")
    #expect(run.text == prints)
    #expect(server.isAskedInFull, "\(server.asked)")
    for (name, text) in writes {
      #expect(try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8) == text)
    }
  }

  func run(in folder: TemporaryFolder, asking server: RecipeServer) throws -> Finished {
    let own = [
      "OPENAI_BASE_URL": server.baseURL, "OPENAI_API_KEY": key, "ORESP_MODEL": "gpt-5.2",
      "HOME": folder.path,
    ]
    return try ToolProcess.bash(
      "cd '\(folder.path)'\n\(setup)\n" + Self.script(heading, block), arguments,
      input: input.isEmpty ? .nothing : .bytes(Array(input.utf8)),
      environment: own.merging(environment) { $1 })
  }

  /// The block with that number under `heading`.
  static func script(_ heading: String, _ block: Int = 0) throws -> String {
    let blocks = try #require(blocks.first { $0.heading == heading }?.blocks, "no \(heading)")
    try #require(block < blocks.count, "too few blocks under \(heading)")
    return blocks[block]
  }

  /// The blocks of the README that are marked as `bash`, and those of the manual of recipes that
  /// are not set in, by their headings.
  static var blocks: [(heading: String, blocks: [String])] {
    get throws { try blocksOfReadme() + blocksOfManual() }
  }

  private static func blocksOfReadme() throws -> [(heading: String, blocks: [String])] {
    // A recipe has its heading at the start of a line: `**1. Heading.** Words`.
    let readme = try Repository.text().replacing(/\n\*\*[0-9]+\. (.*?)\.\*\*/) { "\n## \($0.1)\n" }
    return readme.components(separatedBy: "\n##").dropFirst().map { section in
      let heading = section.prefix { $0 != "\n" }.drop { "# ".contains($0) }
      let blocks = section.components(separatedBy: "```bash\n").dropFirst()
      return (String(heading), blocks.compactMap { $0.components(separatedBy: "```\n").first })
    }
  }

  private static func blocksOfManual() throws -> [(heading: String, blocks: [String])] {
    let page = Manual(name: "oresp-recipes", section: 7)
    let blocks = try page.blocks.filter { !$0.isIndented && $0.section != "EXAMPLES" }
    return Dictionary(grouping: blocks, by: \.heading).map { heading, blocks in
      (heading, blocks.map { $0.lines.joined(separator: "\n") + "\n" })
    }
  }

  /// The body of a request that says `text`, behind `parts` and with `members` besides.
  static func asks(
    _ text: String, files parts: [String] = [], _ members: String = ""
  ) -> RecipeServer.Body {
    let part = { #"{"type":"input_text","text":\#(jsonText($0))}"# }
    let content = (parts + [part(text)]).joined(separator: ",")
    let message = #"[{"type":"message","role":"user","content":[\#(content)]}]"#
    let input = parts.isEmpty ? jsonText(text) : message
    return .json(#"{"model":"gpt-5.2","input":\#(input),"stream":true\#(members)}"#)
  }

  /// The body of a request whose only input is `text`, as a part.
  static func asksOnly(_ text: String, _ members: String = "") -> RecipeServer.Body {
    .json(
      #"{"model":"gpt-5.2","input":[{"type":"message","role":"user","content":[\#(Self.text(text))]}],"#
        + #""stream":true\#(members)}"#)
  }

  /// The part of a prompt that is the text of a file with a name, or of standard input.
  static func text(_ text: String, name: String? = nil) -> String {
    let whole = (name.map { "==> \($0) <==\n" } ?? "") + text
    return #"{"type":"input_text","text":\#(jsonText(whole))}"#
  }

  /// The stream of an answer that says `text`.
  static func says(_ text: String) -> Answer {
    .stream(Array(SampleStream.stream(SampleStream.events([text])).utf8))
  }

  /// The stream of an answer whose output is `items`.
  static func answers(_ items: String...) -> Answer {
    let done = items.enumerated().map {
      #"{"type":"response.output_item.done","output_index":\#($0),"item":\#($1)}"#
    }
    let output = items.joined(separator: ",")
    return .stream(
      Array(
        SampleStream.stream(
          [#"{"type":"response.created","response":\#(SampleStream.response("in_progress"))}"#]
            + done + [
              #"{"type":"response.completed","response":\#(SampleStream.response("completed", output: output))}"#
            ]
        ).utf8))
  }

  /// A JSON string of `text`.
  private static func jsonText(_ text: String) -> String {
    let data = (try? JSONEncoder().encode(text)) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}
