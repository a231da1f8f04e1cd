package import Core

/// The parts of a tool's manual that are made from tables, in mdoc(7). The rest of the manual is
/// written by hand around them.
///
/// A part stands between two comment lines, `.\" head: begin, made from a table` and
/// `.\" head: end`. `head` goes from the title to the end of the SYNOPSIS; `options` is the list of
/// the options that the page has.
package enum ManPage {
  /// `manual` with its made parts as `page` has them; `nil` when a mark is missing.
  package static func update(_ manual: String, with page: CommandPage) -> String? {
    update(
      manual,
      with: [("head", head(of: page)), ("options", options(of: page, in: page.name))])
  }

  /// `manual` with the lines of `parts` between their marks; `nil` when a mark is missing.
  package static func update(
    _ manual: String, with parts: [(name: String, lines: [String])]
  ) -> String? {
    var lines = manual.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (part, made) in parts {
      let first = ".\\\" \(part): begin, made from a table"
      let last = ".\\\" \(part): end"
      guard let begin = lines.firstIndex(of: first),
        let end = lines[begin...].firstIndex(of: last)
      else { return nil }
      lines.replaceSubrange(begin + 1..<end, with: made)
    }
    return lines.joined(separator: "\n")
  }

  private static func head(of page: CommandPage) -> [String] {
    head(page.name, section: 1, page.summary) + [".Sh SYNOPSIS", ".Nm"] + synopsis(of: page)
      + operands(of: page) + [".Nm", ".Fl h | V"]
  }

  /// The head of the page `name`, down to the end of its NAME.
  package static func head(_ name: String, section: Int, _ summary: String) -> [String] {
    [
      ".Dt \(name.uppercased()) \(section)", ".Os oresp \(CommandPage.version)", ".Sh NAME",
      ".Nm \(name)", ".Nd \(summary)",
    ]
  }

  /// The usual options: first the short ones without a value, in one group.
  private static func synopsis(of page: CommandPage) -> [String] {
    let rows = page.rows.filter { page.usual.contains($0.name) }
    let letters = rows.compactMap { $0.placeholder == nil ? $0.short : nil }
    let others = rows.filter { $0.placeholder != nil || $0.short == nil }
    let group = letters.isEmpty ? [] : ["Oo Fl \(String(letters)) Oc"]
    let parts =
      group
      + others.map { row in
        let name = row.isOptional ? nil : row.short.map { String($0) }
        // A block that stands in another one on its line has an end of its own, too.
        let value = value(of: row).replacing(" Op ", with: " Oo ") + (row.isOptional ? " Oc" : "")
        return "Oo Fl \(name ?? "-" + row.name)\(value) Oc"
      }
    return wrap(parts).map { "." + $0 } + [".Op Ar OPTION ..."]
  }

  /// `[FILE]...` as the mdoc of an optional operand that may be repeated.
  private static func operands(of page: CommandPage) -> [String] {
    guard !page.operands.isEmpty else { return [] }
    let name = page.operands.filter { !"[]. ".contains($0) }
    let isOptional = page.operands.hasPrefix("[")
    let repeats = page.operands.contains("...")
    return [(isOptional ? ".Op Ar " : ".Ar ") + name + (repeats ? " ..." : "")]
  }

  /// The pages that have the options of a group in place of the tool's own page, by its title.
  package static let otherPages = [
    "General": "oresp", "Responses that go on": "oresp-endpoints",
    "Other endpoints": "oresp-endpoints", "Many requests": "oresp-batch",
  ]

  /// The options that the page of a tool with very many lists first: those that `--help` shows, and
  /// these.
  private static let everyday = [
    "oresp-send": [
      "stream", "items", "outputs", "temperature", "store", "background", "set-str",
      "api-key-cmd", "log", "max-time", "include",
    ]
  ]

  /// The options of `page` that the manual `name` has, by their groups; the tool's own also says
  /// where the others are.
  package static func options(of page: CommandPage, in name: String) -> [String] {
    let own = page.groups.filter { (otherPages[$0.title] ?? page.name) == name }
    guard name == page.name else {
      return own.flatMap { list($0.rows, under: own.count > 1 ? $0.title : nil, in: name) }
    }
    let first = (everyday[name].map { $0 + page.usual }) ?? []
    let usual = own.flatMap(\.rows).filter { first.contains($0.name) }
    let groups = own.map { group in
      (title: group.title, rows: group.rows.filter { !first.contains($0.name) })
    }
    return (usual.isEmpty ? [] : list(usual, under: "Everyday options", in: name))
      + groups.flatMap { $0.rows.isEmpty ? [] : list($0.rows, under: $0.title, in: name) }
      + elsewhere(of: page)
  }

  private static func list(
    _ rows: [OptionRow], under title: String?, in name: String
  ) -> [String] {
    (title.map { [".Ss \($0)"] } ?? []) + [".Bl -tag -width Ds"]
      + rows.flatMap { item(of: $0, in: name) } + [".El"]
  }

  /// The names of the options of `page` that other pages have, if they are more than those of all
  /// tools.
  private static func elsewhere(of page: CommandPage) -> [String] {
    let others = page.groups.compactMap { group in otherPages[group.title].map { ($0, group.rows) }
    }
    let items = Dictionary(grouping: others, by: \.0).sorted { $0.key < $1.key }.flatMap {
      name, groups in
      let names = groups.flatMap(\.1).map { $0.short.map(String.init) ?? "-" + $0.name }
      return [".It Xr \(name) 7"]
        + wrap(names.joined(separator: " , ").split(separator: " ").map(String.init), 70).map {
          ".Fl " + $0
        }
    }
    guard others.count > 1 else { return [] }
    return [".Ss On other pages", ".Bl -tag -width Ds -compact"] + items + [".El"]
  }

  private static func item(of row: OptionRow, in name: String) -> [String] {
    let names = (row.short.map { ["\($0)"] } ?? []) + row.spellings.map { "-" + $0 }
    let head = ".It " + names.map { "Fl " + $0 }.joined(separator: " , ") + value(of: row)
    let detail = row.detail.split(whereSeparator: \.isNewline).joined(separator: "\n")
      .replacing("See `\(name)(7)`.", with: "")
    return [head] + prose(row.help) + marked(detail) + (row.values.map(prose) ?? [])
  }

  /// `text` in mdoc. What stands between backquotes in it is a macro's; a line that begins with a
  /// dot is mdoc already; other line breaks mean nothing.
  package static func marked(_ text: String) -> [String] {
    var lines: [String] = []
    var run: [Substring] = []
    func flush() {
      let parts = run.joined(separator: " ").split(
        separator: "`", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if index % 2 == 1 {
          lines.append(macro(part))
          continue
        }
        // What ends a sentence or a clause belongs to the macro's line.
        let marks = index > 0 ? part.prefix { ".,;:)".contains($0) } : ""
        if let last = lines.indices.last, !marks.isEmpty {
          lines[last] += marks.map { " \($0)" }.joined()
        }
        lines += wrap(part.dropFirst(marks.count).split(separator: " ").map(String.init))
      }
      run = []
    }
    for line in text.split(separator: "\n") {
      if line.hasPrefix(".") {
        flush()
        lines.append(String(line))
      } else {
        run.append(line)
      }
    }
    flush()
    return folded(runs(in: lines))
  }

  /// `lines` with quoted words that follow each other, `.Ql a ,` and `.Ql b`, as keywords on one
  /// line: `.Cm a , b`.
  private static func runs(in lines: [String]) -> [String] {
    lines.reduce(into: []) { lines, line in
      guard let last = lines.last, let word = line.wholeMatch(of: /\.Ql ([^ \\"]+( [.,;:)])*)/)?.1,
        let words = last.wholeMatch(of: /\.(?:Ql [^ \\"]+|Cm .+) ,/)
      else { return lines.append(line) }
      lines[lines.count - 1] = ".Cm " + words.0.dropFirst(4)
      if last.count + word.count < 78 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(".Cm " + word)
      }
    }
  }

  /// `lines` with the macros of a sentence, and the words between them, on one line where it is not
  /// long: `.Fl x No and Fl y`.
  static func folded(_ lines: [String]) -> [String] {
    var folded: [String] = []
    var endsInWords = true
    for line in lines {
      let isMacro = line.hasPrefix(".")
      let next = isMacro ? String(line.dropFirst()) : "No " + marksApart(line)
      if let last = folded.last, takesMore(last), isMacro ? isInline(line) : isPlain(line),
        isMacro || !endsInWords, last.count + next.count < 79
      {
        folded[folded.count - 1] = last + " " + next
      } else {
        folded.append(line)
      }
      endsInWords = !isMacro
    }
    return folded
  }

  /// Whether more may stand on the line of a macro: it ends no sentence, and no quoted word, which
  /// would have it in its quotes.
  private static func takesMore(_ line: String) -> Bool {
    line.wholeMatch(of: /\.(Fl|Ar|Ev|Xr|Cm|Sx|Pa|Pf) .*/) != nil && !line.contains("Ql ")
      && !line.hasSuffix(".")
  }

  /// `text` as it stands behind a macro, which takes no word of it for a macro.
  package static func words(_ text: String) -> String {
    let words = text.split(separator: " ")
    return words.map { isPlain(String($0)) ? String($0) : "\\&" + $0 }.joined(separator: " ")
  }

  /// `line` with a blank before each mark at its end, as a macro wants it.
  private static func marksApart(_ line: String) -> String {
    let end = line.reversed().prefix { ".,;:!?)".contains($0) }.reversed()
    return line.dropLast(end.count) + end.map { " \($0)" }.joined()
  }

  private static func isInline(_ line: String) -> Bool {
    line.wholeMatch(of: /\.(Fl|Ar|Ev|Xr|Cm|Sx|Pa|Pf|Ql) .*/) != nil
  }

  /// Whether a macro would take no word of `line` for one of its own, or for a mark.
  private static func isPlain(_ line: String) -> Bool {
    !line.hasPrefix("'") && !line.hasSuffix("...") && !line.contains("\"") && !line.contains("\\&")
      && line.split(separator: " ").allSatisfy {
        $0.wholeMatch(of: /[A-Z][a-z0-9]|[A-Z][a-z][0-9]|[\[\](){}.,;:?!|]/) == nil
      }
  }

  /// The line of mdoc for `code`: a macro with its arguments; an option, an argument, a file's name
  /// behind `@`, a variable or a manual's page by its form; and anything else as it is typed.
  private static func macro(_ code: Substring) -> String {
    if code.wholeMatch(of: /[A-Z][a-z] .*/) != nil { return ".\(code)" }
    if code.wholeMatch(of: /-[a-zA-Z]|--[a-z0-9.-]+/) != nil { return ".Fl \(code.dropFirst())" }
    if code.wholeMatch(of: /[A-Z]+/) != nil { return ".Ar \(code)" }
    if code.wholeMatch(of: /@[A-Z]+/) != nil { return ".Pf @ Ar \(code.dropFirst())" }
    if code.wholeMatch(of: /[A-Z]+_[A-Z_]+/) != nil { return ".Ev \(code)" }
    if let page = code.wholeMatch(of: /([a-z-]+)\(([0-9])\)/) {
      return ".Xr \(page.1) \(page.2)"
    }
    if let (option, word) = code.wholeMatch(of: /-(-[a-z-]+)=([a-z]+)/).map({ ($0.1, $0.2) }) {
      return ".Fl \(option) Ns = Ns Cm \(word)"
    }
    // A mark alone is no word to mdoc.
    let start = code.count == 1 && !code.allSatisfy(\.isLetter) ? "\\&" : ""
    let end = code.count > 1 && ".,;:!?)".contains(code.last ?? " ") ? "\\&" : ""
    // A quote at the start of a word would begin an argument in quotes.
    let words = code.split(separator: " ").map { word in
      (word.hasPrefix("\"") ? "\\&" : "") + escaped(word)
    }
    return ".Ql " + start + words.joined(separator: " ") + end
  }

  /// What stands behind the option's name.
  private static func value(of row: OptionRow) -> String {
    guard let placeholder = row.placeholder else { return "" }
    return row.isOptional ? " Ns Op = Ns Ar \(placeholder)" : " Ar \(placeholder)"
  }

  /// Plain text in mdoc.
  package static func prose(_ text: String) -> [String] {
    wrap(text.split(separator: " ").map(escaped)).map {
      $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : $0
    }
  }

  /// `words` in lines as the style of mdoc wants them: each sentence begins one, and none is long.
  static func wrap(_ words: [String], _ width: Int = 79) -> [String] {
    var lines: [String] = []
    var startsLine = true
    for word in words {
      if !startsLine, let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(word)
      }
      startsLine = word.hasSuffix(".")
    }
    return lines
  }

  /// What roff would print as another character.
  private static let glyphs: [Character: String] = ["\\": "\\e", "^": "\\(ha", "~": "\\(ti"]

  /// A word as roff prints it: the dashes of an option's name are no hyphens.
  private static func escaped(_ word: Substring) -> String {
    let dashes = word.prefix { $0 == "-" }
    let rest = word.dropFirst(dashes.count).map { Self.glyphs[$0] ?? String($0) }
    return String(repeating: "\\-", count: dashes.count) + rest.joined()
  }
}
