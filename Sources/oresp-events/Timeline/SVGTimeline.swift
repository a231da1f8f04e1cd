import Core

/// Draws timelines as one picture in SVG 2, to be seen and to be read out: its words are text, and
/// `desc` says all that the bars show.
struct SVGTimeline: TimelineDrawing {
  private var body = ""
  /// The words that are read out in place of the bars, a line for each row.
  private var description: [String] = []
  /// The name of the first response.
  private var name = ""
  /// The height of the rows that are drawn.
  private var height = margin

  /// Lengths are in pixels. A character is about as wide as this.
  private static let (margin, row, letter) = (16, 20, 7.25)
  private static let (width, barStart, barLength) = (960, 440, 500)
  /// The pixels of a row that a bar fills, a silence and the mark at an end.
  private static let (usual, thin, tall) = (4..<16, 9..<12, 2..<18)

  mutating func draw(_ waterfalls: [Waterfall], into output: inout [UInt8]) {
    for waterfall in waterfalls { draw(waterfall) }
  }

  private mutating func draw(_ waterfall: Waterfall) {
    if name.isEmpty { name = waterfall.facts[0] } else { height += Self.row }
    let lines = waterfall.facts.lines(of: Self.columns(Self.width), separator: ", ")
    for (index, line) in lines.enumerated() {
      write(line, as: index == 0 ? "name" : nil)
      height += Self.row
    }
    if let failure = waterfall.failure {
      write(failure.cut(toColumns: Self.columns(Self.width)), as: "broken")
      height += Self.row
    }
    let failures = waterfall.failure.map { [$0] } ?? []
    description.append((waterfall.facts + failures).joined(separator: ", "))
    let scale = TimeScale(total: waterfall.total, length: Self.barLength)
    let top = height + Self.row
    let bottom = top + waterfall.rows.count * Self.row
    for tick in scale.ticks(atMost: 8) {
      let x = Self.barStart + scale.place(of: tick)
      body += "<path class=\"tick\" d=\"M\(x).5 \(top)V\(bottom)\"/>\n"
      write(TimeScale.text(tick), x: x, as: "time")
    }
    height = top
    for row in waterfall.rows { draw(row, scale) }
    height += Self.row
  }

  mutating func finish(into output: inout [UInt8]) {
    guard !name.isEmpty else { return }
    let marks: [(String, String)] = [
      ("response", "events"), ("silent", Waterfall.silence), ("queued", "queued"),
      ("text", "text"), ("reasoning", "reasoning"), ("search", "search"), ("tool", "tool"),
      ("first", "first text"), ("ending", Waterfall.broken),
    ]
    var x = Self.margin
    for (kind, meaning) in marks where body.contains("class=\"\(kind)") {
      // A silence has the colour of its bar.
      let isSilence = kind == "silent"
      rect(isSilence ? "silent response" : kind, x: x, isSilence ? 8..<12 : 5..<15, width: 10)
      write(meaning, x: x + 15)
      x += 30 + Int(Double(meaning.count) * Self.letter)
    }
    height += Self.row + Self.margin
    let id = "oresp-" + FileFolder.name(name.utf8)
    output +=
      """
      <svg xmlns="http://www.w3.org/2000/svg" class="oresp" role="img" \
      aria-labelledby="\(id)-title \(id)-desc" viewBox="0 0 \(Self.width) \(height)" \
      width="\(Self.width)" height="\(height)">
      <title id="\(id)-title">Timeline of \(Self.escaped(name))</title>
      <desc id="\(id)-desc">\(Self.escaped(description.joined(separator: "\n")))</desc>
      \(Self.style)
      <rect class="paper" width="\(Self.width)" height="\(height)"/>
      \(body)</svg>

      """.utf8
  }

  private mutating func draw(_ row: Waterfall.Row, _ scale: TimeScale) {
    let time = TimeScale.text(row.end - row.start)
    let label = row.label.cut(toColumns: Self.columns(Self.barStart - 70))
    write(label)
    write(time, x: Self.barStart - 12, as: "took")
    let words = Self.description(of: row)
    description.append(words)
    let kind = row.kind.rawValue
    body += "<g><title>\(Self.escaped(words))</title>\n"
    bar(kind, row.start..<row.end, scale)
    for silence in row.silences {
      bar("paper", silence, scale)
      bar("silent \(kind)", silence, scale, Self.thin)
    }
    if let end = row.queuedUntil { bar("queued", row.start..<end, scale) }
    if let first = row.firstText { bar("first", first..<first, scale) }
    if row.isBroken { bar("ending", row.end..<row.end, scale, Self.tall, least: 6) }
    body += "</g>\n"
    height += Self.row
  }

