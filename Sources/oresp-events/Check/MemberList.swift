import Core

/// The members that an object must have, and the kinds that the value of each may be.
struct MemberList: Sendable {
  /// A member that is missing or wrong.
  struct Fault {
    let name: String
    /// The value that it has, in words; `nil` when it is missing.
    let got: String?
    /// The values that it may have, in words.
    var expected = ""
  }

  /// A kind of value, as the catalogue of events calls it.
  private enum Kind: String {
    case string, integer, number, boolean, object, array, null

    /// The kind of `value`.
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

    /// A value of the kind, in words.
    var words: String {
      switch self {
      case .integer, .object, .array: "an \(rawValue)"
      case .boolean: "true or false"
      case .null: "null"
      case .string, .number: "a \(rawValue)"
      }
    }
  }

  private struct Member {
    let name: String
    /// Empty when it may be anything.
    let kinds: [Kind]

    /// Reads `field`: `param:string|null`.
    init(_ field: Substring) {
      let parts = field.split(separator: ":", maxSplits: 1)
      name = String(parts[0])
      kinds = (parts.count > 1 ? parts[1] : "").split(separator: "|").compactMap { type in
        // [Tool] and {id;name} are spelled out, and Response is an object, too.
        type == "unknown"
          ? nil : Kind(rawValue: String(type)) ?? (type.hasPrefix("[") ? .array : .object)
      }
    }

    /// The fault of `value`, if it is none that it may have.
    func fault(of value: Span<UInt8>) -> Fault? {
      let kind = Kind(of: value)
      let isNumber = kind == .integer && kinds.contains(.number)
      if kinds.isEmpty || isNumber || kinds.contains(kind) { return nil }
      let got = kind == .number ? String(decoding: value) : kind.words
      let expected = kinds.map(\.words).joined(separator: " or ")
      return Fault(name: name, got: got, expected: expected)
    }
  }

  private let members: [Member]

  /// Reads `fields` as the catalogue of events has them, `name:type|type` with commas between; with
  /// `marked` only those with `!` behind are in the list.
  init(_ fields: StaticString, marked: Bool = false) {
    let all = fields.description.split(separator: ",").map { field in
      field.drop { $0 == " " || $0 == "\n" }
    }
    members = all.compactMap { field in
      guard marked else { return Member(field) }
      return field.hasSuffix("!") ? Member(field.dropLast()) : nil
    }
  }

  /// The faults of the members of `line`, the line of `event`, or of the object at `place` in it.
  /// Of members of one name the first counts.
  func faults(
    in event: borrowing Event, inside place: Range<Int>? = nil, of line: Span<UInt8>
  ) -> [Fault] {
    var left = Array(members.indices)
    var wrong: [Fault] = []
    func check(_ name: Span<UInt8>, _ value: Span<UInt8>) {
      let name = JSONString.text(inside: name)
      guard let place = left.firstIndex(where: { members[$0].name == name }) else { return }
      if let fault = members[left.remove(at: place)].fault(of: value) { wrong.append(fault) }
    }
    if let place {
      event.members.each(inside: place, of: line, check)
    } else {
      event.members.each(in: line, check)
    }
    return left.map { Fault(name: members[$0].name, got: nil) } + wrong
  }
}

extension [MemberList.Fault] {
  /// The faults in words; `nil` when there are none.
  var words: String? {
    let missing = filter { $0.got == nil }.map(\.name).joined(separator: ", ")
    let wrong = compactMap { fault in fault.got.map { "\($0) as \(fault.name)" } }
    let all = (missing.isEmpty ? [] : ["no " + missing]) + wrong
    return all.isEmpty ? nil : all.joined(separator: ", ")
  }
}
