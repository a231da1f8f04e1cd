import Core

/// How citations are shown.
package enum CitationStyle: String, CaseIterable, Sendable {
  /// Not at all.
  case none
  /// Marks in the text, and a list of sources behind it.
  case footnotes
  /// The same, the list as link reference definitions of Markdown.
  case markdown
  /// The same, the list as a JSON object a line.
  case json
  /// The list alone, as footnotes, without the text.
  case only
}

/// Writes sources as lines.
struct CitationList {
  let style: CitationStyle

  /// Appends a line for `source`, without its end; `number` is that of its marks, `nil` when it was
  /// consulted only.
  func append(_ source: Citation, number: Int?, to output: inout [UInt8]) {
    switch style {
    case .json: appendJSON(source, number, to: &output)
    case .markdown: appendMarkdown(source, number, to: &output)
    case .none, .footnotes, .only: appendFootnote(source, number, to: &output)
    }
  }

  private func appendFootnote(_ source: Citation, _ number: Int?, to output: inout [UInt8]) {
    output.append(number.map { "[\($0)] " } ?? "* ")
    let title = Self.oneLine(source.title)
    let address = String(decoding: source.address, as: UTF8.self)
    if source.isURL {
      if !title.isEmpty { output.append(title + " ") }
      output.append("<\(Self.oneLine(address))>")
    } else if title.isEmpty || title == address {
      output.append(Self.oneLine(address))
    } else {
      output.append("\(title) (\(Self.oneLine(address)))")
    }
  }

  /// A link reference definition (CommonMark, section 4.7); for what was consulted only, a list
  /// item.
  private func appendMarkdown(_ source: Citation, _ number: Int?, to output: inout [UInt8]) {
    let title = Self.oneLine(source.title)
    if let number {
      output.append("[\(number)]: ")
      appendDestination(source, to: &output)
      if !title.isEmpty { output.append(" \"\(Self.escaped(title, "\"\\"))\"") }
    } else if title.isEmpty {
      output.append("* ")
      appendDestination(source, to: &output)
    } else {
      output.append("* [\(Self.escaped(title, "[]\\"))](")
      appendDestination(source, to: &output)
      output.append(")")
    }
  }

  /// What would end a destination between `<` and `>` is percent-encoded.
  private func appendDestination(_ source: Citation, to output: inout [UInt8]) {
    output.append("<")
    let container = source.container.isEmpty ? [] : Array((source.container + "/").utf8)
    for byte in container + source.address {
      switch byte {
      case UInt8(ascii: "<"): output.append("%3C")
      case UInt8(ascii: ">"): output.append("%3E")
      case UInt8(ascii: "\\"): output.append("%5C")
      case 0...ASCII.space, 0x7F: output.append("%20")
      default: output.append(byte)
      }
    }
    output.append(">")
  }

  private func appendJSON(_ source: Citation, _ number: Int?, to output: inout [UInt8]) {
    var line = JSONValue.object([
      ("n", number.map { .integer($0) } ?? .null), ("cited", .bool(number != nil)),
      ("type", source.type.isEmpty ? .null : .text(source.type)),
    ])
    let member = source.addressMember.description
    line[member] = .string(source.address)
    if !source.container.isEmpty { line["container_id"] = .text(source.container) }
    if !source.title.isEmpty, member != "filename" {
      line[source.isURL ? "title" : "filename"] = .text(source.title)
    }
    line.write(into: &output)
  }

  /// `text` with each run of white space and control characters as one space.
  private static func oneLine(_ text: String) -> String {
    text.unicodeScalars.split { $0.value <= 0x20 || 0x7F...0xA0 ~= $0.value }
      .map(String.init).joined(separator: " ")
  }

  private static func escaped(_ text: String, _ special: String) -> String {
    text.unicodeScalars.reduce(into: "") { made, scalar in
      if special.unicodeScalars.contains(scalar) { made.append("\\") }
      made.unicodeScalars.append(scalar)
    }
  }
}
