import Testing
import oresp_events
import oresp_sse
import oresp_text

@testable import Core
@testable import oresp_send

/// What options need and exclude, as their rows declare it.
@Suite struct OptionPairTests {
  /// Values of which each option takes one.
  private static let values = [
    "1", "a=b", "/x", "GET", "chat", "60/min", "text", "X: y", "http://localhost:1", "auto",
    "web_search",
  ]

  /// The words for the option `row`, or for its value in `NAME=VALUE`.
  private static func words<Settings>(
    _ command: Command<Settings>, _ name: String
  ) throws -> [String] {
    let parts = name.split(separator: "=", maxSplits: 1).map(String.init)
    let option = try #require(command.options.first { $0.row.name == parts[0] }, "no --\(name)")
    guard parts.count == 1 else { return ["--" + name] }
    guard option.row.placeholder != nil else { return ["--" + name] }
    let value = values.first { value in
      var settings = command.initial
      return (try? option.apply(&settings, value, true)) != nil
    }
    return ["--\(name)=\(try #require(value, "no value for --\(name)"))"]
  }

  /// The message on `arguments`; `nil` if they go together.
  private static func refusal<Settings>(
    _ arguments: [String], _ command: Command<Settings>
  ) -> String? {
    var settings = command.initial
    do throws(Failure) {
      _ = try parse(arguments, command.options, command.page, into: &settings)
      return nil
    } catch {
      return error.message
    }
  }

  /// Checks all pairs of `command`. Returns how many they are.
  private static func check<Settings>(_ command: Command<Settings>) throws -> Int {
    var count = 0
    for row in command.options.map(\.row) where !(row.needed + row.excluded).isEmpty {
      let words = try words(command, row.name)
      if !row.needed.isEmpty {
        let others = command.options.map(\.row).filter { row.needed.contains($0.name) }
        #expect(others.count == row.needed.count)
        let names = others.map(\.typed).joined(separator: " or ")
        #expect(refusal(words, command) == "\(row.typed) goes with \(names) only")
        for other in others where !row.excluded.contains(other.name) {
          let told = refusal(words + (try Self.words(command, other.name)), command)
          #expect(told?.contains("goes with \(names) only") != true)
          count += 1
        }
      }
      for name in row.excluded {
        let told = refusal(words + (try Self.words(command, name)), command) ?? ""
        #expect(told.hasPrefix("\(row.typed) and "), "--\(row.name), --\(name): \(told)")
        #expect(told.hasSuffix(" exclude each other"), "--\(row.name), --\(name): \(told)")
        count += 1
      }
    }
    return count
  }

  @Test func `each pair that a row declares is refused, or needed`() throws {
    #expect(try Self.check(SendTool.command) > 50)
    #expect(try Self.check(SSETool.command) > 0)
    #expect(try Self.check(EventsTool.command) > 0)
    #expect(try Self.check(TextTool.command) > 0)
  }
}
