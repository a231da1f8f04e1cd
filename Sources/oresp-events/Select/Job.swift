import Core

/// The input of a filter, and where its output goes.
struct Job {
  let files: [String]
  var notifier: Notifier
  let reading: EventReader.Settings
  let responses: ResponseSelection

  /// Runs the events of the files through `filter`. Without `needed` the input must have one with a
  /// type.
  func run<Events: EventFilter & ~Copyable>(
    _ filter: consuming Events, needing needed: EventsNeeded = .typed
  ) throws(Failure) -> ExitStatus {
    guard !responses.isEmpty else {
      return try pump(EventPipe(filter, reading: reading, needing: needed))
    }
    return try pump(
      EventPipe(ResponseSelectFilter(filter, responses), reading: reading, needing: needed))
  }

  /// Moves the bytes of the files through `filter`.
  func pump<Bytes: Filter & ~Copyable>(_ filter: consuming Bytes) throws(Failure) -> ExitStatus {
    try Core.pump(filter, from: files, with: notifier)
  }
}
