import Core

/// What a file tells of a response or a conversation.
struct ToldID: Sendable {
  let id: String
  /// The number of its last event.
  var last: Int?
  var hasEnded = false

  /// The response that is told of last in `file`: an event stream, NDJSON of events, of a log or of a
  /// batch, a response document, or what a webhook is sent.
  static func response(in file: FileText) throws(Failure) -> ToldID {
    try last(in: file, "no id of a response in it") { line in
      JSONChildren.string(of: "response", "id", in: line)
        ?? JSONChildren.string(of: "response_id", in: line)
        ?? JSONChildren.string(of: "response", "body", "id", in: line)
        ?? (JSONChildren.text(of: "object", in: line) == "event"
          ? JSONChildren.string(of: "data", "id", in: line) : nil)
    }
  }

  /// The conversation that is told of last in `file`: its own document, or what tells of a response
  /// in it.
  static func conversation(in file: FileText) throws(Failure) -> ToldID {
    try last(in: file, "no id of a conversation in it", ofAnything: true) { line in
      JSONChildren.string(of: "response", "conversation", "id", in: line)
        ?? JSONChildren.string(of: "conversation_id", in: line)
        ?? JSONChildren.string(of: "response", "body", "conversation", "id", in: line)
        ?? (JSONChildren.text(of: "object", in: line) == "conversation"
          ? JSONChildren.string(of: "id", in: line) : nil)
    }
  }

  /// The last that `id` finds in an event, or in a line of a log or of a batch; `none` is told where
  /// there is none. With `ofAnything` the file may be a document that is no event.
  private static func last(
    in file: FileText, _ none: String, ofAnything: Bool = false,
    id: (Span<UInt8>) -> [UInt8]?
  ) throws(Failure) -> ToldID {
    var settings = EventReader.Settings()
    settings.validates = true
    settings.takesAnything = ofAnything
    var feed = EventFeed(settings, sorting: .takingAll)
    var input = InputBuffer()
    input.append(file.bytes.span)
    var last: [UInt8] = []
    var number: Int?
    var logged = ""
    var found = Output()
    feed.each(in: &input, isEnd: true, into: &found) { _, line, _ in
      if let id = id(line), !id.isEmpty {
        if id != last { number = nil }
        last = id
      }
      number =
        JSONChildren.integer(of: "sequence_number", in: line)
        ?? JSONChildren.integer(of: "last_sequence_number", in: line) ?? number
      logged = JSONChildren.text(of: "response_status", in: line)
      return .counts
    }
    guard last.isEmpty else {
      let isOver = !["", "queued", "in_progress"].contains(logged)
      return ToldID(
        id: String(decoding: last, as: UTF8.self), last: number,
        hasEnded: isOver || feed.judge.isAtEnd)
    }
    throw file.fault(none + why(found.notices.first { $0.kind == .error }))
  }

  private static func why(_ fault: Notice?) -> String {
    guard let fault else { return "" }
    return fault.place.map { ": line \($0.line): \(fault.message)" } ?? ": \(fault.message)"
  }
}
