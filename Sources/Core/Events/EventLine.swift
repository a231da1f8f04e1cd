/// Adds the toolkit's own members to an event's line, and removes them. Every other byte stays.
package enum EventLine {
  /// The value of the `oresp` member of an event that the toolkit made.
  package static let synthetic = JSONValue.object([("synthetic", .bool(true))])

  /// The type of an event that holds what is no JSON.
  package static let unparsed: StaticString = "oresp.unparsed"

  /// The type of an event that stands for the mark at the end of a stream.
  package static let done: StaticString = "oresp.done"

  /// The event of the toolkit's own type `type` that holds `text` in the member `member`, with the
  /// time at which its fault was reported, if it was; with `isBlock` it says that `text`, which is no
  /// JSON, was the data of a block.
  package static func synthetic(
    _ type: StaticString, _ member: StaticString, _ text: [UInt8], told seconds: Int? = nil,
    isBlock: Bool = false
  ) -> [UInt8] {
    var own = synthetic
    if let seconds { own["told"] = .integer(seconds) }
    if isBlock { own["block"] = .bool(true) }
    return JSONValue.object([
      ("type", .text(type.description)), (member.description, .string(text)), ("oresp", own),
    ]).line
  }

  /// `line`, an object, with the member `type` put first.
  package static func adding(type: Span<UInt8>, to line: Span<UInt8>) -> [UInt8] {
    var value: [UInt8] = []
    JSONString.encode(type, into: &value)
    return adding("{\"type\":", value.span, to: line)
  }

  /// `line`, an object, with a member put first, which begins as `start` and has the value `value`.
  private static func adding(
    _ start: StaticString, _ value: Span<UInt8>, to line: Span<UInt8>
  ) -> [UInt8] {
    var made: [UInt8] = []
    made.append(start)
    made.append(copying: value)
    let rest = line.extracting(1...)
    var index = 0
    while index < rest.count, ASCII.isSpace(rest[index]) { index += 1 }
    if index < rest.count, rest[index] != ASCII.closeBrace { made.append(ASCII.comma) }
    made.append(copying: rest)
    return made
  }

  /// Appends the line of `event` to `output`, with its line end, and with the members of
  /// `addition`, an object, in its member `oresp`. It prints as `append(_:facts:to:)` does, without
  /// values in between.
  package static func append(
    _ event: borrowing Event, _ line: Span<UInt8>, with addition: Span<UInt8>,
    to output: inout [UInt8]
  ) -> Bool {
    var last = line.count - 2
    while last > 0, ASCII.isSpace(line[last]) { last -= 1 }
    guard last > 0, event.value(of: "oresp", in: line) == nil else {
      defer { output.append(ASCII.lf) }
      guard case .object(let known)? = JSONValue(object: addition) else { return false }
      return append(line, facts: known, to: &output)
    }
    output.append(copying: line.extracting(0...last))
    output.append(",\"oresp\":")
    output.append(copying: addition)
    output.append("}\n")
    return true
  }

  /// Appends `line`, an object, to `output` with `facts` in its member `oresp`, which stands last.
  /// A fact that `oresp` has already stays as it is. False when its `oresp` is no object, and so
  /// not the toolkit's, or the line is none: it goes out unchanged then.
  @discardableResult
  package static func append(
    _ line: Span<UInt8>, facts: [(name: String, value: JSONValue)], to output: inout [UInt8]
  ) -> Bool {
    let object = line.extracting(line.trimmed())
    guard !object.isEmpty, object[0] == ASCII.openBrace else {
      output.append(copying: line)
      return false
    }
    var own = JSONValue.object([])
    if let value = JSONChildren.value(of: "oresp", in: line) {
      guard let known = JSONValue(object: line.extracting(value)) else {
        output.append(copying: line)
        return false
      }
      own = known
    }
    for fact in facts where own[fact.name] == nil { own[fact.name] = fact.value }
    let start = output.count
    appendWithoutOwn(line, to: &output)
    append(own, to: &output, from: start)
    return true
  }

  /// Puts the member `oresp` with the value `own` last into the object that ends `output` and begins
  /// at `start`.
  static func append(_ own: JSONValue, to output: inout [UInt8], from start: Int) {
    while output.count > start, output[output.count - 1] != ASCII.closeBrace { output.removeLast() }
    output.removeLast()
    var last = output.count - 1
    while last > start, ASCII.isSpace(output[last]) { last -= 1 }
    if output[last] != ASCII.openBrace || last > start { output.append(ASCII.comma) }
    output.append("\"oresp\":")
    own.write(into: &output)
    output.append(ASCII.closeBrace)
  }

  /// `line`, an object, with the name of its request, if it has one.
  package static func tagged(_ line: [UInt8], _ tag: [UInt8]) -> [UInt8] {
    tag.isEmpty ? line : adding([("request", .string(tag))], to: line)
  }

  /// `line`, an object, with `facts`; unchanged without any.
  package static func adding(
    _ facts: [(name: String, value: JSONValue)], to line: [UInt8]
  ) -> [UInt8] {
    guard !facts.isEmpty else { return line }
    var made: [UInt8] = []
    append(line.span, facts: facts, to: &made)
    return made
  }

  /// Appends `line`, an object, to `output` without its member `oresp`, if that is an object.
  package static func appendWithoutOwn(_ line: Span<UInt8>, to output: inout [UInt8]) {
    var members = JSONChildren()
    var end = 0
    while let member = members.next(in: line) {
      if line[member.value.lowerBound] == ASCII.openBrace,
        JSONChildren.isName(line.extracting(member.name), "oresp")
      {
        // The member goes with the comma before it, or, when it is the first, the one behind it.
        var next = member.value.upperBound
        if end == 0 {
          end = 1
          while next < line.count, ASCII.isSpace(line[next]) { next += 1 }
          if next < line.count, line[next] == ASCII.comma { next += 1 }
        }
        output.append(copying: line.extracting(0..<end))
        output.append(copying: line.extracting(next...))
        return
      }
      end = member.value.upperBound
    }
    output.append(copying: line)
  }

  /// The event made of `error`, an error body. One that has a `type` itself, as
  /// `{"object":"error","type":"BadRequestError",…}`, becomes the event's member `error`.
  package static func wrapping(error: Span<UInt8>) -> [UInt8] {
    JSONChildren.value(of: "type", in: error) == nil
      ? wrapping(error, as: "error") : wrapping("{\"type\":\"error\",\"error\":", error)
  }

  /// The event of the type `type` made of `document`, the whole answer of an endpoint.
  package static func wrapping(_ document: Span<UInt8>, as type: StaticString) -> [UInt8] {
    var made: [UInt8] = []
    let typed = adding(type: Array(type.description.utf8).span, to: document)
    append(typed.span, facts: [("synthetic", .bool(true))], to: &made)
    return made
  }

  /// The event made of `item`, an output item by itself.
  package static func wrapping(item: Span<UInt8>) -> [UInt8] {
    let event = wrapping("{\"type\":\"response.output_item.done\",\"item\":", item)
    return tagged(event, JSONChildren.string(of: "oresp", "request", in: item) ?? [])
  }

  /// The event for `line`, an output line of the Batch API. It brings the response or the error in
  /// the line, tagged with the name of the request. `nil` when the line has neither.
  package static func wrapping(batch line: Span<UInt8>) -> [UInt8]? {
    var event = wrapping(error: line)
    if let body = JSONChildren.value(of: "response", "body", in: line),
      line[body.lowerBound] == ASCII.openBrace
    {
      let body = line.extracting(body)
      switch LineShape(body, blockName: Span()) {
      case .response: event = wrapping(response: body)
      case .error:
        var error = [UInt8](copying: body)
        if let status = JSONChildren.value(of: "response", "status_code", in: line) {
          error = adding("{\"status\":", line.extracting(status), to: body)
        }
        event = wrapping(error: error.span)
      default: return nil
      }
    }
    return tagged(event, JSONChildren.string(of: "custom_id", in: line) ?? [])
  }

  private static func wrapping(_ start: String, _ value: Span<UInt8>) -> [UInt8] {
    var made: [UInt8] = []
    // A value may be huge, and is copied once.
    made.reserveCapacity(start.utf8.count + value.count + 64)
    made += start.utf8
    made.append(copying: value)
    made.append(",\"oresp\":")
    synthetic.write(into: &made)
    made.append(ASCII.closeBrace)
    return made
  }

  /// The event for `response`, a whole Response object: its terminal event, or the event of its
  /// state if it has not ended.
  package static func wrapping(response: Span<UInt8>) -> [UInt8] {
    let event = wrapping(
      "{\"type\":\"response.\(state(of: response))\",\"response\":", response)
    var facts: [(name: String, value: JSONValue)] = []
    if let tag = JSONChildren.string(of: "oresp", "request", in: response) {
      facts.append(("request", .string(tag)))
    }
    if let seconds = ToldMark.seconds(in: response) { facts.append(("told", .integer(seconds))) }
    return adding(facts, to: event)
  }

  private static func state(of response: Span<UInt8>) -> String {
    let status = JSONChildren.text(of: "status", in: response)
    if ResponseStatus(rawValue: status) != nil { return status }
    func isObject(_ name: StaticString) -> Bool {
      guard let value = JSONChildren.value(of: name, in: response) else { return false }
      return response[value.lowerBound] == ASCII.openBrace
    }
    if isObject("error") { return "failed" }
    return isObject("incomplete_details") ? "incomplete" : "completed"
  }
}