  /// A bar over `times`, `least` pixels wide at least.
  private mutating func bar(
    _ kind: String, _ times: Range<Int>, _ scale: TimeScale, _ rows: Range<Int> = usual,
    least: Int = 3
  ) {
    let start = scale.place(of: times.lowerBound)
    let length = max(least, scale.place(of: times.upperBound) - start)
    rect(kind, x: Self.barStart + start, rows, width: length)
  }

  private mutating func rect(_ kind: String, x: Int, _ rows: Range<Int>, width: Int) {
    body += "<rect class=\"\(kind)\" x=\"\(x)\" y=\"\(height + rows.lowerBound)\""
    body += " width=\"\(width)\" height=\"\(rows.count)\"/>\n"
  }

  private mutating func write(_ text: String, x: Int = margin, as kind: String? = nil) {
    let kind = kind.map { " class=\"\($0)\"" } ?? ""
    body += "<text\(kind) x=\"\(x)\" y=\"\(height + 14)\">\(Self.escaped(text))</text>\n"
  }

  /// The words for the bar of `row`.
  private static func description(of row: Waterfall.Row) -> String {
    func span(_ times: Range<Int>) -> String {
      "from \(TimeScale.text(times.lowerBound)) to \(TimeScale.text(times.upperBound))"
    }
    var words = ["\(row.label): \(span(row.start..<row.end))"]
    if let end = row.queuedUntil { words.append("queued until \(TimeScale.text(end))") }
    if let first = row.firstText { words.append("first text at \(TimeScale.text(first))") }
    words += row.silences.map { "no event \(span($0))" }
    if row.isBroken { words.append("not completed") }
    return words.joined(separator: "; ")
  }

  /// The characters that fit into `width` pixels.
  private static func columns(_ width: Int) -> Int { Int(Double(width - 2 * margin) / letter) }

  /// `text` as character data or as the value of an attribute (XML 1.0, sections 2.2 and 2.4).
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The colours keep a contrast of 3 to 1 at least for bars, and of 4.5 to 1 for text (WCAG 2.2,
  /// 1.4.3 and 1.4.11).
  private static let style = """
    <style>
    .oresp { color-scheme: light dark; font: 12px ui-monospace, Menlo, Consolas, monospace }
    .oresp .paper { fill: #ffffff }
    .oresp text { fill: #1f2328 }
    .oresp .name { font-weight: bold }
    .oresp text.broken { fill: #b42318 }
    .oresp .time { text-anchor: middle; fill: #57606a }
    .oresp .took { text-anchor: end; fill: #57606a }
    .oresp .tick { stroke: #d0d7de }
    .oresp .response { fill: #57606a }
    .oresp .reasoning { fill: #8250df }
    .oresp .search { fill: #0969da }
    .oresp .tool { fill: #9a6700 }
    .oresp .text { fill: #1a7f37 }
    .oresp .queued { fill: #ffffff; stroke: #57606a }
    .oresp .first { fill: #1f2328 }
    .oresp .ending { fill: #cf222e }
    @media (prefers-color-scheme: dark) {
    .oresp .paper { fill: #0d1117 }
    .oresp text { fill: #e6edf3 }
    .oresp text.broken { fill: #ff7b72 }
    .oresp .time, .oresp .took { fill: #9198a1 }
    .oresp .tick { stroke: #30363d }
    .oresp .response { fill: #9198a1 }
    .oresp .reasoning { fill: #ab7df8 }
    .oresp .search { fill: #4493f8 }
    .oresp .tool { fill: #d29922 }
    .oresp .text { fill: #3fb950 }
    .oresp .queued { fill: #0d1117; stroke: #9198a1 }
    .oresp .first { fill: #ffffff }
    .oresp .ending { fill: #f85149 }
    }
    </style>
    """
}
