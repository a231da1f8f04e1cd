package import Core

extension Option<EventsTool.Settings> {
  /// An option that asks for `product`.
  static func product(
    _ name: String, _ short: Character?, _ product: EventsTool.Product, help: String,
    detail: String = ""
  ) -> Self {
    .action(name, short, help: help, detail: detail) { settings throws(Failure) in
      try settings.make(product)
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
    /// A report of what is wrong with the stream.
    case check
    /// The catalogue; nothing is read.
    case types
  }

  /// What the command line asks for.
  package struct Settings: CommonSettings {
    package var notices = NoticeSettings()
    package var product = Product.events
    package var types = TypeSelection()
    /// Whether a response whose end is missing is rebuilt, too.
    package var keepsPartial = false
    package var relay = RelaySettings()
    package var check = CheckSettings()

    package init() {}

    /// Asks for `product`, which `option` names; no two go together.
    mutating func make(_ product: Product) throws(Failure) {
      guard self.product == .events || self.product == product else {
        throw .usage("--\(product.rawValue) and --\(self.product.rawValue) exclude each other")
      }
      self.product = product
    }
  }

  package static var command: Command<Settings> {
    Command(
      "oresp-events", summary: "select events of a response by their type",
      operands: "[FILE]...", takesFiles: true, options: options, settings: Settings(),
      perform: perform)
  }

  private static func perform(
    _ settings: Settings, _ files: [String], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    for hint in settings.types.hints { notifier.tell(Notice(.warning, hint)) }
    if settings.product != .events, let option = settings.relay.option {
      throw .usage("\(option) and --\(settings.product.rawValue) exclude each other")
    }
    switch settings.product {
    case .events: return try relay(settings, files, notifier)
    case .response: return try run(RebuildFilter(ResponsePrinter(settings)), files, notifier)
    case .items: return try run(RebuildFilter(ItemPrinter()), files, notifier)
    case .calls: return try run(RebuildFilter(CallPrinter()), files, notifier)
    case .citations: return try run(RebuildFilter(CitationPrinter()), files, notifier)
    case .check: return try check(settings, files, notifier)
    case .types: return try printTypes(settings, files)
    }
  }

  static func run<Events: EventFilter & ~Copyable>(
    _ filter: consuming Events, _ files: [String], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    let pipe = EventPipe(filter, reading: EventReader.Settings(), needing: .none)
    return try pump(pipe, from: files, telling: notifier)
  }

  static var options: [Option<Settings>] {
    selectOptions + relayOptions + rebuildOptions + checkOptions + typesOptions
  }
}
