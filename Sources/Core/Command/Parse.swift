/// What a command line asks for.
enum ParsedLine {
  case run(operands: [String])
  case help
  case version
}

/// Reads `arguments` by the GNU conventions: `--name=VALUE`, `--name VALUE`, unambiguous prefixes,
/// groups of short options, options behind operands, and `--`, after which all are operands.
///
/// Throws `Failure.usage` for what the options do not allow.
func parse<Settings>(
  _ arguments: [String], _ options: [Option<Settings>], into settings: inout Settings
) throws(Failure) -> ParsedLine {
  var parser = Parser(options: options, settings: settings, rest: arguments[...])
  defer { settings = parser.settings }
  return try parser.parse()
}

private struct Parser<Settings> {
  let options: [Option<Settings>]
  var settings: Settings
  /// The arguments that are still to be read.
  var rest: ArraySlice<String>

  mutating func parse() throws(Failure) -> ParsedLine {
    var operands: [String] = []
    while let argument = rest.popFirst() {
      var end: ParsedLine?
      if argument == "--" {
        return .run(operands: operands + rest)
      } else if argument.hasPrefix("--") {
        end = try parseLong(argument.dropFirst(2))
      } else if argument.hasPrefix("-"), argument != "-" {
        end = try parseShort(argument.dropFirst())
      } else {
        operands.append(argument)
      }
      if let end { return end }
    }
    return .run(operands: operands)
  }

  private mutating func parseLong(_ argument: Substring) throws(Failure) -> ParsedLine? {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count > 1 ? String(parts[1]) : nil
    let name = try fullName(parts[0])
    let option = options.first { $0.row.spellings.contains(name) }
    if option?.row.placeholder == nil, value != nil {
      throw .usage("option --\(name) takes no value")
    }
    guard let option else { return name == "help" ? .help : .version }
    try apply(option, as: "--" + name, value)
    return nil
  }

  private mutating func parseShort(_ group: Substring) throws(Failure) -> ParsedLine? {
    var group = group
    while let letter = group.popFirst() {
      if letter == "h" { return .help }
      if letter == "V" { return .version }
      guard let option = options.first(where: { $0.row.short == letter }) else {
        throw .usage("unknown option -\(letter)")
      }
      let takesValue = option.row.placeholder != nil
      try apply(option, as: "-\(letter)", takesValue && !group.isEmpty ? String(group) : nil)
      if takesValue { break }
    }
    return nil
  }

  /// Stores an option, which was typed as `typed`: with `value`, or with the next argument if it
  /// needs one. Whatever the row finds wrong is told of the option as it was typed.
  private mutating func apply(
    _ option: Option<Settings>, as typed: String, _ value: String?
  ) throws(Failure) {
    var value = value
    if let placeholder = option.row.placeholder, !option.row.isOptional, value == nil {
      value = rest.popFirst()
      if value == nil { throw .usage("option \(typed) needs a value: \(placeholder)") }
    }
    if let value, !value.isUTF8, !option.row.takesFile(value) {
      // The value is not shown: it may be a secret in the wrong place.
      throw .usage("\(typed): expected UTF-8")
    }
    do throws(Failure) {
      try option.apply(&settings, value, typed != "--no-" + option.row.name)
    } catch {
      guard case .usage(let why) = error else { throw error }
      throw .usage("\(typed): \(why)")
    }
  }

  /// The name that `given` is, or is the only beginning of.
  private func fullName(_ given: Substring) throws(Failure) -> String {
    let names = options.flatMap(\.row.spellings) + ["help", "version"]
    if names.contains(String(given)) { return String(given) }
    let begun = given.isEmpty ? [] : names.filter { $0.hasPrefix(given) }
    if let only = begun.first, begun.count == 1 { return only }
    if begun.count > 1 {
      let list = begun.map { "--" + $0 }.joined(separator: ", ")
      throw .usage("option --\(given) is ambiguous: \(list)")
    }
    let hint = nearest(String(given), among: names).map { "; did you mean --\($0)?" } ?? ""
    throw .usage("unknown option --\(given)\(hint)")
  }
}

/// A question for the name of `names` that may be meant by `word`; empty when none is near.
package func hint(for word: String, among names: [String]) -> String {
  nearest(word, among: names).map { "; did you mean \($0)?" } ?? ""
}

/// The name of `names` that is nearest to `word`, if one is near enough to be what was meant.
package func nearest(_ word: String, among names: [String]) -> String? {
  let ranked = names.map { (name: $0, distance: editDistance(word, $0)) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
  return best.distance <= max(2, word.count / 3) && best.distance < word.count ? best.name : nil
}

/// How many letters must be put in, taken out or changed to make `left` into `right`.
private func editDistance(_ left: String, _ right: String) -> Int {
  let target = Array(right)
  var row = Array(0...target.count)
  for (index, letter) in left.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in target.indices {
      let changed = diagonal + (letter == target[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(changed, diagonal + 1, row[column] + 1)
    }
  }
  return row[target.count]
}
