import Core

/// The input of a filter, and where its output goes.
struct Job {
  let files: [String]
  var notifier: Notifier
  let reading: EventReader.Settings
  let responses: ResponseSelection

  /// Runs the events of the files through `filter`. Without `needed` the input must have one with a
  /// type, and without `needsMeaning` one with a type that is known.
  func run<Events: EventFilter & ~Copyable>(
    _ filter: consuming Events, needing needed: EventsNeeded = .typed, needsMeaning: Bool = true
  ) throws(Failure) -> ExitStatus {
    guard !responses.isEmpty else {
      return try pump(
        EventPipe(filter, reading: reading, needing: needed, needsMeaning: needsMeaning))
    }
    return try pump(
      EventPipe(
        ResponseSelectFilter(filter, responses), reading: reading, needing: needed,
        needsMeaning: needsMeaning))
  }

  /// Moves the bytes of the files through `filter`.
  func pump<Bytes: Filter & ~Copyable>(_ filter: consuming Bytes) throws(Failure) -> ExitStatus {
    try Core.pump(filter, from: files, with: notifier)
  }
}
