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
  /// What is to be made of the events. At most one of these is asked for.
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
    /// What each response costs.
    case cost
    /// Figures of each response.
    case stats
    /// Pictures of each response over time.
    case timeline
    /// A report of what is wrong with the stream.
    case check
    /// The catalogue; nothing is read.
    case types
  }

  /// What the command line asks for.
  package struct Settings: ReadingSettings {
    package var notices = NoticeSettings()
    package var reading = EventReader.Settings()
    package var product = Product.events
    package var types = TypeSelection()
    /// Whether a response whose end is missing is rebuilt, too.
    package var keepsPartial = false
    /// Whether calls are printed only that wait for an output.
    package var callsPendingOnly = false
    package var relay = RelaySettings()
    package var place = PlaceSelection()
    package var responses = ResponseSelection()
    /// The folder of the files of `--split`, and whether they replace files that are there.
    package var folder: String?
    package var replacesFiles = false
    /// How many events are selected at most.
    package var limit: Int?
    /// Whether the number of selected events is printed in place of them.
    package var tellsCount = false
    /// Whether selecting nothing is status 1.
    package var needsOne = false
    /// Whether the ends of responses are printed besides.
    package var keepsEnds = false
    /// Whether nothing is printed but what was selected.
    package var isExact = false
    /// The file of prices.
    package var prices: String?
    package var timeline = TimelineSettings()
    package var check = CheckSettings()

    package init() {}

    /// Whether something was asked for that only lines of events can be.
    var isSelecting: Bool {
      !types.isEmpty || !place.isEmpty || !responses.isEmpty || limit != nil || tellsCount
        || needsOne || keepsEnds || folder != nil
    }

    /// What becomes of the lines that report how responses ended.
    var ownEnds: OwnEnds {
      var ends = OwnEnds()
      ends.passes = product == .events && !tellsCount
      let narrows = !types.isEmpty || !place.isEmpty || limit != nil
      let isProduct = product == .items || product == .calls
      ends.writes = (ends.passes && narrows && !keepsEnds || isProduct) && !isExact
      ends.isSetAside = folder != nil
      ends.notices = notices
      return ends
    }

    /// Asks for `product`, or takes that back; no two go together.
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

    /// Checks what no option can check alone.
    func checkTogether() throws(Failure) {
      // The catalogue is narrowed by the types that select events.
      var others = self
      if product == .types { others.types = TypeSelection() }
      // Whole responses are what most products are made of.
      if product != .types, product != .check { others.responses = ResponseSelection() }
      if product != .events, others.isSelecting {
        throw .usage("--\(product.rawValue) uses all events: leave out options that select some")
      }
      if product != .events, let option = relay.option {
        throw .usage("\(option) and --\(product.rawValue) cannot be combined")
      }
      if product != .response, relay.merge == nil, keepsPartial {
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
        "type", "type-not", "count", "exit-status", "keep-ends", "response", "items",
        "calls", "citations", "usage", "cost", "prices", "stats", "timeline", "check", "types",
        "status",
        "pace",
        "merge",
      ], elsewhere: elsewhere, settings: Settings(), perform: perform)
  }

  static var options: [Option<Settings>] {
    (selectOptions + placeOptions + responseOptions).grouped("Selecting events")
      + outputOptions.grouped("Printing the selection")
      + (rebuildOptions + usageOptions + timelineOptions + checkOptions + typesOptions).grouped(
        "Printing something else")
      + ([.untilEnd] + relayOptions).grouped("While reading")
  }

  private static func perform(
    _ settings: Settings, _ files: [String], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    try settings.checkTogether()
    for hint in settings.types.hints { notifier.report(Notice(.warning, hint)) }
    let job = Job(
      files: files, notifier: notifier, reading: settings.reading, responses: settings.responses)
    switch settings.product {
    case .events: return try relay(settings, job)
    case .response: return try job.run(RebuildFilter(ResponsePrinter(settings)))
    case .items: return try job.run(RebuildFilter(ItemPrinter(), settings.ownEnds))
    case .calls:
      return try job.run(
        RebuildFilter(CallPrinter(pendingOnly: settings.callsPendingOnly), settings.ownEnds))
    case .citations: return try job.run(RebuildFilter(CitationPrinter()))
    case .usage: return try job.run(RecordFilter(UsagePrinter()))
    case .cost: return try job.run(RecordFilter(costPrinter(settings)))
    case .stats: return try job.run(RecordFilter(StatsPrinter()))
    case .timeline: return try drawTimelines(settings.timeline, job)
    case .check: return try job.pump(checkPipe(settings.check, job.reading))
    case .types: return try printTypes(settings, job)
    }
  }
}
