import Core

/// A response that the command line names, with what its file says of it. In
///
///     {"type":"response.created","sequence_number":0,"response":{"id":"resp_1",…}}
///     {"type":"response.output_text.delta","sequence_number":1,…}
///     {"type":"error","oresp":{"synthetic":true},…}
///
/// it is `resp_1`, `last` is 1, `hasEnded` false, and `end` the end of the second line.
struct KnownResponse: Sendable {
  let id: String
  /// The number of its last event.
  var last: Int?
  var hasEnded = false
  /// The end of the last event in the file, without those that the toolkit added: an error, or
  /// `oresp.end`.
  var end = 0

  /// The last response in `file`: an event stream, lines of events, of a log or of a batch, a
  /// response, or the payload of a webhook. In a file that `isContinued`, an event at its end that
  /// is not whole does not count.
  static func last(
    in file: FileText, isContinued: Bool = false
  ) throws(Failure) -> KnownResponse {
    var found = KnownResponse(id: "")
    var logged = ""
    let isAtEnd = try each(in: file, isEnd: !isContinued) { event, line, id in
      if let id, id != found.id { found = KnownResponse(id: id, end: found.end) }
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
    found.hasEnded = isAtEnd || ResponseStatus(rawValue: logged)?.isFinal == true
    return found
  }

  /// The calls in `file` that wait for an output, in their order.
  static func calls(in file: FileText) throws(Failure) -> [JSONValue] {
    var calls: [JSONValue] = []
    try each(in: file) { _, line, _ in
      let whole = JSONChildren.elements(at: ["response", "output"], in: line)
      for place in whole + [JSONChildren.value(of: "item", in: line)].compactMap(\.self) {
        let item = line.extracting(place)
        guard JSONChildren.value(of: "call_id", in: item) != nil else { continue }
        calls.append(.raw([UInt8](copying: item)))
      }
    }
    return calls
  }

  /// Hands each event in `file`, or each line of a log or of a batch, to `handle`, with the id of its
  /// response. Throws if none has an id. Returns whether the last event ends its response.
  @discardableResult
  private static func each(
    in file: FileText, isEnd: Bool = true,
    _ handle: (borrowing Event, Span<UInt8>, String?) -> Void
  ) throws(Failure) -> Bool {
    var hasAny = false
    let read = EventFeed.all(in: file.bytes, sorting: .handlingAll, isEnd: isEnd) { event, line in
      let id = id(in: line)
      hasAny = hasAny || id != nil
      handle(event, line, id)
    }
    guard !hasAny else { return read.isAtEnd }
    let fault = read.fault.map { fault in
      (fault.place.map { ": line \($0.line): " } ?? ": ") + fault.message
    }
    throw file.fault("no id of a response in it" + (fault ?? ""))
  }

  /// The places of a response's id: in an event, a log, a line of a batch, and the payload of a
  /// webhook.
  private static let places: [[StaticString]] = [
    ["response", "id"], ["response_id"], ["response", "body", "id"],
  ]
  private static let payloadPlace: [StaticString] = ["data", "id"]

  /// The id of the response that `line`, a JSON object, is about.
  private static func id(in line: Span<UInt8>) -> String? {
    let isPayload = JSONChildren.text(of: "object", in: line) == "event"
    for place in places + (isPayload ? [payloadPlace] : []) {
      guard let value = JSONChildren.value(at: place[...], in: line) else { continue }
      let id = JSONString.text(line.extracting(value))
      if !id.isEmpty { return id }
    }
    return nil
  }
}
