/// The request of a command line.
enum ParsedLine {
  /// `stdin` is the option or operand that names standard input, `files` has the option of each
  /// file that options name.
  case run(operands: [String], stdin: String?, files: [String: String])
  /// The usual options, or the topic that was named.
  case help(String?)
  case version
}

/// Reads `arguments` by the GNU conventions: `--name=VALUE`, `--name VALUE`, unambiguous prefixes,
/// groups of short options, options behind operands, and `--`, after which all are operands.
///
/// Throws `Failure.usage` for arguments that the options do not allow; `settings` then has what the
/// others say.
func parse<Settings>(
  _ arguments: [String], _ options: [Option<Settings>], _ page: CommandPage,
  into settings: inout Settings
) throws(Failure) -> ParsedLine {
  var parser = Parser(options: options, page: page, settings: settings, rest: arguments[...])
  defer { settings = parser.settings }
  return try parser.parse()
}

private struct Parser<Settings> {
  let options: [Option<Settings>]
  let page: CommandPage
  var settings: Settings
  /// The arguments that are still to be read.
  var rest: ArraySlice<String>
  var operands: [String] = []
  /// Those before which no `--` stands.
  var plainOperands: [String] = []
  /// The options that are on, and the last value of each.
  var given: [(row: OptionRow, value: String?)] = []
  /// The options and operands that name standard input.
  var stdinNames: [String] = []
  /// The files that options name, each with its option as it was typed.
  var files: [String: String] = [:]

  mutating func parse() throws(Failure) -> ParsedLine {
    var fault: Failure?
    while let argument = rest.popFirst() {
      do throws(Failure) {
        if let end = try parse(argument), fault == nil { return end }
      } catch {
        fault = fault ?? error
      }
    }
    if let fault { throw fault }
    try check()
    return .run(operands: operands, stdin: stdinNames.first, files: files)
  }

  private mutating func parse(_ argument: String) throws(Failure) -> ParsedLine? {
    if argument == "--" {
      while let operand = rest.popFirst() { add(operand) }
    } else if argument.hasPrefix("--") {
      return try parseLong(argument.dropFirst(2))
    } else if argument.hasPrefix("-"), argument != "-" {
      return try parseShort(argument.dropFirst())
    } else {
      if operands.isEmpty { try refuseOtherDash(argument) }
      plainOperands.append(argument)
      add(argument)
    }
    return nil
  }

  private mutating func add(_ operand: String) {
    operands.append(operand)
    if Descriptor.isStdin(operand) { stdinNames.append(operand) }
  }

  /// Refuses options that exclude each other or that mean nothing by themselves, two that name
  /// standard input, and a file beside an option that takes one.
  private func check() throws(Failure) {
    for option in given {
      let needed = option.row.needed
      let excluded = option.row.excluded
      for other in given {
        let name = other.row.name
        let value = other.value ?? ""
        let isByName = excluded.contains(name)
        guard isByName || excluded.contains("\(name)=\(value)") else { continue }
        let shown = isByName ? "" : (other.row.short == nil ? "=" : " ") + value
        throw .usage("\(option.row.typed) and \(other.row.typed)\(shown) exclude each other")
      }
      guard !needed.isEmpty, !given.contains(where: { needed.contains($0.row.name) }) else {
        continue
      }
      let names = options.map(\.row).filter { needed.contains($0.name) }.map(\.typed)
      throw .usage("\(option.row.typed) goes with \(names.joined(separator: " or ")) only")
    }
    guard stdinNames.count < 2 else {
      let names = stdinNames.joined(separator: ", ")
      throw .usage("standard input can be read only once, and several name it: \(names)")
    }
    if let option = given.first(where: { $0.row.takesOneFile })?.row.typed,
      let file = plainOperands.first(where: { fileStatus($0)?.isRegular == true })
    {
      throw .usage(
        "\(option) takes one FILE, and \(file) is another: put \(option) before it, too, or -- before"
          + " a prompt")
    }
  }

