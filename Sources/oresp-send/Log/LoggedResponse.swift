import Core

/// Reads out of a reply, as it goes by, what a log tells of its response. Of several responses the
/// last counts.
struct LoggedResponse: ~Copyable {
  private var reader = EventReader(EventReader.Settings())
  private var input = InputBuffer()
  /// Most events tell nothing of this, and cost next to nothing when they are not handed on.
  private let triage = EventTriage(unknown: .drop) { _ in .drop }
  private(set) var id = ""
  private(set) var model = ""
  private(set) var state = ""
  private(set) var usage: JSONValue?

  mutating func take(_ bytes: Span<UInt8>) {
    input.append(bytes)
    var passed: [UInt8] = []
    while let event = reader.next(&input, triage, passingTo: &passed) { note(event) }
    _ = reader.takeSkimmed()
    reader.notices = []
  }

  mutating func finish() {
    while let event = reader.finish(&input) { note(event) }
  }

  private mutating func note(_ event: Event) {
    guard event.type?.row.family == .lifecycle else { return }
    let line = event.place.map { Array(input.bytes[$0]) } ?? reader.made
    read(line.span)
  }

  private mutating func read(_ line: Span<UInt8>) {
    id = JSONChildren.text(of: "response", "id", in: line)
    model = JSONChildren.text(of: "response", "model", in: line)
    state = JSONChildren.text(of: "response", "status", in: line)
    usage = nil
    guard let value = JSONChildren.value(of: "response", "usage", in: line) else { return }
    let text = line.extracting(value)
    // Line breaks can stand between tokens only; what is no JSON is not an object here.
    guard !text.isEmpty, text[0] == ASCII.openBrace else { return }
    usage = .raw([UInt8](copying: text).filter { $0 != ASCII.lf && $0 != ASCII.cr })
  }
}
