import Core
import Testing

/// One change to a sound stream, and what is found then: the number of a line and a rule each.
struct LintCase: CustomTestStringConvertible, Sendable {
  private var stream: [String]
  private var change: @Sendable (inout [String]) -> Void
  private var keepsNumbers: Bool
  /// What is found at every level.
  let found: [String]
  /// What is found strictly only.
  let strictly: [String]
  let status: Core.ExitStatus

  init(
    _ stream: [String], _ found: [String], strictly: [String] = [], status: Core.ExitStatus? = nil,
    keepsNumbers: Bool = false, _ change: @escaping @Sendable (inout [String]) -> Void
  ) {
    (self.stream, self.found, self.strictly) = (stream, found, strictly)
    (self.keepsNumbers, self.change) = (keepsNumbers, change)
    self.status = status ?? ((found + strictly).isEmpty ? .completed : .negative)
  }

  var testDescription: String { (found + strictly).joined(separator: ", ") }

  /// The changed stream, numbered without gaps unless the change is about the numbers.
  var text: String {
    var lines = keepsNumbers ? LintStreams.numbered(stream) : stream
    change(&lines)
    return LintStreams.text(of: keepsNumbers ? lines : LintStreams.numbered(lines))
  }

  static let all = sequences + responses + items + values + lines

  private typealias Sound = LintStreams

  private static let sequences = [
    LintCase(Sound.function, ["3 sequence-gap"], keepsNumbers: true) {
      for line in 2...5 { $0.edit(line, "ber\":\(line)", "ber\":\(line + 1)") }
    },
    LintCase(Sound.function, ["4 sequence-repeat"], keepsNumbers: true) {
      $0.edit(2, "\"ab\"", "\"a\"")
      $0.insert($0[2].replacing("\"a\"", with: "\"b\""), at: 3)
    },
    LintCase(
      Sound.search, ["3 sequence-gap", "4 delta-after-done", "4 sequence-disorder"],
      keepsNumbers: true
    ) { $0.swapAt(2, 3) },
    // Behind one number that is too high, those that go on are in order.
    LintCase(Sound.function, ["3 sequence-gap", "4 sequence-disorder"], keepsNumbers: true) {
      $0.edit(2, "ber\":2", "ber\":900")
    },
    LintCase(Sound.function, [], strictly: ["1 sequence-gap"], keepsNumbers: true) {
      for line in 0...5 { $0.edit(line, "ber\":\(line)", "ber\":\(line + 1)") }
    },
  ]

  private static let responses = [
    LintCase(Sound.text, [], strictly: ["1 no-beginning"]) { $0.removeFirst() },
    LintCase(Sound.text, ["8 no-end"], status: .temporary) { $0.removeLast() },
    LintCase(
      Sound.text, ["8 no-end", "9 no-end"], strictly: ["9 sequence-gap"], status: .temporary
    ) { $0[8] = $0[0] },
    LintCase(Sound.text, [], strictly: ["1 no-beginning", "7 no-end"]) {
      $0 = Array($0[1...7])
    },
    LintCase(Sound.text, ["10 two-ends"]) { $0.append($0[8]) },
    LintCase(Sound.text, ["10 event-after-end"]) { $0 += [$0[3], $0[4]] },
    LintCase(Sound.function, [], strictly: ["6 output-missing"]) { $0[5] = Sound.completed("") },
    LintCase(Sound.function, ["6 output-mismatch"]) { $0.edit(5, "ab", "abc") },
    LintCase(Sound.function, ["6 output-mismatch"]) { $0.edit(5, "function_call", "message") },
    LintCase(Sound.function, ["6 output-mismatch"]) {
      $0.edit(5, "}]", "},{\"type\":\"message\"}]")
    },
    LintCase(Sound.function, [], strictly: ["6 id-mismatch"]) { $0.edit(5, "\"i\"", "\"j\"") },
    LintCase(Sound.function, [], strictly: ["6 id-mismatch"]) { $0.edit(5, "\"r\"", "\"s\"") },
  ]

