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
    ) { settings, text throws(Failure) in settings.rehearsal = try Rehearsal(text) }
  }
}

extension SendSettings {
  /// Has what would be sent rehearsed if `ORESP_REHEARSE` says so.
  mutating func rehearse(_ notifier: Notifier) throws(Failure) {
    guard rehearsal == nil, !isDryRun, !request.listsTools, !request.presets.areListed,
      !access.listsProviders,
      request.presets.savedName == nil, let wanted = notifier.variable(Rehearsal.variable)
    else { return }
    rehearsal = try telling(of: Rehearsal.variable, try Rehearsal(wanted))
    rehearsal?.isFromEnvironment = true
    notifier.tell(
      Notice(.warning, "nothing is sent: \(Rehearsal.variable) asks for the rehearsal \(wanted)"))
  }
}
