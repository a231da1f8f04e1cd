import Core

extension EventsTool {
  static var typesOptions: [Option<Settings>] {
    [
      .product(
        "types", nil, .types, help: "Print the table of known event types.",
        detail: """
          With `-t` or `-T` only those that they select. The first line has the names of the
          columns, with tabs between: type, family, phase, standing, and fields, of which those
          with `!` are always there. The standing tells whose a type is: `standard` is that of the
          neutral standard, Open Responses; `openai` one that OpenAI has beside those; `legacy`
          what OpenAI called it before; `alias` what some relay calls it; `vendor` that of one
          server. A type with a colon in it, such as `acme:trace`, is the own extension of a
          server, and in no row.
          """)
    ]
  }

  /// Prints the catalogue.
  static func printTypes(
    _ settings: Settings, _ job: Job
  ) throws(Failure) -> ExitStatus {
    if let file = job.files.first { throw .usage("--types reads nothing, but got \(file)") }
    if settings.isSilent { return .completed }
    return try job.notifier.print(Array(table(of: settings.types).utf8))
  }

  /// The catalogue's types that `types` selects, in its order, one a line.
  package static func table(of types: TypeSelection) -> String {
    var table = "type\tfamily\tphase\tstanding\tfields\n"
    for row in EventCatalogue.rows {
      let name = row.name.description
      guard types.selects(Array(name.utf8).span) else { continue }
      let columns = [
        name, row.family.rawValue, row.phase.rawValue, row.standing.rawValue,
        row.fields.description,
      ]
      table += columns.joined(separator: "\t") + "\n"
    }
    return table
  }
}

extension EventStanding {
  /// Whether a server that keeps to what is documented may send it.
  var isDocumented: Bool { self == .standard || self == .openai }
}
