import Core

/// The settings of `--timeline`.
package struct TimelineSettings: Sendable {
  package enum Form: String, CaseIterable, Sendable {
    case text, ascii, svg
  }

  package var form = Form.text

  package init() {}
}

extension EventsTool {
  static var timelineOptions: [Option<Settings>] {
    [
      .optionalValue(
        "timeline", "FORM", .oneOf(["ascii", "svg"]),
        help: "Draw the items of each response as bars over time.",
        detail: """
          The events need times, which `oresp-sse --stamp` adds while a stream comes in.
          `ascii` draws the bars in ASCII; `svg` prints a picture.
          Bars have colours on a terminal that is not dumb, unless `NO_COLOR` is set.
          See `Sx Timelines`.
          """
      ) { settings, form throws(Failure) in
        try settings.make(.timeline, true)
        guard let form = TimelineSettings.Form(rawValue: form ?? "text") else {
          throw .usage("expected ascii or svg, got \(form ?? "")")
        }
        settings.timeline.form = form
      }
    ]
  }

  /// Draws the timelines of the responses in the files.
  static func drawTimelines(
    _ settings: TimelineSettings, _ job: Job
  ) throws(Failure) -> ExitStatus {
    guard settings.form != .svg else { return try job.run(TimelineFilter(SVGTimeline())) }
    var job = job
    let notifier = job.notifier
    let hasColours =
      notifier.stdout.isTerminal && notifier.variable("NO_COLOR") == nil
      && notifier.variable("TERM") ?? "dumb" != "dumb"
    // All that it draws is harmless, but its colours would not stay.
    if hasColours { job.notifier.settings.sanitizes = false }
    let isASCII = settings.form == .ascii || !notifier.usesUTF8
    return try job.run(
      TimelineFilter(
        TextTimeline(isASCII ? .ascii : .unicode, width: notifier.columns, hasColours: hasColours)))
  }
}
