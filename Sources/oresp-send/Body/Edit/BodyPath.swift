import Core

/// The path of a value in a request. `tools[-1].filters` has the steps `.member("tools")`,
/// `.element(-1)` and `.member("filters")`.
struct BodyPath: Sendable {
  enum Step: Sendable {
    case member(String)
    /// An index in an array; a negative one counts from the end.
    case element(Int)
    /// The index behind the last element of an array.
    case append
  }

  /// A limit for recursion; no request is as deep.
  static let mostSteps = 32

  let steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  /// The path of `names`, with dots between.
  init(members names: String) { steps = names.split(separator: ".").map { .member(String($0)) } }

  func appending(_ step: Step) -> BodyPath { BodyPath(steps + [step]) }

  /// The names of its members; indices are left out.
  var names: [String] {
    steps.compactMap { step in if case .member(let name) = step { name } else { nil } }
  }

  /// The path as people type it.
  var text: String { text(of: steps.count) }

  /// The first `count` steps as people type them.
  func text(of count: Int) -> String {
    var text = ""
    for step in steps.prefix(count) {
      switch step {
      case .member(let name): text += (text.isEmpty ? "" : ".") + Self.typed(name)
      case .element(let index): text += "[\(index)]"
      case .append: text += "[+]"
      }
    }
    return text
  }

  private static func typed(_ name: String) -> String {
    guard name.isEmpty || name.utf8.contains(where: BodyPathParser.ends) else { return name }
    return String(decoding: JSONValue.text(name).line, as: UTF8.self)
  }
}

/// Reads paths as people type them: `tools[0].filters`, `input[-1]`, `tools[+]`, `metadata."a.b"`
/// or `metadata["a.b"]`. A path of jq begins with a dot.
struct BodyPathParser {
  private let bytes: [UInt8]
  private var index = 0

  /// Reads a path, and the value behind `=`; `nil` without a `=`.
  static func split(_ text: String) throws(Failure) -> (path: BodyPath, value: String?) {
    var parser = BodyPathParser(bytes: Array(text.utf8))
    let path = BodyPath(try parser.steps())
    guard parser.skip("=") else { return (path, nil) }
    return (path, String(decoding: parser.bytes[parser.index...], as: UTF8.self))
  }

  /// Whether `byte` ends a name that has no quotes.
  static func ends(_ byte: UInt8) -> Bool { #".=[]""#.utf8.contains(byte) }

  private mutating func steps() throws(Failure) -> [BodyPath.Step] {
    _ = skip(".")
    guard next != ASCII.openBracket || bytes.dropFirst(index + 1).first == ASCII.quote else {
      throw fault("a request is an object: expected a name")
    }
    var steps = [try step()]
    while let byte = next, byte != UInt8(ascii: "=") {
      guard steps.count < BodyPath.mostSteps else {
        throw fault("expected \(BodyPath.mostSteps) steps at most")
      }
      guard skip(".") || byte == ASCII.openBracket else { throw fault("expected . or [ or =") }
      steps.append(try step())
    }
    return steps
  }

  /// Reads a name, or a name or an index in brackets.
  private mutating func step() throws(Failure) -> BodyPath.Step {
    if next == ASCII.quote { return .member(try quoted()) }
    if skip("[") {
      let step = next == ASCII.quote ? BodyPath.Step.member(try quoted()) : try place()
      guard skip("]") else { throw fault("expected ]") }
      return step
    }
    let name = bytes[index...].prefix { !Self.ends($0) }
    guard !name.isEmpty else { throw fault("expected a name") }
    index = name.endIndex
    return .member(String(decoding: name, as: UTF8.self))
  }

  private mutating func place() throws(Failure) -> BodyPath.Step {
    if skip("+") { return .append }
    let digits = bytes[index...].prefix { $0 != ASCII.closeBracket }
    let isNumber = digits.drop { $0 == ASCII.minus }.allSatisfy(ASCII.isDigit)
    guard isNumber, let number = Int(String(decoding: digits, as: UTF8.self)),
      number.magnitude <= Int32.max
    else { throw fault("expected a place such as 0 or -1, + to append, or a name in quotes") }
    index = digits.endIndex
    return .element(number)
  }

  private mutating func quoted() throws(Failure) -> String {
    guard let end = JSONChildren.endOfValue(bytes.span, at: index) else {
      throw fault("expected a name in quotes, spelled as JSON")
    }
    defer { index = end }
    return JSONString.text(bytes.span.extracting(index..<end))
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Skips `character`. False if it does not come next.
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private func fault(_ why: String) -> Failure {
    let place = String(decoding: bytes[..<index], as: UTF8.self).count + 1
    return .usage("\(String(decoding: bytes, as: UTF8.self)): character \(place): \(why)")
  }
}
