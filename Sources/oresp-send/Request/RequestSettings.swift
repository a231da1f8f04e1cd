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

  /// Whether standard input is to be read for one of them, and how often.
  var readings: Int {
    let files =
      parameters.compactMap(\.source?.file) + edits.compactMap(\.source?.file) + tools.files
      + presets.names + [schema.path].compactMap(\.self)
    return files.filter { $0 == "-" }.count
  }
}