  private static let items = [
    LintCase(Sound.function, ["3 added-twice"]) { $0.insert($0[1], at: 2) },
    LintCase(Sound.text, ["4 added-twice"]) { $0.insert($0[2], at: 3) },
    LintCase(Sound.function, ["2 delta-without-added"]) { $0.remove(at: 1) },
    LintCase(Sound.search, ["2 done-without-added"]) { $0.removeSubrange(1...2) },
    LintCase(Sound.text, ["3 delta-without-added"]) { $0.remove(at: 2) },
    LintCase(Sound.text, ["3 done-without-added"], strictly: ["3 done-without-delta"]) {
      $0.removeSubrange(2...5)
    },
    LintCase(Sound.summary, [], strictly: ["3 delta-without-added"]) { $0.remove(at: 2) },
    LintCase(Sound.function, ["5 added-without-done"]) { $0.remove(at: 4) },
    LintCase(Sound.text, ["7 added-without-done"]) { $0.remove(at: 6) },
    LintCase(Sound.shell, ["5 added-without-done"], strictly: ["5 delta-without-done"]) {
      $0.remove(at: 4)
    },
    LintCase(Sound.search, [], strictly: ["3 added-without-done"]) {
      $0 = [
        $0[0], Sound.added("mcp_list_tools"),
        $0[4].replacing("web_search_call", with: "mcp_list_tools"),
      ]
    },
    LintCase(Sound.text, ["2 delta-without-added"]) { $0 = [$0[0], $0[3], $0[4], $0[8]] },
    LintCase(Sound.reasoning, []) {
      for line in [2, 5, 6, 7] { $0.edit(line, "reasoning_text\",\"text", "new_text\",\"text") }
    },
    // Sound: a call of a program is left in progress, and an item can bring its parts.
    LintCase(Sound.function, [], strictly: ["5 item-status"]) {
      for line in 4...5 {
        $0.edit(
          line, "\"completed\",\"arg", "\"in_progress\",\"caller\":{\"type\":\"program\"},\"arg")
      }
    },
    LintCase(Sound.text, []) {
      $0.edit(
        1, "\"message\"", "\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"\"}]")
      $0.remove(at: 6)
      $0.remove(at: 2)
    },
    LintCase(Sound.search, ["4 item-status"]) { $0.edit(3, "\"completed\"", "\"failed\"") },
    LintCase(Sound.function, ["5 item-status"]) { $0.edit(4, "\"completed\"", "\"in_progress\"") },
    LintCase(Sound.function, ["3 item-type", "5 item-type"]) {
      $0.edit(1, "function_call", "message")
    },
    LintCase(Sound.function, [], strictly: ["3 id-mismatch"]) { $0.edit(2, "\"i\"", "\"j\"") },
    LintCase(Sound.function, ["2 index-gap"]) {
      for line in 1...4 { $0.edit(line, "output_index\":0", "output_index\":1") }
    },
    LintCase(Sound.text, [], strictly: ["3 index-gap"]) {
      for line in 2...6 { $0.edit(line, "content_index\":0", "content_index\":1") }
    },
    // Without indexes, items are told by their ids; and two parts of one index, by their lists.
    LintCase(
      Sound.function, [],
      strictly: ["2 missing-member", "3 missing-member", "4 missing-member", "5 missing-member"]
    ) {
      for line in 1...4 { $0.edit(line, "\"output_index\":0,", "") }
    },
    // An item under another index, and an index for another item.
    LintCase(Sound.search, ["5 added-twice"]) {
      let again = [$0[1], $0[3]].map { $0.replacing("output_index\":0", with: "output_index\":2") }
      $0.insert(contentsOf: again, at: 4)
    },
    LintCase(Sound.search, ["5 added-twice", "7 output-mismatch"]) {
      let other = [$0[1], $0[3]].map { $0.replacing("\"i\"", with: "\"j\"") }
      $0.insert(contentsOf: other, at: 4)
    },
    LintCase(Sound.shell, ["6 index-gap"]) {
      for line in 5...6 { $0.edit(line, "[\"ls\"]", "[\"ls\",\"\"]") }
      let other = [$0[2], $0[4].replacing("\"ls\"", with: "\"\"")]
      $0.insert(
        contentsOf: other.map {
          $0.replacing("index\":0,\"command\"", with: "index\":2,\"command\"")
        }, at: 5)
    },
  ]

  private static let values = [
    LintCase(Sound.text, ["6 text-mismatch"]) { $0.edit(4, "ude00", "ude01") },
    LintCase(Sound.refusal, ["5 refusal-mismatch"], status: .refusal) {
      $0.edit(3, "\"ab\"", "\"a\"")
    },
    LintCase(Sound.reasoning, ["5 reasoning-mismatch"]) { $0.edit(3, "\"ab\"", "\"abc\"") },
    LintCase(Sound.summary, ["5 summary-mismatch"]) { $0.edit(3, "\"ab\"", "\"a\"") },
    LintCase(Sound.function, ["4 arguments-mismatch"]) { $0.edit(2, "\"ab\"", "\"a\"") },
    LintCase(Sound.input, ["4 input-mismatch"]) { $0.edit(2, "\"ab\"", "\"a\"") },
    LintCase(Sound.code, ["4 code-mismatch"]) { $0.edit(2, "\"ab\"", "\"a\"") },
    LintCase(Sound.patch, ["4 diff-mismatch"]) { $0.edit(2, "\"ab\"", "\"a\"") },
    LintCase(Sound.shell, ["5 command-mismatch"]) { $0.edit(3, "\"ls\"", "\"l\"") },
    LintCase(Sound.text, ["7 text-mismatch"]) {
      for line in 6...8 { $0.edit(line, "😀", "😁") }
    },
    LintCase(Sound.function, ["5 arguments-mismatch"]) {
      for line in 4...5 { $0.edit(line, "\"ab\"", "null") }
    },
    LintCase(Sound.text, [], strictly: ["6 delta-without-done"]) { $0.remove(at: 5) },
    LintCase(Sound.function, [], strictly: ["3 done-without-delta"]) { $0.remove(at: 2) },
    LintCase(Sound.function, ["5 delta-after-done"]) { $0.insert($0[2], at: 4) },
    LintCase(Sound.function, ["5 done-twice"]) { $0.insert($0[3], at: 4) },
    LintCase(Sound.function, ["6 done-twice"]) { $0.insert($0[4], at: 5) },
  ]

  private static let lines = [
    LintCase(Sound.function, [], strictly: ["3 missing-member"]) {
      $0.edit(2, "\"item_id\":\"i\",", "")
    },
    LintCase(Sound.function, [], strictly: ["3 missing-member"]) { $0.insert("{\"a\":1}", at: 2) },
    LintCase(Sound.function, [], strictly: ["3 unknown-type"]) {
      $0.insert("{\"type\":\"response.new\"}", at: 2)
    },
    LintCase(Sound.function, []) { $0.insert("{\"type\":\"acme:new\"}", at: 2) },
    LintCase(Sound.function, ["3 not-json", "4 sequence-gap"], status: .badInput) {
      $0.insert("{\"a\"}", at: 2)
    },
  ]
}

extension [String] {
  /// Replaces `old`, which must be there, with `new` in the line at `index`.
  fileprivate mutating func edit(_ index: Int, _ old: String, _ new: String) {
    precondition(self[index].contains(old), "\(old) is not in \(self[index])")
    self[index] = self[index].replacing(old, with: new)
  }
}
