import Foundation
import TestSupport
import Testing

/// The rooms of a target, which are the folders of its sources, from the highest floor down.
struct House: CustomTestStringConvertible, Sendable {
  let target: String
  let floors: [[String]]
  /// Rooms that name each other's types: an event has its response, which is known by its events.
  var joined: Set<String> = []

  var testDescription: String { target }

  /// `main.swift` and its neighbours are the room above all.
  static let root = "root"

  static let all = [
    House(
      target: "oresp-send",
      floors: [
        [root], ["SendTool"], ["Options"], ["Batch", "Rehearsal"], ["Run"],
        ["AnyEndpoint", "Following"], ["Reply"], ["Body"], ["Server"], ["Curl"], ["Wire"],
      ]),
    House(
      target: "oresp-events",
      floors: [
        [root], ["EventsTool"], ["Through", "Timeline"], ["Check", "Rebuild", "Status", "Usage"],
        ["Select"],
      ]),
    House(
      target: "oresp-text",
      floors: [[root], ["Answer"], ["Stages"], ["Citations", "Files", "Schema"]]),
    House(
      target: "Core",
      floors: [
        [root], ["Command"], ["Feed"], ["Responses"], ["Verdict"], ["Events"], ["Chat"], ["API"],
        ["IO"], ["Stream"], ["Errors"], ["JSON"], ["Numbers"], ["Bytes"],
      ],
      joined: ["Responses", "Verdict", "Events"]),
  ]

  /// From which room to which a file of the former names a type of the latter, and an example.
  func arrows() throws -> [String: String] {
    let files = try files()
    var homes: [String: String] = [:]
    let type = #/(?m)^(?:[\w@]+ )*(?:struct|enum|class|protocol|typealias) (\w+)/#
    for file in files {
      for match in file.text.matches(of: type) where !match.0.contains("private ") {
        homes[String(match.1)] = file.room
      }
    }
    var arrows: [String: String] = [:]
    for file in files {
      for word in Set(file.text.matches(of: #/\b[A-Z]\w*/#).map { String($0.0) }) {
        guard let home = homes[word], home != file.room else { continue }
        arrows["\(file.room) → \(home)"] = "\(word) in \(file.name)"
      }
    }
    return arrows
  }

  /// The sources, without comments, long strings, and others that have no escapes.
  private func files() throws -> [(name: String, room: String, text: String)] {
    let folder = Repository.root.appending(path: "Sources/\(target)")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let code = text.replacing(#/"""[\s\S]*?"""|\/\/[^\n]*|"[^"\n\\]*"/#, with: "")
      return (name, name.contains("/") ? String(name.prefix { $0 != "/" }) : Self.root, code)
    }
  }

  /// Whether `arrow` leads to a lower floor.
  func goesDown(_ arrow: String) -> Bool {
    let rooms = arrow.components(separatedBy: " → ")
    if joined.isSuperset(of: rooms) { return true }
    let ends = rooms.map { room in
      floors.firstIndex { $0.contains(room) } ?? -1
    }
    return ends[0] >= 0 && ends[0] < ends[1]
  }
}

@Suite struct RoomsTests {
  @Test func `the head of the sender lists its rooms, from the highest floor down`() throws {
    let head = try Repository.text("Sources/oresp-send/SendTool/SendTool.swift")
    let rooms = head.matches(of: #/\n\/\/\/ {5}(\w+) /#).map { String($0.1) }
    let house = try #require(House.all.first { $0.target == "oresp-send" })
    #expect(rooms == house.floors.flatMap(\.self).filter { $0 != House.root })
  }

  @Test(arguments: House.all) func `a room names types of lower floors only`(house: House) throws {
    for (arrow, example) in try house.arrows() where !house.goesDown(arrow) {
      Issue.record("\(house.target): \(arrow): \(example)")
    }
  }
  @Test func `only Responses says whose an event is, and what it does to its response`() throws {
    let folder = Repository.root.appending(path: "Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let deciding = try files.filter { $0.hasSuffix(".swift") }.filter { file in
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      return text.contains(#/\bevent\.(step|slot|response|item)(\.\w+)? = /#)
    }
    // An event that is kept gets back what was said of it.
    #expect(
      deciding.sorted() == ["Core/Events/EventState.swift", "Core/Responses/Responses.swift"])
  }
}
