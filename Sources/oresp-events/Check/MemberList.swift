import Core

/// The members that an object must have, and of what type the value of each is.
struct MemberList: Sendable {
  /// What is wrong with one of them.
  struct Fault {
    /// Its place in the list.
    let member: Int
    /// What stands for it that may not; `nil` when it is missing.
    let got: String?
  }

  /// What a value can be.
  private struct Kinds: OptionSet, Sendable {
    let rawValue: UInt8

    static let words = [
      "a string", "an integer", "a number", "true or false", "an object", "an array", "null",
    ]

    static let string = Kinds(rawValue: 1)
    static let integer = Kinds(rawValue: 2)
    static let number = Kinds(rawValue: 4)
    static let boolean = Kinds(rawValue: 8)
    static let object = Kinds(rawValue: 16)
    static let array = Kinds(rawValue: 32)
    static let null = Kinds(rawValue: 64)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The kind that `type` is, as the catalogue of events spells it; none of one that can be
    /// anything.
    init(_ type: Span<UInt8>) {
      self =
        if type.equals("string") {
          .string
        } else if type.equals("integer") {
          .integer
        } else if type.equals("number") {
          [.number, .integer]
        } else if type.equals("boolean") {
          .boolean
        } else if type.equals("null") {
          .null
        } else if type.equals("unknown") {
          []
        } else {
          type.byte(at: 0) == ASCII.openBracket ? .array : .object
        }
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
      // An integer is a number.
      let kinds = contains(.number) ? subtracting(.integer) : self
      return Self.words.indices.filter { kinds.rawValue & 1 << $0 != 0 }.map { Self.words[$0] }
        .joined(separator: " or ")
    }
  }

  private struct Member {
    var name: Range<Int>
    /// None of one that can be anything.
    var kinds: Kinds = []
    /// The next member whose name is as long, or -1.
    var next = -1
  }

  private var names: [UInt8] = []
  private var members: [Member] = []
  /// The last member of each length of name, or -1.
  private var ofLength = [Int](repeating: -1, count: 32)

  /// Reads `fields` as the catalogue of events has them, `name:type|type` with commas between;
  /// `marked` says that only those with `!` behind must be there.
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
    member.next = ofLength[member.name.count & 31]
    ofLength[member.name.count & 31] = members.count
    members.append(member)
  }

  /// What is wrong with the members of `line`, the line of `event`.
  func faults(in event: borrowing Event, _ line: Span<UInt8>) -> [Fault] {
    var (left, faults): (UInt64, [Fault]) = (all, [])
    event.members.each(in: line) { check($0, $1, &left, &faults) }
    return missing(left) + faults
  }

  /// What is wrong with the object at `place` in `line`, the line of `event`.
  func faults(in event: borrowing Event, inside place: Range<Int>, of line: Span<UInt8>) -> [Fault]
  {
    var (left, faults): (UInt64, [Fault]) = (all, [])
    event.members.each(inside: place, of: line) { check($0, $1, &left, &faults) }
    return missing(left) + faults
  }

  /// What is wrong with `object`; of members of one name the first counts.
  func faults(in object: Span<UInt8>) -> [Fault] {
    var (left, faults): (UInt64, [Fault]) = (all, [])
    var children = JSONChildren()
    while left != 0, let child = children.next(in: object) {
      check(object.extracting(child.name), object.extracting(child.value), &left, &faults)
    }
    return missing(left) + faults
  }

  func name(of fault: Fault) -> String {
    String(decoding: names.span.extracting(members[fault.member].name))
  }

  /// The place of the member `name`, which is in the list.
  func index(of name: StaticString) -> Int {
    members.firstIndex { names.span.extracting($0.name).equals(name) } ?? 0
  }

  /// What should stand for it.
  func kinds(of fault: Fault) -> String { members[fault.member].kinds.text }

  /// A bit for each member.
  private var all: UInt64 { 1 << UInt64(members.count) - 1 }

  private func missing(_ left: UInt64) -> [Fault] {
    guard left != 0 else { return [] }
    return members.indices.filter { left & 1 << $0 != 0 }.map { Fault(member: $0, got: nil) }
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

  /// The member whose name is spelled `name`.
  private func index(of name: Span<UInt8>) -> Int? {
    var index = ofLength[name.count & 31]
    while index >= 0 {
      if names.span.extracting(members[index].name).equals(name) { return index }
      index = members[index].next
    }
    guard name.firstIndex(of: ASCII.backslash) != nil else { return nil }
    return self.index(of: JSONString.decoded(inside: name).span)
  }
}

extension MemberList {
  /// What is wrong with objects, in words.
  struct Words {
    private var missing: [String] = []
    private var wrong: [String] = []

    init() {}

    /// What is wrong with `object` by `list`.
    init(_ list: MemberList, in object: Span<UInt8>) {
      append(list.faults(in: object), of: list)
    }

    /// `nil` when nothing is.
    var text: String? {
      let no = missing.isEmpty ? [] : ["no " + missing.joined(separator: ", ")]
      return missing.isEmpty && wrong.isEmpty ? nil : (no + wrong).joined(separator: ", ")
    }

    /// Appends `faults` of an object that `path` leads to.
    mutating func append(_ faults: [Fault], of list: MemberList, behind path: String = "") {
      for fault in faults {
        let name = (path.isEmpty ? "" : path + ".") + list.name(of: fault)
        if let got = fault.got { append(got, as: name) } else { missing.append(name) }
      }
    }

    /// Appends that `got` stands for the member `name`.
    mutating func append(_ got: String, as name: String) { wrong.append("\(got) as \(name)") }
  }
}
