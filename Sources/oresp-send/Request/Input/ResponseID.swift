import Core

/// Finds the id of a response in whatever tells of it.
enum ResponseID {
  /// The id that is told last in `file`: an event stream, NDJSON of events or of a log, or a
  /// response document.
  static func last(in file: FileText) throws(Failure) -> JSONValue {
    var settings = EventReader.Settings()
    settings.validates = true
    var feed = EventFeed(settings, sorting: .takingAll)
    var input = InputBuffer()
    input.append(file.bytes.span)
    var last: [UInt8]?
    var found = Output()
    feed.each(in: &input, isEnd: true, into: &found) { _, line, _ in
      last = id(in: line) ?? last
      return .ignored
    }
    if let last { return .string(last) }
    let fault = found.notices.first { $0.kind == .error }
    throw file.fault("no id of a response in it\(why(fault))")
  }

  /// The id in one event, or one line of a log or of a batch.
  private static func id(in line: Span<UInt8>) -> [UInt8]? {
    let id =
      JSONChildren.string(of: "response", "id", in: line)
      ?? JSONChildren.string(of: "response_id", in: line)
      ?? JSONChildren.string(of: "response", "body", "id", in: line)
    return id?.isEmpty == true ? nil : id
  }

  private static func why(_ fault: Notice?) -> String {
    guard let fault else { return "" }
    return fault.place.map { ": line \($0.line): \(fault.message)" } ?? ": \(fault.message)"
  }
}
