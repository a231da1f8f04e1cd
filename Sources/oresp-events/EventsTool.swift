package import Core

/// `oresp-events`: selects events, and makes other things of them.
package enum EventsTool {
  /// What is to be made of the events. At most one of these is asked for.
  package enum Product: String, Sendable {
    /// The lines of selected events, unchanged.
    case events
    /// The token usage of each response.
    case usage
    /// What each response costs.
    case cost
    /// Figures of each response.
    case stats
  }

  /// What the command line asks for.
  package struct Settings: CommonSettings {
    package var notices = NoticeSettings()
    package var product = Product.events
    package var types = TypeSelection()
    package var place = PlaceSelection()
    /// How many events are selected at most.
    package var limit: Int?
    /// Whether the number of selected events is printed in place of them.
    package var tellsCount = false
    /// Whether selecting nothing is status 1.
    package var needsOne = false
    /// Whether the ends of responses are printed besides.
    package var keepsEnds = false
    /// The file of prices.
    package var prices: String?

    package init() {}

    /// Whether something was asked for that only lines of events can be.
    var isSelecting: Bool {
      !types.isEmpty || !place.isEmpty || limit != nil || tellsCount || needsOne || keepsEnds
    }

    /// Asks for `product`, which `option` names; no two go together.
    mutating func make(_ product: Product, option: String) throws(Failure) {
      guard self.product == .events || self.product == product else {
        throw .usage("\(option) and --\(self.product.rawValue) exclude each other")
      }
      self.product = product
    }

    /// Asks for `product`, or takes that back.
    mutating func make(_ product: Product, _ isOn: Bool, option: String) throws(Failure) {
      if isOn {
        try make(product, option: option)
      } else if self.product == product {
        self.product = .events
      }
    }

    /// Checks what no option can check alone.
    func check() throws(Failure) {
      if product != .events, isSelecting {
        throw .usage("--\(product.rawValue) is made of all events; select none for it")
      }
      if product != .cost, prices != nil { throw .usage("--prices goes with --cost only") }
    }
  }

  package static var command: Command<Settings> {
    Command(
      "oresp-events", summary: "select and judge the events of a response",
      operands: "[FILE]...", takesFiles: true, options: options, settings: Settings(),
      perform: perform)
  }

  private static func perform(
    _ settings: Settings, _ files: [String], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    try settings.check()
    let isQuiet = settings.notices.isQuiet
    for hint in settings.types.hints { notifier.tell(Notice(.warning, hint)) }
    switch settings.product {
    case .events: return try run(SelectFilter(settings), files, notifier, quiet: isQuiet)
    case .usage: return try run(UsageFilter(), files, notifier, quiet: isQuiet)
    case .cost: return try run(costFilter(settings), files, notifier, quiet: isQuiet)
    case .stats: return try run(StatsFilter(), files, notifier, quiet: isQuiet)
    }
  }

  private static func run<Events: EventFilter & ~Copyable>(
    _ filter: consuming Events, _ files: [String], _ notifier: Notifier, quiet isQuiet: Bool
  ) throws(Failure) -> ExitStatus {
    let settings = EventReader.Settings()
    if isQuiet {
      let pipe = EventPipe(MutedFilter(filter), reading: settings, needing: .none)
      return try pump(pipe, from: files, telling: notifier)
    }
    let pipe = EventPipe(filter, reading: settings, needing: .none)
    return try pump(pipe, from: files, telling: notifier)
  }

  static var options: [Option<Settings>] {
    selectOptions + placeOptions + outputOptions + usageOptions
  }
}
