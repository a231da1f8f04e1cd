import Core

/// A way to show citations.
package enum CitationStyle: String, CaseIterable, Sendable {
  /// Not at all.
  case none
  /// Marks in the text, and a list of sources behind it.
  case footnotes
  /// The same, the list as link reference definitions of Markdown.
  case markdown
  /// Marks and a list, whose lines are JSON objects.
  case json
  /// The list alone, as footnotes, without the text.
  case only
}

extension CitationStyle {
  /// Its purpose, for `-c help`.
  var help: String {
    switch self {
    case .none: "no marks and no list (the default)"
    case .footnotes: "marks, and a list of numbers, titles and URLs or files"
    case .markdown: "marks, and a list of link reference definitions"
    case .json: "marks, and a list of JSON objects"
    case .only: "the list of footnotes without the text"
    }
  }
}

extension Citation {
  /// Appends the source as a line of a list in `style`, without its end; `number` is the number in
  /// its marks, `nil` when it was consulted only.
  func appendLine(in style: CitationStyle, number: Int?, to output: inout [UInt8]) {
    switch style {
    case .json: json(number).write(into: &output)
    case .markdown: output.append(markdown(number))
    case .none, .footnotes, .only: output.append(footnote(number))
    }
  }

  private func footnote(_ number: Int?) -> String {
    let title = Self.oneLine(title)
    let address = Self.oneLine(String(decoding: address, as: UTF8.self))
    var words = [number.map { "[\($0)]" } ?? "*"]
    if !title.isEmpty, isURL || title != address { words.append(title) }
    words.append(isURL ? "<\(address)>" : words.count > 1 ? "(\(address))" : address)
    return words.joined(separator: " ")
  }

  /// A link reference definition (CommonMark, section 4.7); without a number, a list item.
  private func markdown(_ number: Int?) -> String {
    let title = Self.oneLine(title)
    if let number {
      let quoted = title.isEmpty ? "" : " \"\(Self.escaped(title, "\"\\"))\""
      return "[\(number)]: \(destination)\(quoted)"
    }
    return title.isEmpty ? "* \(destination)" : "* [\(Self.escaped(title, "[]\\"))](\(destination))"
  }

  /// The address between `<` and `>`; bytes that would end it are percent-encoded.
  private var destination: String {
    var bytes: [UInt8] = []
    for byte in Array((container.isEmpty ? "" : container + "/").utf8) + address {
      switch byte {
      case UInt8(ascii: "<"): bytes.append("%3C")
      case UInt8(ascii: ">"): bytes.append("%3E")
      case UInt8(ascii: "\\"): bytes.append("%5C")
      case 0...ASCII.space, 0x7F: bytes.append("%20")
      default: bytes.append(byte)
      }
    }
    return "<\(String(decoding: bytes, as: UTF8.self))>"
  }

  private func json(_ number: Int?) -> JSONValue {
    var line = JSONValue.object([
      ("n", number.map { .integer($0) } ?? .null), ("cited", .bool(number != nil)),
      ("type", type ?? .null),
    ])
    let member = addressMember.description
    line[member] = .string(address)
    if !container.isEmpty { line["container_id"] = .text(container) }
    if !title.isEmpty, member != "filename" {
      line[isURL ? "title" : "filename"] = .text(title)
    }
    return line
  }

  /// `text` with one space for each run of white space and control characters.
  private static func oneLine(_ text: String) -> String {
    text.unicodeScalars.split { $0.value <= 0x20 || 0x7F...0xA0 ~= $0.value }
      .map(String.init).joined(separator: " ")
  }

  /// `text` with a backslash before each of the characters in `special`.
  private static func escaped(_ text: String, _ special: String) -> String {
    text.unicodeScalars.reduce(into: "") { made, scalar in
      if special.unicodeScalars.contains(scalar) { made.append("\\") }
      made.unicodeScalars.append(scalar)
    }
  }
}
