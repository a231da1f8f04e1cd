import Core

/// The members that an object must have, and the kinds that the value of each may be.
struct MemberList: Sendable {
  /// A member that is missing or wrong.
  struct Fault {
    /// Its place in the list.
    let member: Int
    /// The value that it has, in words; `nil` when it is missing.
    let got: String?
  }

  /// The kinds that a value can be.
  private struct Kinds: OptionSet, Sendable {
    let rawValue: UInt8

    /// The name of each bit in the catalogue of events, and in words.
    private static let names: [(spelled: StaticString, words: String)] = [
      ("string", "a string"), ("integer", "an integer"), ("number", "a number"),
      ("boolean", "true or false"), ("object", "an object"), ("array", "an array"),
      ("null", "null"),
    ]

    static let string = Kinds(rawValue: 1)
    static let integer = Kinds(rawValue: 2)
    static let number = Kinds(rawValue: 4)
    static let boolean = Kinds(rawValue: 8)
    static let object = Kinds(rawValue: 16)
    static let array = Kinds(rawValue: 32)
    static let null = Kinds(rawValue: 64)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The kind called `type` in the catalogue of events; none for `unknown`, which any value is.
    init(_ type: Span<UInt8>) {
      var kinds: Kinds = type.byte(at: 0) == ASCII.openBracket ? .array : .object
      if type.equals("unknown") { kinds = [] }
      for (bit, name) in Self.names.enumerated() where type.equals(name.spelled) {
        kinds = Kinds(rawValue: 1 << bit)
      }
      // An integer is a number.
      if kinds == .number { kinds.insert(.integer) }
      self = kinds
    }

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

    var text: String {
      let kinds = contains(.number) ? subtracting(.integer) : self
      return Self.names.enumerated().filter { kinds.rawValue & 1 << $0.offset != 0 }
        .map(\.element.words).joined(separator: " or ")
    }
  }

  private struct Member {
    var name: Range<Int>
    /// Empty when it may be anything.
    var kinds: Kinds = []
  }

  private var names: [UInt8] = []
  private var members: [Member] = []

  /// Reads `fields` as the catalogue of events has them, `name:type|type` with commas between; with
  /// `marked` only those with `!` behind are in the list.
  init(_ fields: StaticString, marked: Bool = false) {
    names.append(fields)
    let bytes = names
    let text = bytes.span
    var (start, depth) = (0, 0)
    for index in 0...text.count {
      switch text.byte(at: index) {
      case ASCII.openBrace, ASCII.openBracket, UInt8(ascii: "("): depth += 1
      case ASCII.closeBrace, ASCII.closeBracket, UInt8(ascii: ")"): depth -= 1
      case ASCII.comma where depth == 0, 0:
        if !marked || index > start && text[index - 1] == UInt8(ascii: "!") {
          add(start..<index, of: text)
        }
        start = index + 1
      default: break
      }
    }
  }

  /// Adds the field at `place` of `text`.
  private mutating func add(_ place: Range<Int>, of text: Span<UInt8>) {
    let field = text.extracting(place)
    let start = field.trimmed().lowerBound
    let colon = field.firstIndex(of: ASCII.colon) ?? field.count
    var member = Member(name: place.lowerBound + start..<place.lowerBound + colon)
    var type = colon + 1
    for index in type...max(type, field.count)
    where index >= field.count || [UInt8(ascii: "|"), UInt8(ascii: "!")].contains(field[index]) {
      if index > type { member.kinds.formUnion(Kinds(field.extracting(type..<index))) }
      type = index + 1
    }
    members.append(member)
  }

  /// The faults of the members of `line`, the line of `event`, or of the object at `place` in it.
  /// Of members of one name the first counts.
  func faults(
    in event: borrowing Event, inside place: Range<Int>? = nil, of line: Span<UInt8>
  ) -> [Fault] {
    // A bit for each member that did not come yet.
    var (left, faults): (UInt64, [Fault]) = (1 << UInt64(members.count) - 1, [])
    if let place {
      event.members.each(inside: place, of: line) { check($0, $1, &left, &faults) }
    } else {
      event.members.each(in: line) { check($0, $1, &left, &faults) }
    }
    if left == 0 { return faults }
    let missing = members.indices.filter { left & 1 << $0 != 0 }
    return missing.map { Fault(member: $0, got: nil) } + faults
  }

  /// Checks one member, and takes its bit from `left`.
  private func check(
    _ name: Span<UInt8>, _ value: Span<UInt8>, _ left: inout UInt64, _ faults: inout [Fault]
  ) {
    guard let index = index(of: name), left & 1 << index != 0 else { return }
    left &= ~(1 << index)
    let (kind, kinds) = (Kinds(of: value), members[index].kinds)
    if kinds.isEmpty || kinds.contains(kind) { return }
    let got = kind == .number ? String(decoding: value) : kind.text
    faults.append(Fault(member: index, got: got))
  }

  func name(of fault: Fault) -> String {
    String(decoding: names.span.extracting(members[fault.member].name))
  }

  /// The place of the member `name`, which is in the list.
  func index(of name: StaticString) -> Int {
    members.firstIndex { names.span.extracting($0.name).equals(name) } ?? 0
  }

  /// The kinds that its value may be, in words.
  func kinds(of fault: Fault) -> String { members[fault.member].kinds.text }

  /// The member whose name is spelled `name`.
  private func index(of name: Span<UInt8>) -> Int? {
    // Names are searched as they are spelled first: hardly any has a backslash.
    index(ofText: name)
      ?? (name.firstIndex(of: ASCII.backslash) == nil
        ? nil : index(ofText: JSONString.decoded(inside: name).span))
  }

  /// The member that is called `name`.
  private func index(ofText name: Span<UInt8>) -> Int? {
    let names = names.span
    // A closure cannot have a span.
    for index in members.indices where names.extracting(members[index].name).equals(name) {
      return index
    }
    return nil
  }
}

/// Faults of objects, in words.
struct FaultWords {
  private var missing: [String] = []
  private var wrong: [String] = []

  /// `nil` when there are none.
  var text: String? {
    let no = missing.isEmpty ? [] : ["no " + missing.joined(separator: ", ")]
    let all = no + wrong
    return all.isEmpty ? nil : all.joined(separator: ", ")
  }

  /// Appends `faults` of an object that `path` leads to.
  mutating func append(
    _ faults: [MemberList.Fault], of list: MemberList, behind path: String = ""
  ) {
    for fault in faults {
      let name = (path.isEmpty ? "" : path + ".") + list.name(of: fault)
      if let got = fault.got { append(got, as: name) } else { missing.append(name) }
    }
  }

  /// Appends that the member `name` is `got`.
  mutating func append(_ got: String, as name: String) { wrong.append("\(got) as \(name)") }
}
