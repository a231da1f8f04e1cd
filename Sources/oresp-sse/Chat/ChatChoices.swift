import Core

/// Turns the choices of Chat Completions into responses: the first choice alone, or each. The
/// events of the others come after the end of the first.
struct ChatChoices {
  /// The lines of events, and the messages, that nobody has taken yet.
  private var events: [[UInt8]] = []
  private var notes: [Notice] = []

  private let isAll: Bool
  /// One for each choice that is used.
  private var translators = [ChatTranslator()]
  private var reported: Set<String> = []

  /// The most choices that a request can ask for; more are left out.
  private static let most = 128

  init(all isAll: Bool) { self.isAll = isAll }

  /// Whether an answer is open.
  var isOpen: Bool { translators[0].isOpen }

  /// Returns what was made since the last call.
  mutating func takeAll() -> (events: [[UInt8]], notes: [Notice]) {
    defer { (events, notes) = ([], []) }
    return (events, notes)
  }

  /// Appends an object of any kind. False when it is not from Chat Completions.
  mutating func append(_ object: Span<UInt8>) -> Bool {
    guard translators[0].append(object) else { return false }
    let others = translators[0].others
    let known = isAll ? others.filter { 1..<Self.most ~= $0 } : []
    while translators.count <= known.max() ?? 0 {
      translators.append(ChatTranslator(choice: translators.count))
    }
    for number in 1..<translators.count { _ = translators[number].append(object) }
    if known.count < others.count {
      let why = "an answer beside the first (choices[1]) is left out"
      let way = isAll ? "its number is another's, or above 127" : "--choice=all keeps each"
      report(Notice(.error, "\(why); \(way)"))
    }
    collect()
    return true
  }

  mutating func endInput() {
    each { $0.endInput() }
    collect(all: true)
  }

  /// Has the translator of each choice do `work`.
  mutating func each(_ work: (inout ChatTranslator) -> Void) {
    for number in translators.indices { work(&translators[number]) }
    collect()
  }

  /// Takes over what the translators made; with `all`, from those too that wait for the first.
  private mutating func collect(all: Bool = false) {
    for number in translators.indices where number == 0 || all || !isOpen {
      events += translators[number].events
      for note in translators[number].notes { report(Notice(.warning, note)) }
      (translators[number].events, translators[number].notes) = ([], [])
    }
  }

  private mutating func report(_ note: Notice) {
    if reported.insert(note.message).inserted { notes.append(note) }
  }
}
