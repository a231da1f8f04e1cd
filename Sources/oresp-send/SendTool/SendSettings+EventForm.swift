import Core

extension SendSettings {
  /// The form of the events that it asks for; `nil` when it asks for something else.
  var eventForm: EventForm? {
    guard givesEvents else { return nil }
    return batch.isOn ? .line : .block
  }

  /// Whether it asks for the events of an answer on standard output. A body may still say
  /// otherwise.
  private var givesEvents: Bool {
    guard !isDryRun, list == nil, endpoint.path == nil else { return false }
    if batch.isOn { return batch.givesEvents }
    if let verb {
      return verb.kind.resumes || verb.kind.option == "get" && request.streamChoice == true
    }
    return request.use == .answer && request.streamChoice ?? request.streamsByBody
  }
}

extension RequestSettings {
  /// Whether what the command line says of the body, presets and files of edits aside, asks for
  /// events.
  fileprivate var streamsByBody: Bool {
    let body = bodyPath.flatMap(Self.body).flatMap { JSONValue(object: $0.span) }
    var streams = body.map { $0["stream"] ?? .bool(true) }
    for edit in edits where edit.path.text == "stream" {
      if case .given(let value)? = edit.value { streams = value }
    }
    return streams.map { $0.line == JSONValue.bool(true).line } ?? true
  }

  /// The value `text` of `-b`, or what a file has that it names; `nil` for a file that may be read
  /// only once.
  private static func body(_ text: String) -> [UInt8]? {
    if Sources.isInPlace(text) { return Array(text.utf8) }
    guard fileStatus(text)?.isRegular == true else { return nil }
    return try? Descriptor(reading: text).readAll()
  }
}
