import Core

/// Draws timelines in characters.
struct TextTimeline: TimelineDrawing {
  /// The characters of bars and the axis.
  struct Signs {
    let busy, silent, queued, text, broken, line, tick: Character

    static let ascii = Signs(
      busy: "#", silent: ".", queued: "-", text: "*", broken: "x", line: "-", tick: "+")
    static let unicode = Signs(
      busy: "█", silent: "░", queued: "▒", text: "◆", broken: "×", line: "─", tick: "┬")
  }

  /// One place of a bar.
  private struct Cell: Equatable {
    var sign: Character = " "
    var colour = ""
  }

  private let signs: Signs
  private let width: Int
  private let hasColours: Bool
  private var hasDrawn = false
  /// The signs that were drawn, and the signs that a legend has explained.
  private var used: Set<Character> = []
  private var explained: Set<Character> = []

  /// Lines have at most `width` columns, which counts as 20 if it is less and as 500 if it is more.
  init(_ signs: Signs, width: Int, hasColours: Bool) {
    (self.signs, self.width, self.hasColours) = (signs, min(max(width, 20), 500), hasColours)
  }

  mutating func draw(_ waterfalls: [Waterfall], into output: inout [UInt8]) {
    for waterfall in waterfalls {
      if hasDrawn { output.append(ASCII.lf) }
      hasDrawn = true
      draw(waterfall, into: &output)
    }
    explain(into: &output)
  }

  /// Nothing is left to draw: a legend stands before the notices on its responses.
  func finish(into output: inout [UInt8]) {}

  private mutating func draw(_ waterfall: Waterfall, into output: inout [UInt8]) {
    for line in waterfall.facts.lines(of: width, separator: ", ") {
      append([], to: &output, behind: line)
    }
    if let failure = waterfall.failure {
      let words = " " + failure.cut(toColumns: width - 2)
      let sign = Cell(sign: signs.broken, colour: Self.broken)
      append([sign] + words.map { Cell(sign: $0) }, to: &output)
    }
    let labels = min(waterfall.labelColumns, max(8, width * 3 / 10))
    let times = width < 32 ? 0 : 9
    let scale = TimeScale(total: waterfall.total, length: width - labels - times - 1)
    let indent = String(repeating: " ", count: labels + times + 1)
    for line in axis(scale) { append([], to: &output, behind: indent + line) }
    for row in waterfall.rows {
      var head = row.label.cut(toColumns: labels).padded(toColumns: labels)
      if times > 0 {
        let time = TimeScale.text(row.end - row.start)
        head += String(repeating: " ", count: max(0, times - time.count)) + time
      }
      append(bar(row, scale), to: &output, behind: head + " ")
    }
  }

  /// Appends a legend of the signs that are new.
  private mutating func explain(into output: inout [UInt8]) {
    let meanings: [(Character, String)] = [
      (signs.busy, "events"), (signs.silent, Waterfall.silence),
      (signs.queued, "queued"), (signs.text, "first text"), (signs.broken, Waterfall.broken),
    ]
    let legend = meanings.filter { used.contains($0.0) && !explained.contains($0.0) }
      .map { "\($0) \($1)" }
    explained = used
    guard !legend.isEmpty else { return }
    output.append(ASCII.lf)
    for line in legend.lines(of: width, separator: "   ") { append([], to: &output, behind: line) }
  }

  /// The bar of `row`.
  private mutating func bar(_ row: Waterfall.Row, _ scale: TimeScale) -> [Cell] {
    func column(_ time: Int) -> Int { min(scale.place(of: time), scale.length - 1) }
    var cells = [Cell](repeating: Cell(), count: scale.length)
    func fill(_ columns: Range<Int>, _ sign: Character, _ colour: String) {
      for column in columns { cells[column] = Cell(sign: sign, colour: colour) }
    }
    let colour = Self.colour(of: row.kind)
    let (start, end) = (column(row.start), column(row.end))
    fill(start..<end + 1, signs.busy, colour)
    for silence in row.silences {
      let (first, last) = (column(silence.lowerBound) + 1, column(silence.upperBound))
      if first < last { fill(first..<last, signs.silent, colour) }
    }
    if let time = row.queuedUntil { fill(start..<column(time), signs.queued, colour) }
    if let time = row.firstText { cells[column(time)] = Cell(sign: signs.text, colour: Self.mark) }
    if row.isBroken { cells[end] = Cell(sign: signs.broken, colour: Self.broken) }
    used.formUnion(cells.map(\.sign))
    return Array(cells[...end])
  }

  /// The lines of the axis: the times of its ticks, and the ticks.
  private func axis(_ scale: TimeScale) -> [String] {
    var (names, line) = ("", String(repeating: signs.line, count: scale.length).map { $0 })
    for tick in scale.ticks(atMost: max(1, scale.length / 9)) {
      let (column, name) = (scale.place(of: tick), TimeScale.text(tick))
      guard column < scale.length else { break }
      line[column] = signs.tick
      let start = min(column, scale.length - name.count)
      if names.isEmpty || names.count < start { names = names.padded(toColumns: start) + name }
    }
    return [names, String(line)]
  }

  /// Appends a line: `head`, and `cells` behind it.
  private func append(_ cells: [Cell], to output: inout [UInt8], behind head: String = "") {
    var (line, colour) = (head, "")
    for cell in cells {
      if hasColours, cell.colour != colour {
        line += cell.colour.isEmpty ? "\u{1B}[m" : "\u{1B}[\(cell.colour)m"
        colour = cell.colour
      }
      line.append(cell.sign)
    }
    if !colour.isEmpty { line += "\u{1B}[m" }
    while line.last == " " { line.removeLast() }
    output += line.utf8
    output.append(ASCII.lf)
  }

  private static let mark = "0;1"
  private static let broken = "0;31"

  /// The colour of a bar of `kind` by ECMA-48 (section 8.3.117).
  private static func colour(of kind: WaterfallKind) -> String {
    switch kind {
    case .response: ""
    case .reasoning: "0;35"
    case .search: "0;36"
    case .tool: "0;33"
    case .text: "0;32"
    }
  }
}

extension String {
  /// The text, filled with spaces up to `columns` columns.
  func padded(toColumns columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - self.columns))
  }
}

extension [String] {
  /// The texts in lines of fewer than `columns` columns, with `separator` between them; a longer
  /// text is cut.
  func lines(of columns: Int, separator: String) -> [String] {
    var lines: [String] = []
    for text in self {
      if let last = lines.last, last.columns + separator.count + text.columns < columns {
        lines[lines.count - 1] += separator + text
      } else {
        if separator.hasPrefix(","), !lines.isEmpty { lines[lines.count - 1] += "," }
        lines.append(text.cut(toColumns: columns - 2))
      }
    }
    return lines
  }
}
