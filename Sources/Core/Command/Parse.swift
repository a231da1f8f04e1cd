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
  var operands: [String] = []
  var rest = arguments[...]
  while let argument = rest.popFirst() {
    if argument == "--" {
      operands += rest
      break
    } else if argument.hasPrefix("--") {
      let end = try parseLong(argument.dropFirst(2), options, &rest, &settings)
      if let end { return end }
    } else if argument.hasPrefix("-"), argument != "-" {
      let end = try parseShort(argument.dropFirst(), options, &rest, &settings)
      if let end { return end }
    } else {
      operands.append(argument)
    }
  }
  return .run(operands: operands)
}

private func parseLong<Settings>(
  _ argument: Substring, _ options: [Option<Settings>], _ rest: inout ArraySlice<String>,
  _ settings: inout Settings
) throws(Failure) -> ParsedLine? {
  let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
  let value = parts.count > 1 ? String(parts[1]) : nil
  let name = try fullName(parts[0], among: names(options) + ["help", "version"])
  if name == "help" || name == "version" {
    guard value == nil else { throw .usage("option --\(name) takes no value") }
    return name == "help" ? .help : .version
  }
  guard let option = options.first(where: { $0.row.spellings.contains(name) }) else { return nil }
  if case .none = option.row.argument, value != nil {
    throw .usage("option --\(name) takes no value")
  }
  try apply(option, as: "--" + name, value, &rest, &settings)
  return nil
}

private func parseShort<Settings>(
  _ group: Substring, _ options: [Option<Settings>], _ rest: inout ArraySlice<String>,
  _ settings: inout Settings
) throws(Failure) -> ParsedLine? {
  var group = group
  while let letter = group.popFirst() {
    if letter == "h" { return .help }
    if letter == "V" { return .version }
    guard let option = options.first(where: { $0.row.short == letter }) else {
      throw .usage("unknown option -\(letter)")
    }
    if case .none = option.row.argument {
      try apply(option, as: "-\(letter)", nil, &rest, &settings)
    } else {
      let value = group.isEmpty ? nil : String(group)
      try apply(option, as: "-\(letter)", value, &rest, &settings)
      break
    }
  }
  return nil
}

/// Stores an option, which was typed as `typed`: with `value`, or with the next argument if it needs
/// one. Whatever the row finds wrong is told of the option as it was typed.
private func apply<Settings>(
  _ option: Option<Settings>, as typed: String, _ value: String?,
  _ rest: inout ArraySlice<String>, _ settings: inout Settings
) throws(Failure) {
  var value = value
  if case .required(let placeholder, _) = option.row.argument, value == nil {
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

private func names<Settings>(_ options: [Option<Settings>]) -> [String] {
  options.flatMap(\.row.spellings)
}

/// The name that `given` is, or is the only beginning of.
private func fullName(_ given: Substring, among names: [String]) throws(Failure) -> String {
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
