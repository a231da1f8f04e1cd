package import Core

/// Prints the text of each response's messages, each character once, as early as it is known.
package struct AnswerFilter: EventFilter {
  private var answer = Answer()

  package init() {}

  package mutating func take(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    guard let row = event.type?.row else { return }
    switch (row.family, row.phase) {
    case (.lifecycle, .start): answer.finish(into: &output.bytes)
    case (.lifecycle, .terminal), (.outputText, .delta), (.outputText, .done),
      (.contentPart, .done), (.outputItem, .start), (.outputItem, .done):
      guard let members = EventMembers(line) else {
        output.notices.append(.brokenMember(at: event.inputPlace))
        return
      }
      let fits = take(row, members, line, into: &output)
      if !fits { output.notices.append(Notice(.warning, Message.conflict, at: event.inputPlace)) }
    default: break
    }
  }

  package mutating func finish(into output: inout Output) { answer.finish(into: &output.bytes) }

  /// Takes an event that may bring text; false when it conflicts with what was printed.
  private mutating func take(
    _ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>,
    into output: inout Output
  ) -> Bool {
    var place = Answer.Place(outputIndex: members.outputIndex)
    if let id = members.itemID { place.id = [UInt8](copying: line.extracting(id)) }
    place.contentIndex = members.contentIndex ?? 0
    switch (row.family, row.phase) {
    case (.outputText, .delta):
      guard let delta = members.delta, line[delta.lowerBound] == ASCII.quote else { return true }
      answer.take(delta: line.extracting(delta), at: place, into: &output.bytes)
    case (.outputText, .done):
      return take(wholeOfPart: members.text, of: line, at: place, into: &output)
    case (.contentPart, .done):
      guard let part = members.part, Self.isText(line.extracting(part)) else { return true }
      let text = JSONChildren.value(of: "part", "text", in: line)
      return take(wholeOfPart: text, of: line, at: place, into: &output)
    case (.outputItem, _):
      guard let item = members.item else { return true }
      return take(line.extracting(item), isDone: row.phase == .done, at: place, into: &output)
    default: return take(final: line, into: &output)
    }
    return true
  }

  private mutating func take(
    wholeOfPart text: Range<Int>?, of line: Span<UInt8>, at place: Answer.Place,
    into output: inout Output
  ) -> Bool {
    guard let text, line[text.lowerBound] == ASCII.quote else { return true }
    return answer.take(wholeOfPart: line.extracting(text), at: place, into: &output.bytes)
  }

  /// Takes an output item as it opens or ends.
  private mutating func take(
    _ item: Span<UInt8>, isDone: Bool, at place: Answer.Place, into output: inout Output
  ) -> Bool {
    guard let message = Self.message(in: item) else { return true }
    var place = place
    place.id = message.id
    guard !isDone else { return answer.take(whole: message.text, at: place, into: &output.bytes) }
    answer.open(place)
    guard !message.text.isEmpty else { return true }
    var text: [UInt8] = []
    JSONString.encode(message.text.span, into: &text)
    return answer.take(wholeOfPart: text.span, at: place, into: &output.bytes)
  }

  /// Takes the terminal event of a response, which may hold all of it.
  private mutating func take(final line: Span<UInt8>, into output: inout Output) -> Bool {
    var items: [(place: Answer.Place, text: [UInt8])] = []
    if let list = JSONChildren.value(of: "response", "output", in: line) {
      var children = JSONChildren(at: list.lowerBound)
      var index = 0
      while let child = children.next(in: line) {
        if let message = Self.message(in: line.extracting(child.value)) {
          items.append((Answer.Place(outputIndex: index, id: message.id), message.text))
        }
        index += 1
      }
    }
    return answer.take(output: items, into: &output.bytes)
  }

  /// The id, as it is spelled, and the text of all parts of `item`, when it is a message.
  private static func message(in item: Span<UInt8>) -> (id: [UInt8], text: [UInt8])? {
    guard JSONChildren.text(of: "type", in: item) == "message" else { return nil }
    var id: [UInt8] = []
    if let range = JSONChildren.value(of: "id", in: item) {
      id = [UInt8](copying: item.extracting(range))
    }
    var text: [UInt8] = []
    guard let content = JSONChildren.value(of: "content", in: item) else { return (id, text) }
    var parts = JSONChildren(at: content.lowerBound)
    while let next = parts.next(in: item) {
      let part = item.extracting(next.value)
      guard isText(part), let value = JSONChildren.value(of: "text", in: part),
        part[value.lowerBound] == ASCII.quote
      else { continue }
      JSONString.decode(part.extracting(value), into: &text)
    }
    return (id, text)
  }

  private static func isText(_ part: Span<UInt8>) -> Bool {
    JSONChildren.text(of: "type", in: part) == "output_text"
  }
}
