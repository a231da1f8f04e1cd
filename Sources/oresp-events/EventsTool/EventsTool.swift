package import Core

extension Option<EventsTool.Settings> {
  /// An option that asks for `product`.
  static func product(
    _ name: String, _ short: Character?, _ product: EventsTool.Product, help: String,
    detail: String = ""
  ) -> Self {
    .action(name, short, help: help, detail: detail) { settings, isOn throws(Failure) in
      try settings.make(product, isOn)
    }
  }
}

/// `oresp-events`: selects events, and makes other things of them.
package enum EventsTool {
  /// The output to make of the events.
  package enum Product: String, Sendable {
    /// The lines of selected events, unchanged.
    case events
    /// Rebuilt Response objects.
    case response
    /// Output items that have ended.
    case items
    /// Calls of tools.
    case calls
    /// Sources and citations.
    case citations
    /// The token usage of each response.
    case usage
    /// The cost of each response.
    case cost
    /// Figures of each response.
    case stats
    /// Pictures of each response over time.
    case timeline
    /// A report of faults in the stream.
    case check
    /// The catalogue; nothing is read.
    case types
  }

  /// The settings of the command line.
  package struct Settings: ReadingSettings {
    package var notices = NoticeSettings()
    package var reading = EventReader.Settings()
    package var product = Product.events
    package var selection = SelectSettings()
    package var responses = ResponseSelection()
    package var relay = RelaySettings()
    /// Whether a response without an end is rebuilt, too.
    package var keepsPartial = false
    /// Whether only calls that need an output are printed.
    var callsPendingOnly = false
    /// The folder of the files of `--split`, and whether they replace others.
    var folder: String?
    var replacesFiles = false
    /// Whether nothing but the selection is printed.
    package var isExact = false
    /// The file of prices.
    var prices: String?
    var timeline = TimelineSettings()
    var check = CheckSettings()
    package init() {}

    /// Whether it selects, which only products that print events do.
    var isSelecting: Bool {
      selection.narrows || selection.printsCount || selection.needsOne || selection.keepsEnds
        || !responses.isEmpty || folder != nil
    }

    /// How lines on the ends of responses are handled.
    var ownEnds: OwnEnds {
      var ends = OwnEnds()
      ends.passes = product == .events && !selection.printsCount && !isExact
      let isProduct = product == .items || product == .calls
      let narrows = ends.passes && selection.narrows && !selection.keepsEnds
      ends.writesMissing = (narrows || isProduct) && !isExact
      if !isExact, isProduct || [.events, .response].contains(product) {
        ends.marks = folder == nil ? .written : .removed
      }
      return ends
    }

    /// Whether its events show a tool behind how each response ended.
    var showsEnds: Bool {
      if product == .response { return keepsPartial && !isExact }
      return folder == nil && (ownEnds.passes || ownEnds.writesMissing)
    }

    /// Sets the product, or with `isOn` false unsets it; no two go together.
    mutating func make(_ product: Product, _ isOn: Bool) throws(Failure) {
      if isOn {
        guard self.product == .events || self.product == product else {
          throw .usage("cannot be combined with --\(self.product.rawValue)")
        }
        self.product = product
      } else if self.product == product {
        self.product = .events
      }
    }

    /// Checks options against each other.
    func checkTogether() throws(Failure) {
      // The globs for types narrow the catalogue.
      var others = self
      if product == .types { others.selection.types = TypeSelection() }
      // Most products are made of whole responses.
      if product != .types, product != .check { others.responses = ResponseSelection() }
      if product != .events, others.isSelecting {
        throw .usage(
          "--\(product.rawValue) uses all events: leave out options that select, such as -t or -e")
      }
      if product != .events, let option = relay.option {
        throw .usage("\(option) and --\(product.rawValue) cannot be combined")
      }
      if product != .response, !relay.merges, keepsPartial {
        throw .usage("--partial needs --response or --merge")
      }
    }
  }

  package static var command: Command<Settings> {
    Command(
      "oresp-events", summary: "select and judge the events of a response",
      operands: "[FILE]...", takesFiles: true,
      example: "oresp-send -m MODEL 'Why is the sky blue?' | oresp-events --usage",
      options: options,
      usual: [
        "type", "type-not", "exact", "count", "exit-status", "keep-ends", "response", "items",
        "calls", "citations", "usage", "cost", "prices", "stats", "timeline", "check", "types",
        "status", "pace", "merge",
      ], elsewhere: elsewhere, settings: Settings(), perform: perform)
  }

  static var options: [Option<Settings>] {
    selectOptions.grouped("Selecting events")
      + outputOptions.grouped("Printing the selection")
      + (rebuildOptions + usageOptions + timelineOptions + checkOptions + typesOptions).grouped(
        "Printing something else")
      + ([.untilEnd] + relayOptions).grouped("While reading")
  }

  private static func perform(
    _ settings: Settings, _ files: [String], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    try settings.checkTogether()
    var settings = settings
    settings.responses.mayMiss = settings.selection.needsOne
    settings.notices.hasJudgeBehind = settings.showsEnds && notifier.feedsTool
    var notifier = notifier
    notifier.settings = settings.notices
    let hints = settings.selection.types.hints + settings.selection.place.hints
    for hint in hints { notifier.report(Notice(.warning, hint)) }
    var reading = settings.reading
    reading.marksErrors =
      settings.ownEnds.marks == .written && notifier.marking?.reports(.error) == true
    let job = Job(
      files: files, notifier: notifier, reading: reading, responses: settings.responses)
    switch settings.product {
    case .events: return try relay(settings, job)
    case .response: return try job.run(RebuildFilter(ResponsePrinter(settings), settings.ownEnds))
    case .items: return try job.run(RebuildFilter(ItemPrinter(), settings.ownEnds))
    case .calls:
      return try job.run(
        RebuildFilter(CallPrinter(pendingOnly: settings.callsPendingOnly), settings.ownEnds))
    case .citations: return try job.run(RebuildFilter(CitationPrinter()))
    case .usage: return try job.run(UsageFilter())
    case .cost: return try job.run(costFilter(settings))
    case .stats: return try job.run(StatsFilter())
    case .timeline: return try drawTimelines(settings.timeline, job)
    case .check: return try job.pump(checkPipe(settings.check, job.reading))
    case .types: return try printTypes(settings, job)
    }
  }
}
