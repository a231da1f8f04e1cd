package import Core

/// `oresp-events`: selects events, and makes other things of them.
package enum EventsTool {
  /// What is to be made of the events. At most one of these is asked for.
  package enum Product: String, Sendable {
    /// The lines of selected events, unchanged.
    case events
    /// A report of what is wrong with the stream.
    case check
  }

  /// What the command line asks for.
  package struct Settings: CommonSettings {
    package var notices = NoticeSettings()
    package var product = Product.events
    package var types = TypeSelection()
    package var check = CheckSettings()
    /// Whether the catalogue is to be printed, and nothing read.
    package var listsTypes = false

    package init() {}

    /// Asks for `product`, which `option` names; no two go together.
    mutating func make(_ product: Product, option: String) throws(Failure) {
      guard self.product == .events || self.product == product else {
        throw .usage("\(option) and --\(self.product.rawValue) exclude each other")
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
    if settings.listsTypes { return try printTypes(settings, files) }
    switch settings.product {
    case .events: return try run(SelectFilter(settings), files, notifier)
    case .check: return try check(settings, files, notifier)
    }
  }

  private static func run<Events: EventFilter & ~Copyable>(
    _ filter: consuming Events, _ files: [String], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    let pipe = EventPipe(filter, reading: EventReader.Settings(), needing: .none)
    return try pump(pipe, from: files, telling: notifier)
  }

  static var options: [Option<Settings>] { selectOptions + checkOptions + typesOptions }
}
