/// Text that a server sends in place of an event, such as `data: upstream request timeout`. It is
/// the reason why its response has no end or, once another event follows, a thing to report.
struct StrayText {
  /// Whether such text, and heartbeats, are reported.
  let isReported: Bool
  /// The text that came last; `nil` when none came since the last event on the state of a response.
  private var last: Text?

  private struct Text {
    let words: [UInt8]
    let place: Notice.Place
    /// Whether it was reported, here or by another tool.
    var isReported: Bool
  }

  init(isReported: Bool) { self.isReported = isReported }

  /// Whether no text waits for what follows it.
  var isEmpty: Bool { last == nil }

  /// The text that `data` is, or spells as a JSON string; `nil` when it is another JSON value, or
  /// begins as one.
  static func words(of data: Span<UInt8>) -> [UInt8]? {
    switch data[0] {
    case ASCII.openBrace: return nil
    case ASCII.openBracket where !ASCII.isLetter(data.byte(at: 1)): return nil
    case ASCII.quote: return JSONScan.accepts(data) ? JSONString.decoded(data) : nil
    default: return JSONScan.accepts(data) ? nil : [UInt8](copying: data)
    }
  }

  /// Notes `data`, which came in place of an event; with `isReported` another tool reported it.
  mutating func note(
    _ data: Span<UInt8>, at place: Notice.Place, isReported: Bool, _ notices: inout InputNotices
  ) {
    report(&notices)
    last = Text(words: Self.words(of: data) ?? [], place: place, isReported: isReported)
  }

  /// Reports the text, as `event` follows it.
  mutating func noteNext(_ event: borrowing Event, _ notices: inout InputNotices) {
    guard let last, last.place.byte != event.place.byte else { return }
    report(&notices)
    if event.isOfChat || event.type?.family == .lifecycle { self.last = nil }
  }

  /// Reports the text, and forgets it, as its answer goes on.
  mutating func pass(_ notices: inout InputNotices) {
    report(&notices)
    last = nil
  }

  private mutating func report(_ notices: inout InputNotices) {
    guard let last, !last.isReported else { return }
    self.last?.isReported = true
    guard isReported else { return }
    let shown = String(decoding: last.words.span.extracting(first: 200)).debugDescription
    notices.report(.warning, "text in place of an event: \(shown)", at: last.place)
  }

  /// Takes the text at the end of a stream, if it is why a response `isOpen`; `nil` when it is no
  /// such reason, and was reported.
  mutating func takeReason(
    isOpen: Bool, _ notices: inout InputNotices
  ) -> (words: [UInt8], place: Notice.Place)? {
    guard let last else { return nil }
    if !isOpen { report(&notices) }
    self.last = nil
    return isOpen ? (last.words, last.place) : nil
  }
}
