import Core

/// What the command line says of the request, beside the model, the input and the body it begins
/// with. What an option says counts over presets and body; `edits` over all.
package struct RequestSettings: Sendable {
  /// Single members that options set, in their order on the command line.
  var parameters: [BodyEdit] = []
  /// The values of `include`.
  var includes: [String] = []
  var tools = ToolSettings()
  var schema = SchemaSettings()
  var presets = PresetSettings()
  /// What `--set`, `--set-str` and `--unset` say, in their order.
  package var edits: [BodyEdit] = []
  /// What is told before the request is sent: values that the API does not document.
  package var hints: [String] = []

  package init() {}

  /// How standard input is named, once for each time that it is.
  var readings: [String] {
    let values = (parameters + edits).filter { $0.source?.file == "-" }.map { "\($0.option) @-" }
    let files =
      tools.files.map { ("-t @-", $0) } + presets.names.map { ("-P -", $0) }
      + [schema.path].compactMap(\.self).map { ("-S -", $0) }
    return values + files.filter { $0.1 == "-" }.map(\.0)
  }
}
