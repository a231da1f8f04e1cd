import Core

/// How citations are shown.
package enum CitationStyle: String, CaseIterable, Sendable {
  /// Not at all.
  case none
  /// Marks in the text, and a list of sources behind it.
  case footnotes
  /// The same, the list as link reference definitions of Markdown.
  case markdown
  /// Footnotes of GitHub's Markdown, in place of the model's own links.
  case gfm
  /// Marks and a list, that as a JSON object a line.
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
    case .gfm: output.append(Self.gfm(source, number))
    case .markdown: output.append(Self.markdown(source, number))
    case .none, .footnotes, .only: output.append(Self.footnote(source, number))
    }
  }

  private static func footnote(_ source: Citation, _ number: Int?) -> String {
    let title = oneLine(source.title)
    let address = oneLine(String(decoding: source.address, as: UTF8.self))
    var words = [number.map { "[\($0)]" } ?? "*"]
    if !title.isEmpty, source.isURL || title != address { words.append(title) }
    words.append(source.isURL ? "<\(address)>" : words.count > 1 ? "(\(address))" : address)
    return words.joined(separator: " ")
  }

  /// A link reference definition (CommonMark, section 4.7); for what was consulted only, a list
  /// item.
  private static func markdown(_ source: Citation, _ number: Int?) -> String {
    let title = oneLine(source.title)
    let place = destination(of: source)
    if let number {
      return "[\(number)]: \(place)" + (title.isEmpty ? "" : " \"\(escaped(title, "\"\\"))\"")
    }
    return title.isEmpty ? "* \(place)" : "* [\(escaped(title, "[]\\"))](\(place))"
  }

  /// A footnote of GitHub's Markdown.
  private static func gfm(_ source: Citation, _ number: Int?) -> String {
    let item = markdown(source, nil)
    return number.map { "[^\($0)]:" + item.dropFirst() } ?? item
  }

  /// What would end a destination between `<` and `>` is percent-encoded.
  private static func destination(of source: Citation) -> String {
    let container = source.container.isEmpty ? [] : Array((source.container + "/").utf8)
    var place: [UInt8] = []
    for byte in container + source.address {
      switch byte {
      case UInt8(ascii: "<"): place.append("%3C")
      case UInt8(ascii: ">"): place.append("%3E")
      case UInt8(ascii: "\\"): place.append("%5C")
      case 0...ASCII.space, 0x7F: place.append("%20")
      default: place.append(byte)
      }
    }
    return "<\(String(decoding: place, as: UTF8.self))>"
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
