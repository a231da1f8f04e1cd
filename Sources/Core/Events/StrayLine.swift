/// The first line of an input that is neither JSON nor a field of an event stream. It is reported
/// once a block or a value comes; an input without them is binary data or plain text.
struct StrayLine {
  /// Its beginning, quoted, until it is reported.
  private(set) var shown: String?
  private(set) var isBinary = false
  private var place: Notice.Place?

  /// How an input that is plain text begins, quoted; `nil` for another.
  var words: String? { isBinary ? nil : shown }

  /// Notes `line`, if it is the first.
  mutating func note(_ line: Span<UInt8>, at place: Notice.Place) {
    guard self.place == nil else { return }
    shown = Self.shown(line)
    self.place = place
    isBinary =
      line.firstIndex(of: 0) != nil || FileKind.of(line).map { $0.content != .text } == true
  }

  /// Reports the line, as a block came or, with `isBeforeValues`, a JSON value: lines in front of
  /// that are broken, but for the headers of `curl -i`.
  mutating func report(isBeforeValues: Bool = false, _ notices: inout InputNotices) {
    guard let shown, let place else { return }
    self.shown = nil
    if isBeforeValues, !shown.hasPrefix("\"HTTP/") {
      notices.report(.error, "not JSON: \(shown)", at: place)
    } else {
      notices.report(.warning, "skipped, not a field of an event stream: \(shown)", at: place)
    }
  }

  /// The beginning of `text`, quoted.
  static func shown(_ text: Span<UInt8>) -> String {
    String(decoding: text.extracting(first: 40)).debugDescription
  }
}
