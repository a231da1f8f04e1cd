/// An output item, as far as pieces of a message of Chat Completions have made it.
struct ChatItem {
  typealias Members = [(name: String, value: JSONValue)]
  /// The type of an event without `response.`, and its members.
  typealias Change = (type: String, said: Members)

  /// `message`, `reasoning` or `function_call`.
  let type: String
  let id: String
  /// Members beside the content, such as the name of a call or encrypted reasoning.
  var members: JSONValue
  var parts: [ChatPart] = []
  /// Whether it has something that no event has.
  var isChanged = false
  /// Whether the events of its start and its end were taken.
  private var isStarted = false
  private var isEnded = false

  init(_ type: String, id: String, _ members: JSONValue) {
    self.type = type
    self.id = id
    self.members = members
    if isCall { parts = [ChatPart(type: "function_call_arguments")] }
  }

  var isCall: Bool { type == "function_call" }
  /// The id and the name of a call; empty for another item.
  var callID: [UInt8] { members["call_id"]?.string ?? [] }
  var name: [UInt8] { members["name"]?.string ?? [] }
  var hasText: Bool { parts.contains { !$0.isEmpty } }
  /// Whether more of a call's name may come.
  var mayLackName: Bool { isCall && !isStarted && !hasText }
  /// The number of bytes of its texts.
  var size: Int { parts.reduce(0) { $0 + $1.count } }

  /// Joins `piece` to the name of a call. Some servers send the name in pieces, others repeat it,
  /// whole, with each piece of the arguments.
  mutating func join(name piece: [UInt8]) {
    guard !piece.isEmpty, !hasText else { return }
    members["name"] = .string(piece.starts(with: name) ? piece : name + piece)
  }

  /// Takes the next event of it, item `index`; `nil` when there is none. With the status of its end
  /// the events of that follow.
  mutating func take(_ index: Int, end status: String? = nil) -> Change? {
    if !isStarted {
      isStarted = true
      let start = json("in_progress")
      return ("output_item.added", [("output_index", .integer(index)), ("item", start)])
    }
    for part in parts.indices {
      guard let (type, said) = parts[part].take(isOver: status != nil) else { continue }
      var about: Members = [("item_id", .text(id)), ("output_index", .integer(index))]
      if !isCall { about.append(("content_index", .integer(part))) }
      if isCall, status != nil { about.append(("name", .string(name))) }
      return (type, about + said)
    }
    guard let status, !isEnded else { return nil }
    isEnded = true
    return ("output_item.done", [("output_index", .integer(index)), ("item", json(status))])
  }

  /// Moves the texts that `line`, an event of the type `type` on its end, repeats into that, so
  /// that they are held once.
  mutating func move(into line: [UInt8], _ type: String) {
    let bytes = line.span
    if type == "output_item.done" {
      let item = JSONChildren.value(of: "item", in: bytes).map { [$0] } ?? []
      let objects = isCall ? item : JSONChildren.elements(at: ["item", "content"], in: bytes)
      for (part, object) in zip(parts.indices, objects) {
        parts[part].move(into: line, at: object.lowerBound)
      }
    } else if let part = parts.lastIndex(where: \.isClosed) {
      let isPart = type == "content_part.done"
      let object = isPart ? JSONChildren.value(of: "part", in: bytes) : nil
      parts[part].move(into: line, at: object?.lowerBound ?? 0)
    }
  }

  /// The item with `status`; in progress, it has no content yet.
  func json(_ status: String) -> JSONValue {
    let isOpen = status == "in_progress"
    var item: JSONValue = ["id": "\(id)", "type": "\(type)", "status": "\(status)"]
    if type == "message" { item["role"] = "assistant" }
    if type == "reasoning" { item["summary"] = [] }
    if !isCall { item["content"] = .array(isOpen ? [] : parts.map(\.json)) }
    for (name, value) in members.members where isCall || !isOpen { item[name] = value }
    if isCall { item["arguments"] = isOpen ? "" : parts.first?.text }
    return item
  }
}
