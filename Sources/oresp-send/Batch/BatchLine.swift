import Core

/// A line of a batch, in the Batch API's form: a request and the name that its answer is told by.
struct BatchLine: Sendable {
  /// The name, without the escapes that it is spelled with.
  let customID: [UInt8]
  let body: [UInt8]

  /// Reads `line`, a request to the endpoint at `path`.
  init(_ line: Span<UInt8>, for path: String) throws(Failure) {
    func broken(_ why: String) -> Failure { .other(why, .badInput) }
    if UTF8Repair.firstFault(in: line) != nil { throw broken("not UTF-8") }
    if let expected = JSONScanner.fault(in: line) { throw broken("not JSON: \(expected)") }
    guard LineShape.isObject(line) else { throw broken("expected a JSON object") }
    guard let name = JSONChildren.string(of: "custom_id", in: line), !name.isEmpty else {
      throw broken("expected a custom_id")
    }
    let method = JSONChildren.text(of: "method", in: line)
    guard ["", "POST"].contains(method) else { throw broken("expected the method POST") }
    let url = JSONChildren.text(of: "url", in: line)
    guard ["", path, "/v1" + path].contains(url) else {
      throw broken("expected the url /v1\(path), got \(url)")
    }
    guard let place = JSONChildren.value(of: "body", in: line),
      line[place.lowerBound] == ASCII.openBrace
    else { throw broken("expected a body, an object") }
    (customID, body) = (name, [UInt8](copying: line.extracting(place)))
  }

  /// The line of a request for `body` to the endpoint at `path`.
  static func text(customID: [UInt8], path: String, body: JSONValue) -> [UInt8] {
    let members: JSONValue.Members = [
      ("custom_id", .string(customID)), ("method", "POST"), ("url", .text("/v1" + path)),
      ("body", body),
    ]
    return JSONValue.object(members).line
  }
}

/// Cuts a file into its lines, and holds no more of it than one read and the line that was begun.
struct LineInput: ~Copyable {
  /// The longest line that is taken.
  private static let limit = 256 << 20

  let file: Descriptor
  private var input = InputBuffer()
  /// How many of the unused bytes have no line end.
  private var searched = 0
  /// The number of the last line that was given, from 1.
  private(set) var number = 0
  private(set) var isAtEnd = false

  init(_ file: consuming Descriptor) { self.file = file }

  /// How many bytes of the file the lines had that were given.
  var offset: Int { input.offset(of: input.start) }

  /// Whether a read would not have to wait.
  var isReady: Bool { !file.isIdle(until: 0) }

  /// Reads once.
  mutating func read() throws(Failure) {
    isAtEnd = try file.read(into: &input) == 0
    guard input.count <= Self.limit else {
      throw .other("\(file.name): line \(number + 1) is longer than \(Self.limit) bytes", .badInput)
    }
  }

  /// The next line of what was read, without its line end; at the end of the file what is left.
  mutating func next() -> [UInt8]? {
    let count = endOfLine
    guard count != nil || isAtEnd && input.count > 0 else {
      searched = input.count
      return nil
    }
    let line = Array(input.bytes[input.start..<input.start + (count ?? input.count)])
    input.start += line.count + (count == nil ? 0 : 1)
    searched = 0
    number += 1
    return line
  }

  /// How many bytes stand before the next line end, if there is one.
  private var endOfLine: Int? {
    input.bytes.span.extracting(input.start..<input.end).firstIndex(of: ASCII.lf, from: searched)
  }
}
