import Core

extension EventsTool {
  static var typesOptions: [Option<Settings>] {
    [
      .product(
        "types", nil, .types, help: "Print the table of known event types.",
        detail: """
          `-t` and `-T` narrow the list.
          The first line has the names of the columns, which tabs separate: type, family,
          phase, standing and fields.
          A field with `!` is always there.
          The standing says where a type comes from: `standard` is the neutral standard, Open
          Responses; `openai` is OpenAI alone; `legacy` is a former name at OpenAI; `alias` is
          a relay's name for it; `vendor` is one server.
          A type with a colon, such as `acme:trace`, is a server's own extension and is not
          listed.
          """)
    ]
  }

  /// Prints the catalogue.
  static func printTypes(
    _ settings: Settings, _ job: Job
  ) throws(Failure) -> ExitStatus {
    if let file = job.files.first { throw .usage("--types reads no input; leave out \(file)") }
    return try job.notifier.print(Array(table(of: settings.selection.types).utf8))
  }

  /// The catalogue's types that `types` selects, in its order, one a line.
  package static func table(of types: TypeSelection) -> String {
    var table = "type\tfamily\tphase\tstanding\tfields\n"
    for row in EventCatalogue.rows where row.family != .ownEnd {
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
