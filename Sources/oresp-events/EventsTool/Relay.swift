import Core

extension EventsTool {
  /// Hands selected events on, as `--split`, `--status`, `--pace` and `--merge` ask.
  static func relay(_ settings: Settings, _ job: Job) throws(Failure) -> ExitStatus {
    let filter = SelectFilter(settings)
    guard let path = settings.folder else { return try show(filter, settings, job) }
    let folder = try FileFolder(path, replaces: settings.replacesFiles)
    return try show(SplitFilter(filter, into: folder), settings, job)
  }

  /// Runs `filter`, and shows the status if `--status` asks for it.
  private static func show<Events: EventFilter & ~Copyable>(
    _ filter: consuming Events, _ settings: Settings, _ job: Job
  ) throws(Failure) -> ExitStatus {
    let asked = settings.relay
    guard let form = asked.status, settings.notices.reports(.status) else {
      return try relay(filter, settings, job)
    }
    let notifier = job.notifier
    var screen = StatusScreen(
      Self.form(form, settings.notices, notifier),
      givesWay: notifier.stderr.isTerminal && notifier.stdout.leadsToProgram,
      width: { notifier.stderr.columns ?? 80 })
    screen.waitForText = { Clock.pause(milliseconds: 30) }
    return try relay(StatusFilter(filter, on: screen), settings, job)
  }

  private static func relay<Events: EventFilter & ~Copyable>(
    _ filter: consuming Events, _ settings: Settings, _ job: Job
  ) throws(Failure) -> ExitStatus {
    guard settings.relay.merges || settings.relay.speed != nil else {
      return try job.run(
        filter, needing: .objectsUnlessEmpty, needsMeaning: settings.relay.status != nil)
    }
    guard !job.responses.isEmpty else { return try replay(filter, settings, job) }
    return try replay(ResponseSelectFilter(filter, job.responses), settings, job)
  }

  /// Runs `filter` on events with their recorded timing, or from several files at once.
  private static func replay<Events: EventFilter & ~Copyable>(
    _ filter: consuming Events, _ settings: Settings, _ job: Job
  ) throws(Failure) -> ExitStatus {
    let asked = settings.relay
    guard asked.merges else {
      let speed = asked.speed ?? 1
      return try job.pump(
        EventPipe(
          filter, reading: job.reading, needing: .objectsUnlessEmpty, skims: false,
          through: PaceGate(speed: speed)))
    }
    var stdout = job.notifier.stdout
    var join = try JoinRun(
      filter, job, pacer: asked.speed.map(Pacer.init), reportsHoles: !settings.keepsPartial,
      to: stdout)
    let status = try join.run()
    try stdout.close()
    return status
  }

  /// The form of the status, where `--status` was given as `form`.
  private static func form(
    _ form: String, _ notices: NoticeSettings, _ notifier: Notifier
  ) -> StatusScreen.Form {
    // Where notices are lines of JSON, nothing else stands between them.
    if form == "json" || notices.form == .json { return .json }
    let isTerminal = notifier.stderr.isTerminal
    // On one terminal events would scroll through a line that moves.
    let isFree = !notifier.stdout.isTerminal
    guard form.isEmpty, isTerminal, isFree, notifier.variable("TERM") ?? "dumb" != "dumb" else {
      return .lines
    }
    return .moving(hasSigns: notifier.usesUTF8)
  }
}

extension Notifier {
  /// Whether the locale that the environment names writes UTF-8.
  var usesUTF8: Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.lazy.compactMap(variable).first?.lowercased() ?? ""
    return locale.contains("utf-8") || locale.contains("utf8")
  }
}
