import Core

/// Makes events of what comes of Chat Completions: a response of the first choice alone, or one of
/// each. These come one after the other: those of the other choices wait for the end of the first.
struct ChatChoices {
  /// The lines of the events that were made, and what is left out or guessed; whoever gives them on
  /// takes them away.
  private(set) var events: [[UInt8]] = []
  private(set) var notes: [Notice] = []

  private let isAll: Bool
  /// One for each choice, as far as they are used.
  private var translators = [ChatTranslator()]
  private var told: Set<String> = []

  /// As many choices as the API can be asked for; more are left out.
  private static let most = 128

  init(all isAll: Bool) { self.isAll = isAll }

  /// Whether an answer is open.
  var isOpen: Bool { translators[0].isOpen }

  /// Gives away what was made and noted.
  mutating func takeAll() -> (events: [[UInt8]], notes: [Notice]) {
    defer { (events, notes) = ([], []) }
    return (events, notes)
  }

  /// Appends `object`, whatever it is. False when it is nothing of Chat Completions.
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

  /// Ends the answers by an error that came in place of what was still to come.
  mutating func fail(_ error: APIError) { each { $0.fail(error) } }

  /// Ends the answers by the mark `[DONE]`: nothing more comes of them.
  mutating func endStream() { each { $0.endStream() } }

  /// Ends the input: what has ended by then is over, and what has not was cut.
  mutating func endInput() {
    each { $0.endInput() }
    collect(all: true)
  }

  /// Begins something else: an answer that has not ended by then was cut.
  mutating func interrupt() { each { $0.interrupt() } }

  private mutating func each(_ body: (inout ChatTranslator) -> Void) {
    for number in translators.indices { body(&translators[number]) }
    collect()
  }

  private mutating func collect(all: Bool = false) {
    for number in translators.indices where number == 0 || all || !isOpen {
      events += translators[number].events
      for note in translators[number].notes { report(Notice(.warning, note)) }
      (translators[number].events, translators[number].notes) = ([], [])
    }
  }

  private mutating func report(_ note: Notice) {
    if told.insert(note.message).inserted { notes.append(note) }
  }
}
