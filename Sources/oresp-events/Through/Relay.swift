import Core

extension EventsTool {
  /// Hands selected events on, and does on the way what `--status`, `--pace` and `--merge` ask for.
  static func relay(
    _ settings: Settings, _ job: Job
  ) throws(Failure) -> ExitStatus {
    let asked = settings.relay
    guard asked.statusFile == nil || asked.status != nil else {
      throw .usage("--status-text goes with --status")
    }
    let filter = SelectFilter(settings)
    guard let form = asked.status else { return try relay(filter, settings, job) }
    var wording = StatusWording()
    if let file = asked.statusFile {
      wording = try StatusWording(Descriptor(reading: file).readAll(), from: file)
    }
    let screen = StatusScreen(Self.form(form, settings.notices), wording: wording)
    return try relay(StatusFilter(filter, on: screen), settings, job)
  }

  private static func relay<Events: EventFilter & ~Copyable>(
    _ filter: consuming Events, _ settings: Settings, _ job: Job
  ) throws(Failure) -> ExitStatus {
    let asked = settings.relay
    guard asked.merges || asked.speed != nil else { return try job.run(filter) }
    if job.isQuiet {
      let muted = MutedFilter(filter)
      return try job.pump(RelayPipe(muted, merges: asked.merges, speed: asked.speed))
    }
    return try job.pump(RelayPipe(filter, merges: asked.merges, speed: asked.speed))
  }

  /// How the status is shown, where `--status` was given as `form`.
  private static func form(_ form: String, _ notices: NoticeSettings) -> StatusScreen.Form {
    guard notices.tells(.status) else { return .none }
    if form == "json" || form.isEmpty && notices.form == .json { return .json }
    let isTerminal = Descriptor(borrowing: 2, name: "stderr").isTerminal
    // A line that moves and events that scroll by do not go together on one terminal.
    let isFree = !Descriptor(borrowing: 1, name: "stdout").isTerminal
    guard form.isEmpty, isTerminal, isFree, environment("TERM") ?? "dumb" != "dumb" else {
      return .lines
    }
    return .moving(hasSigns: usesUTF8)
  }

  /// Whether the locale that the environment names writes UTF-8.
  private static var usesUTF8: Bool {
    let locale = environment("LC_ALL") ?? environment("LC_CTYPE") ?? environment("LANG") ?? ""
    return locale.lowercased().contains("utf-8") || locale.lowercased().contains("utf8")
  }
}
