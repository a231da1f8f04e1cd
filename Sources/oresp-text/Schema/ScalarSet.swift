import Core

/// A set of code points, as a class in a pattern describes it.
struct ScalarSet: Sendable {
  var ranges: [ClosedRange<UInt32>] = []
  /// Sets whose members are members too.
  var parts: [ScalarSet] = []
  /// The start of the names of the general categories (such as `L` or `Lu`) that are members.
  var category: String?
  var isNegated = false

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let isMember =
      ranges.contains { $0.contains(scalar.value) }
      || parts.contains { $0.contains(scalar) }
      || category.map { Self.names[scalar.properties.generalCategory]?.hasPrefix($0) == true }
        ?? false
    return isMember != isNegated
  }

  /// The set of all that is not in this one.
  var negated: ScalarSet { ScalarSet(parts: [self], isNegated: true) }

  static let digit = ScalarSet(ranges: [0x30...0x39])
  static let word = ScalarSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  /// White space and line ends as ECMA-262 has them.
  static let space = ScalarSet(ranges: [
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])
  /// What a dot stands for: anything but the ends of lines.
  static let notLineEnd = ScalarSet(
    ranges: [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029], isNegated: true)

  /// The set of `scalar` alone.
  init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

  /// The member of a set of a single range that has no other.
  var only: Unicode.Scalar? {
    guard ranges.count == 1, ranges[0].count == 1, parts.isEmpty, !isNegated else { return nil }
    return Unicode.Scalar(ranges[0].lowerBound)
  }

  /// The set that `\p{name}` means: a general category or a group of them; `nil` when none is
  /// called so.
  init?(category name: String) {
    let known = Self.names.values.contains { $0.hasPrefix(name) }
    guard known, (1...2).contains(name.utf8.count) else { return nil }
    category = name
  }

  init(ranges: [ClosedRange<UInt32>] = [], parts: [ScalarSet] = [], isNegated: Bool = false) {
    (self.ranges, self.parts, self.isNegated) = (ranges, parts, isNegated)
  }

  /// The short names of the general categories (Unicode 16, table 4-4).
  private static let names: [Unicode.GeneralCategory: String] = [
    .uppercaseLetter: "Lu", .lowercaseLetter: "Ll", .titlecaseLetter: "Lt", .modifierLetter: "Lm",
    .otherLetter: "Lo", .nonspacingMark: "Mn", .spacingMark: "Mc", .enclosingMark: "Me",
    .decimalNumber: "Nd", .letterNumber: "Nl", .otherNumber: "No", .connectorPunctuation: "Pc",
    .dashPunctuation: "Pd", .openPunctuation: "Ps", .closePunctuation: "Pe",
    .initialPunctuation: "Pi", .finalPunctuation: "Pf", .otherPunctuation: "Po", .mathSymbol: "Sm",
    .currencySymbol: "Sc", .modifierSymbol: "Sk", .otherSymbol: "So", .spaceSeparator: "Zs",
    .lineSeparator: "Zl", .paragraphSeparator: "Zp", .control: "Cc", .format: "Cf",
    .surrogate: "Cs", .privateUse: "Co", .unassigned: "Cn",
  ]
}