  private mutating func parseLong(_ argument: Substring) throws(Failure) -> ParsedLine? {
    let parts = argument.cut(at: "=")
    let value = parts.map { String($0.after) }
    let name = try fullName(parts?.before ?? argument)
    if name == "help" { return help(value) }
    let option = options.first { $0.row.spellings.contains(name) }
    if option?.row.placeholder == nil, value != nil {
      throw .usage("--\(name) takes no value")
    }
    guard let option else { return .version }
    try apply(option, as: "--" + name, value)
    return nil
  }

  private mutating func parseShort(_ group: Substring) throws(Failure) -> ParsedLine? {
    var group = group
    while let letter = group.unicodeScalars.popFirst().map({ Character($0) }) {
      if letter == "h" { return help(nil) }
      if letter == "V" { return .version }
      guard let option = options.first(where: { $0.row.short == letter }) else {
        throw page.unknown("-\(letter)")
      }
      let takesValue = option.row.placeholder != nil
      try apply(option, as: "-\(letter)", takesValue && !group.isEmpty ? String(group) : nil)
      if takesValue { break }
    }
    return nil
  }

  /// Refuses a first operand that begins with a dash as web pages print it: `–m` for `-m`.
  private func refuseOtherDash(_ operand: String) throws(Failure) {
    guard let first = operand.unicodeScalars.first,
      "\u{2010}"..."\u{2015}" ~= first || first == "\u{2212}"
    else { return }
    let word = operand.prefix { !ASCII.isSpace($0.asciiValue ?? 0) }
    throw .usage(
      "\(word) begins with a dash that is no hyphen; type - for an option, or put -- before a word"
        + " that is meant")
  }

  /// Help on `topic`, or on the next argument where that is a topic.
  private func help(_ topic: String?) -> ParsedLine {
    .help(topic ?? rest.first.flatMap { page.hasTopic($0) ? $0 : nil })
  }

  /// Stores an option, which was typed as `typed`: with `value`, or with the next argument if it
  /// needs one. The message on a value that the row refuses names the option as it was typed.
  private mutating func apply(
    _ option: Option<Settings>, as typed: String, _ value: String?
  ) throws(Failure) {
    var value = value
    if let placeholder = option.row.placeholder, !option.row.isOptional, value == nil {
      value = rest.popFirst()
      if value == nil { throw .usage("\(typed) needs a value: \(placeholder)") }
    }
    if let value, !value.isUTF8, !option.row.takesFile(value) {
      // The value is not shown: it may be a secret in the wrong place.
      throw .usage("\(typed): expected UTF-8")
    }
    let isOn = typed != option.row.opposite.map { "--" + $0 }
    given.removeAll { $0.row.name == option.row.name }
    if isOn { given.append((option.row, value)) }
    let read = value.map(option.row.files) ?? []
    stdinNames += read.filter(Descriptor.isStdin).map { _ in typed }
    let named = value.map(option.row.named) ?? []
    for file in named { files[file] = files[file] ?? typed }
    do throws(Failure) {
      try option.apply(&settings, value, isOn)
      if named.contains("") { throw Failure.usage("expected the name of a file") }
    } catch {
      guard case .usage(let why) = error else { throw error }
      throw .usage("\(typed): \(why)")
    }
  }

  /// The name `given`, or the only name that begins with it. An option of other programs is no
  /// abbreviation.
  private func fullName(_ given: Substring) throws(Failure) -> String {
    let names = page.rows.flatMap(\.spellings)
    if names.contains(String(given)) { return String(given) }
    let isElsewhere = page.advice(on: "--" + given) != nil
    let begun = given.isEmpty || isElsewhere ? [] : names.filter { $0.hasPrefix(given) }
    if let only = begun.first, begun.count == 1 { return only }
    guard begun.isEmpty else {
      let list = begun.map { "--" + $0 }.joined(separator: ", ")
      throw .usage("--\(given) is ambiguous: \(list)")
    }
    throw page.unknown("--" + given)
  }
}
