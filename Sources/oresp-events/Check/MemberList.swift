import Core

/// The members that an object must have, and of what type the value of each is.
struct MemberList: Sendable {
  /// What is wrong with one of them.
  struct Fault {
    let name: String
    /// What stands for it that may not; `nil` when it is missing.
    let got: String?
    let expected: String
  }

  private enum Kind: String {
    case string = "a string"
    case integer = "an integer"
    case number = "a number"
    case boolean = "true or false"
    case object = "an object"
    case array = "an array"
    case null = "null"

    /// The kind that `type` is, as the catalogue of events spells it.
    init(_ type: Substring) {
      switch type {
      case "string": self = .string
      case "integer": self = .integer
      case "number": self = .number
      case "boolean": self = .boolean
      case "null": self = .null
      default: self = type.hasPrefix("[") ? .array : .object
      }
    }

    /// That of `value`.
    init(of value: Span<UInt8>) {
      switch value[0] {
      case ASCII.quote: self = .string
      case ASCII.openBrace: self = .object
      case ASCII.openBracket: self = .array
      case UInt8(ascii: "n"): self = .null
      case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
      default: self = JSONNumber.integer(value) == nil ? .number : .integer
      }
    }
  }

  /// Their names and kinds; of one that can be anything, no kind.
  private let members: [(name: [UInt8], kinds: [Kind])]

  /// Reads `fields` as the catalogue of events has them, `name:type|type` with commas between;
  /// `marked` says that only those with `!` behind must be there.
  init(_ fields: String, marked: Bool = false) {
    members = Self.cut(fields).filter { !marked || $0.hasSuffix("!") }.map { field in
      let parts = field.split(separator: ":", maxSplits: 1)
      let types = (parts.last ?? "").split { $0 == "|" || $0 == "!" }
      return (Array(parts[0].utf8), types.contains("unknown") ? [] : types.map(Kind.init))
    }
  }

  /// What is wrong with `object`; of members of one name the first counts.
  func faults(in object: Span<UInt8>) -> [Fault] {
    // A bit for each that did not come yet.
    var left = 1 << members.count - 1
    var faults: [Fault] = []
    var children = JSONChildren()
    while left != 0, let child = children.next(in: object) {
      let spelled = object.extracting(child.name)
      let index =
        child.hasEscapedName
        ? place(of: JSONString.decoded(inside: spelled).span, left) : place(of: spelled, left)
      guard let index else { continue }
      left &= ~(1 << index)
      let value = object.extracting(child.value)
      let (kind, kinds) = (Kind(of: value), members[index].kinds)
      let isFit = kinds.contains(kind) || kind == .integer && kinds.contains(.number)
      if isFit || kinds.isEmpty { continue }
      faults.append(fault(index, kind == .number ? String(decoding: value) : kind.rawValue))
    }
    return members.indices.filter { left & 1 << $0 != 0 }.map { fault($0, nil) } + faults
  }

  /// What `faults` are in words; `nil` when there are none.
  static func words(of faults: [Fault]) -> String? {
    let missing = faults.filter { $0.got == nil }.map(\.name)
    let no = missing.isEmpty ? [] : ["no " + missing.joined(separator: ", ")]
    let words = no + faults.compactMap { fault in fault.got.map { "\($0) as \(fault.name)" } }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  private func fault(_ index: Int, _ got: String?) -> Fault {
    let kinds = members[index].kinds.map(\.rawValue).joined(separator: " or ")
    return Fault(
      name: String(decoding: members[index].name, as: UTF8.self), got: got, expected: kinds)
  }

  private func place(of name: Span<UInt8>, _ left: Int) -> Int? {
    for (index, member) in members.enumerated() where left & 1 << index != 0 {
      let known = member.name
      if name.equals(known.span) { return index }
    }
    return nil
  }

  /// `text`, cut at the commas that stand in no bracket.
  private static func cut(_ text: String) -> [Substring] {
    var depth = 0
    return text.split { character in
      if "([{".contains(character) { depth += 1 }
      if ")]}".contains(character) { depth -= 1 }
      return character == "," && depth == 0
    }.map { $0.drop { $0.isWhitespace } }
  }
}