/// The time at which an event arrived, the member `oresp.at` of its line: seconds since the epoch,
/// with six decimals.
package enum Stamp {
  /// Appends the stamp of an event that arrived `microseconds` after the epoch.
  package static func append(microseconds: Int, to output: inout [UInt8]) {
    output.append(contentsOf: String(microseconds / 1_000_000).utf8)
    output.append(ASCII.point)
    var unit = 100_000
    while unit > 0 {
      output.append(ASCII.zero + UInt8(microseconds / unit % 10))
      unit /= 10
    }
  }

  /// When the event arrived whose line is `line`, in microseconds since the epoch; `nil` when it
  /// has no stamp, or one from before 1970 or after 2255.
  package static func microseconds(of event: borrowing Event, _ line: Span<UInt8>) -> Int? {
    guard let added = event.value(of: "oresp", in: line) else { return nil }
    let (start, end) = (added.lowerBound + 6, added.upperBound - 1)
    if end - start == 17, line.starts(with: #"{"at":"#, at: added.lowerBound),
      let time = plain(line.extracting(start..<end))
    {
      return time
    }
    return microseconds(event.value(of: "at", inside: added, in: line), in: line)
  }

  /// The number of seconds at `place` in `line`, in microseconds, within the same bounds.
  package static func microseconds(_ place: Range<Int>?, in line: Span<UInt8>) -> Int? {
    guard let place else { return nil }
    let number = line.extracting(place)
    if let time = plain(number) { return time }
    guard let time = JSONDecimal(number)?.scaled(by: 6)?.value else { return nil }
    return 0...JSONNumber.largest ~= time ? time : nil
  }

  /// The same of a number as it is written here: ten digits, a point and six more.
  private static func plain(_ number: Span<UInt8>) -> Int? {
    guard number.count == 17, number[10] == ASCII.point else { return nil }
    var time = 0
    for index in 0..<17 where index != 10 {
      guard ASCII.isDigit(number[index]) else { return nil }
      time = 10 * time + Int(number[index] - ASCII.zero)
    }
    return time <= JSONNumber.largest ? time : nil
  }
}
