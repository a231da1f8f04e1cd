import Core

/// A line of a batch: a request, in the Batch API's form or as a prompt, and the name that its
/// answer gets.
struct BatchLine: Sendable {
  /// The name, with its JSON escapes decoded.
  let customID: [UInt8]
  let body: [UInt8]

  /// Reads `prompt`, which is line `number` of its file, and gets that as its name.
  init(prompt: Span<UInt8>, number: Int) throws(Failure) {
    if UTF8Repair.firstFault(in: prompt) != nil { throw .other("not UTF-8", .badInput) }
    customID = Array("\(number)".utf8)
    var text = [UInt8](copying: prompt)
    if text.last == ASCII.cr { text.removeLast() }
    body = JSONValue.object([("input", .string(text))]).line
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
