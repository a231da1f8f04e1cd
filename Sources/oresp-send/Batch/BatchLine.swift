import Core

/// A line of a batch: a request, in the Batch API's form or as a prompt, and the name that its
/// answer gets.
struct BatchLine: Sendable {
  /// The name, with its JSON escapes decoded.
  let customID: [UInt8]
  let body: [UInt8]
  /// The digest of a prompt, by which one that has changed is known; `nil` for a request.
  let digest: String?

  /// Reads `prompt`, which is line `number` of its file, and gets that as its name.
  init(prompt: Span<UInt8>, number: Int) throws(Failure) {
    if UTF8Repair.firstFault(in: prompt) != nil { throw .other("not UTF-8", .badInput) }
    customID = Self.name(ofPrompt: number)
    var text = [UInt8](copying: prompt)
    if text.last == ASCII.cr { text.removeLast() }
    body = JSONValue.object([("input", .string(text))]).line
    digest = Self.digest(of: text)
  }

  /// The name of the prompt in line `number`.
  static func name(ofPrompt number: Int) -> [UInt8] { Array("\(number)".utf8) }

  /// The name in `line`, as far as it is read: an object that may be broken. `nil` for none.
  static func name(in line: Span<UInt8>) -> [UInt8]? {
    guard UTF8Repair.isValid(line), line[line.trimmed().lowerBound] == ASCII.openBrace,
      let name = JSONChildren.string(of: "custom_id", in: line), !name.isEmpty
    else { return nil }
    return name
  }

  /// Eight hexadecimal digits of the hash FNV-1a of `text`.
  private static func digest(of text: [UInt8]) -> String {
    let hash = text.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }

  /// Reads `line`, a request to the endpoint at `path`.
  init(_ line: Span<UInt8>, for path: String) throws(Failure) {
    func broken(_ why: String) -> Failure { .other(why, .badInput) }
    if UTF8Repair.firstFault(in: line) != nil { throw broken("not UTF-8") }
    guard line[line.trimmed().lowerBound] == ASCII.openBrace else {
      throw broken("expected a JSON object")
    }
    if let expected = JSONScan.fault(in: line) { throw broken("not JSON: \(expected)") }
    guard let name = JSONChildren.string(of: "custom_id", in: line), !name.isEmpty else {
      throw broken("expected a custom_id: write " + Self.example(for: path))
    }
    let method = JSONChildren.text(of: "method", in: line)
    guard ["", "POST"].contains(method) else { throw broken("expected the method POST") }
    let url = JSONChildren.text(of: "url", in: line)
    guard ["", path, "/v1" + path].contains(url) else {
      throw broken("expected the url /v1\(path), got \(url)")
    }
    guard let place = JSONChildren.value(of: "body", in: line),
      line[place.lowerBound] == ASCII.openBrace
    else { throw broken("expected a body, an object: write " + Self.example(for: path)) }
    (customID, body) = (name, [UInt8](copying: line.extracting(place)))
    digest = nil
  }

  /// The result of line `number`, a prompt with `digest` or a request, that is called `customID`, if
  /// it has a name: its `response`, or else an `error`.
  static func result(
    _ number: Int, _ digest: String?, customID: [UInt8]?, response: JSONValue? = nil,
    error: JSONValue?
  ) -> [UInt8] {
    let id = "batch_req_\(number)" + (digest.map { "_" + $0 } ?? "")
    let members: JSONValue.Members = [
      ("id", .text(id)), ("custom_id", customID.map(JSONValue.string) ?? .null),
      ("response", response ?? .null), ("error", error ?? .null),
    ]
    return JSONValue.object(members).line
  }

  /// A line that is right, for messages.
  private static func example(for path: String) -> String {
    #"{"custom_id":"1","body":\#(path == "/responses" ? #"{"input":"Why?"}"# : "{}")}"#
  }

  /// The line of a request that sends `body` to the endpoint at `path`.
  static func text(customID: [UInt8], path: String, body: JSONValue) -> [UInt8] {
    let members: JSONValue.Members = [
      ("custom_id", .string(customID)), ("method", "POST"), ("url", .text("/v1" + path)),
      ("body", body),
    ]
    return JSONValue.object(members).line
  }
}
