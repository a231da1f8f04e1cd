import Core

/// A step that a text passes on its way out, in pieces cut anywhere.
protocol TextStage {
  /// Takes the next piece of the text, and appends what is known to go on.
  mutating func take(_ text: Span<UInt8>, into output: inout [UInt8])

  /// Takes the end of the text, and appends what is left of it. Another text may follow.
  mutating func end(into output: inout [UInt8])

  /// What is to be told since this was asked last.
  mutating func takeNotices() -> [Notice]

  /// What a stage looked for and never found.
  var missing: String? { get }
}

extension TextStage {
  mutating func end(into output: inout [UInt8]) {}

  mutating func takeNotices() -> [Notice] { [] }

  var missing: String? { nil }
}

/// Shows each NUL as U+FFFD.
private struct NULStage: TextStage {
  mutating func take(_ text: Span<UInt8>, into output: inout [UInt8]) {
    var start = 0
    while let index = text.firstIndex(of: 0, from: start) {
      output.append(copying: text.extracting(start..<index))
      output.append("\u{FFFD}")
      start = index + 1
    }
    output.append(copying: text.extracting(start...))
  }
}

/// Lets nothing through.
private struct ClosedStage: TextStage {
  mutating func take(_ text: Span<UInt8>, into output: inout [UInt8]) {}
}

/// The stages that texts pass one after another, chosen once. Without any, a text goes out as it is.
struct TextStages {
  private let style: TextStyle
  /// The first stage, to which citations are told.
  private var marker: CitationMarker?
  private var others: [any TextStage]

  /// The stages of messages, or of the other texts.
  init(ofMessages isMessage: Bool, _ style: TextStyle) {
    self.style = style
    if isMessage, style.citations != .none {
      marker = CitationMarker(puts: style.citations != .only)
    }
    others = isMessage ? Self.stages(style) : style.forbidsNUL ? [NULStage()] : []
  }

  private static func stages(_ style: TextStyle) -> [any TextStage] {
    var stages: [any TextStage] = []
    if style.stripsTracking { stages.append(TrackingStripper()) }
    if style.forbidsNUL { stages.append(NULStage()) }
    if style.citations == .only { stages.append(ClosedStage()) }
    let form = style.form
    if form.takesBlocks {
      // JSON has no NUL, so that is what its blocks are told apart by.
      let endsInNUL = style.ending == .nul || form.parses
      stages.append(FenceExtractor(language: form.language, endingInNUL: endsInNUL))
    }
    if form.parses { stages.append(JSONStage(form, endingInNUL: style.ending == .nul)) }
    return stages
  }

  var isEmpty: Bool { marker == nil && others.isEmpty }

  /// Whether citations are marked, and what is cited is numbered.
  var marksCitations: Bool { marker != nil }

  /// What the messages of the response cite so far.
  var sources: CitedSources { marker?.sources ?? CitedSources() }

  /// The number of what `citation` cites.
  mutating func number(of citation: Citation) -> Int { marker?.number(of: citation) ?? 0 }

  /// Takes a citation of the text.
  mutating func cite(_ placed: Section.PlacedCitation, into output: inout [UInt8]) {
    var marked: [UInt8] = []
    marker?.add(placed.citation, at: placed.place, into: &marked)
    pass(marked.span, from: 0, into: &output)
  }

  /// Takes the next piece of the text.
  mutating func take(_ text: Span<UInt8>, into output: inout [UInt8]) {
    guard marker != nil else { return pass(text, from: 0, into: &output) }
    var marked: [UInt8] = []
    marker?.take(text, into: &marked)
    pass(marked.span, from: 0, into: &output)
  }

  /// Takes the end of the text. Returns the numbers of the sources that it cites, in order.
  mutating func end(into output: inout [UInt8]) -> [Int] {
    var rest: [UInt8] = []
    let cited = marker?.finish(into: &rest) ?? []
    pass(rest.span, from: 0, into: &output)
    for index in others.indices {
      rest = []
      others[index].end(into: &rest)
      pass(rest.span, from: index + 1, into: &output)
    }
    return cited
  }

  /// Numbers sources from 1 again.
  mutating func endResponse() {
    if marker != nil { marker = CitationMarker(puts: style.citations != .only) }
  }

  /// Forgets the messages before, which are not printed.
  mutating func forget() { others = Self.stages(style) }

  /// What is to be told since this was asked last.
  mutating func takeNotices() -> [Notice] {
    others.indices.flatMap { others[$0].takeNotices() }
  }

  /// What the stages looked for and never found.
  var missing: String? { others.lazy.compactMap(\.missing).first }

  /// Passes `text` through the stages from `index` on.
  private mutating func pass(_ text: Span<UInt8>, from index: Int, into output: inout [UInt8]) {
    guard !text.isEmpty else { return }
    switch others.count - index {
    case ...0: output.append(copying: text)
    case 1: others[index].take(text, into: &output)
    default:
      var next: [UInt8] = []
      others[index].take(text, into: &next)
      pass(next.span, from: index + 1, into: &output)
    }
  }
}
