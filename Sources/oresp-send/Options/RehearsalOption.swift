import Core

extension SendSettings {
  static var rehearsalOption: Option<Self> {
    .optionalValue(
      "rehearse", "OUTCOME", .oneOf(Rehearsal.Outcome.allCases.map(\.rawValue)),
      help: "Send nothing; play a made-up answer, or @FILE.",
      detail: """
        It needs no key, no model and no network. `OUTCOME` is how the answer ends, one of
        \(Rehearsal.names): see `Sx REHEARSING`.
        """
    ) { settings, text throws(Failure) in
      settings.rehearsal = try Rehearsal(text)
      settings.request.fallbackModel = Rehearsal.model
      settings.request.needsInput = false
    }.reading { [(try? Rehearsal($0))?.recording].compactMap(\.self) }
  }

  /// Makes the run a rehearsal if `ORESP_REHEARSE` is set. A run that sends nothing only gets a
  /// default for its model.
  mutating func rehearse(_ notifier: Notifier) throws(Failure) {
    guard rehearsal == nil, let wanted = notifier.variable(Rehearsal.variable) else { return }
    request.fallbackModel = Rehearsal.model
    guard !isDryRun, list == nil else { return }
    rehearsal = try within(Rehearsal.variable, try Rehearsal(wanted))
    let what = "a rehearsal answers, and no server is asked"
    // With `-q`, too: the variable may be left over, and its answer would pass for a server's.
    var notifier = notifier
    notifier.settings.isQuiet = false
    notifier.report(Notice(.warning, "\(Rehearsal.variable)=\(wanted): \(what)"))
  }
}
