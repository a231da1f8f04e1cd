import Core

/// A response that was found in a file. In
///
///     {"type":"response.created","sequence_number":0,"response":{"id":"resp_1",…}}
///     {"type":"response.output_text.delta","sequence_number":1,…}
///     {"type":"error","oresp":{"synthetic":true},…}
///
/// it is `resp_1`, `last` is 1, `hasEnded` false, and `end` the end of the second line.
struct ToldID: Sendable {
  let id: String
  /// The number of its last event.
  var last: Int?
  var hasEnded = false
  /// The end of the last event in the file, without errors that the toolkit added.
  var end = 0

  /// The file that `text` names in place of an id: `@FILE`, or `-` for standard input.
  static func file(_ text: String) -> String? {
    if Descriptor.isStdin(text) { return "-" }
    return text.hasPrefix("@") ? String(text.dropFirst()) : nil
  }

  /// The last response in `file`: an event stream, lines of events, of a log or of a batch, a
  /// response, or the payload of a webhook. In a file that `isContinued`, an event at its end that
  /// is not whole does not count.
  static func response(in file: FileText, isContinued: Bool = false) throws(Failure) -> ToldID {
    var found = ToldID(id: "")
    var logged = ""
    let isAtEnd = try read(file, .response, isEnd: !isContinued) { event, line, id in
      if let id, id != found.id { found = ToldID(id: id, end: found.end) }
      let number =
        JSONChildren.integer(of: "sequence_number", in: line)
        ?? JSONChildren.integer(of: "last_sequence_number", in: line)
      found.last = number ?? found.last
      logged = JSONChildren.text(of: "response_status", in: line)
      let isOwn = JSONChildren.value(of: "oresp", "synthetic", in: line) != nil
      if !event.isError || !isOwn { found.end = event.inputEnd }
    }
    while found.end < file.bytes.count, [ASCII.cr, ASCII.lf].contains(file.bytes[found.end]) {
      found.end += 1
    }
    found.hasEnded = !["", "queued", "in_progress"].contains(logged) || isAtEnd
    return found
  }

  /// The ids of `kind` in `file`, in their order.
  static func ids(_ kind: IDKind, in file: FileText) throws(Failure) -> [String] {
    var ids: [String] = []
    try read(file, kind) { _, _, id in
      if let id { ids = ids.filter { $0 != id } + [id] }
    }
    return ids
  }

  /// The calls in `file` that wait for an output, in their order.
  static func calls(in file: FileText) throws(Failure) -> [JSONValue] {
    var calls: [JSONValue] = []
    try read(file, .response) { _, line, _ in
      let whole = JSONChildren.elements(of: "response", "output", in: line)
      for place in whole + [JSONChildren.value(of: "item", in: line)].compactMap(\.self) {
        let item = line.extracting(place)
        guard JSONChildren.value(of: "call_id", in: item) != nil else { continue }
        calls.append(.raw([UInt8](copying: item)))
      }
    }
    return calls
  }

  /// Hands each event in `file`, or each line of a log or of a batch, to `handle`, with the id of
  /// `kind` in it. Throws if none has an id. Returns whether the last event ends its response.
  @discardableResult
  private static func read(
    _ file: FileText, _ kind: IDKind, isEnd: Bool = true,
    _ handle: (borrowing Event, Span<UInt8>, String?) -> Void
  ) throws(Failure) -> Bool {
    var hasAny = false
    let read = EventFeed.all(
      in: file.bytes, acceptsAnything: kind.isInAnything, sorting: .handlingAll, isEnd: isEnd
    ) { event, line in
      let id = kind.id(in: line).map { String(decoding: $0, as: UTF8.self) }
      hasAny = hasAny || id != nil
      handle(event, line, id)
    }
    guard !hasAny else { return read.isAtEnd }
    throw file.fault("no id of \(kind.name) in it" + why(read.fault))
  }

  private static func why(_ fault: Notice?) -> String {
    guard let fault else { return "" }
    return fault.place.map { ": line \($0.line): \(fault.message)" } ?? ": \(fault.message)"
  }
}
