import Core

/// The messages of one response, printed in the order of its output, each character once.
///
/// The first message that has not ended is printed as it comes; the text of a later one waits until
/// then.
struct Answer {
  /// Where an event says that it belongs.
  struct Place {
    var outputIndex: Int?
    /// The item's id as it is spelled; empty when there is none.
    var id: [UInt8] = []
    var contentIndex = 0
  }

  private var messages: [Message] = []
  /// How many of the messages, from the first on, have ended and are printed whole.
  private var ended = 0
  /// The text of the event that is being taken.
  private var fresh: [UInt8] = []

  /// Makes the message at `place` known, so that later ones wait for it.
  mutating func open(_ place: Place) { _ = find(place) }

  /// Takes a delta, a JSON string.
  mutating func take(delta: Span<UInt8>, at place: Place, into output: inout [UInt8]) {
    let index = find(place)
    messages[index].take(delta: delta, ofPart: place.contentIndex, into: &fresh)
    print(index, into: &output)
  }

  /// Takes the whole text of a part, a JSON string; false when it conflicts with what was printed.
  mutating func take(
    wholeOfPart text: Span<UInt8>, at place: Place, into output: inout [UInt8]
  ) -> Bool {
    let index = find(place)
    let fits = messages[index].take(wholeOfPart: text, place.contentIndex, into: &fresh)
    print(index, into: &output)
    return fits
  }

  /// Takes the whole text of a message that has ended; false when it conflicts.
  mutating func take(whole text: [UInt8], at place: Place, into output: inout [UInt8]) -> Bool {
    let index = find(place)
    let fits = messages[index].take(whole: text.span, into: &fresh)
    print(index, into: &output)
    messages[index].isDone = true
    advance(into: &output)
    return fits
  }

  /// Takes the whole texts of all messages of the response, in order, and ends it; false when one
  /// conflicts.
  mutating func take(
    output items: [(place: Place, text: [UInt8])], into output: inout [UInt8]
  ) -> Bool {
    var fits = true
    var missing: [(place: Place, text: [UInt8])] = []
    for (item, match) in zip(items, matches(of: items.map(\.place))) {
      guard let match else {
        missing.append(item)
        continue
      }
      fits = messages[match].take(whole: item.text.span, into: &fresh) && fits
      print(match, into: &output)
    }
    for item in missing {
      let index = insert(item.place)
      fits = messages[index].take(whole: item.text.span, into: &fresh) && fits
      print(index, into: &output)
    }
    finish(into: &output)
    return fits
  }

  /// Ends the response: prints all that still waits.
  mutating func finish(into output: inout [UInt8]) {
    for index in messages.indices { messages[index].isDone = true }
    advance(into: &output)
    self = Answer()
  }

  /// For each of `places`, the message that it means: told by its id; where the server has changed
  /// that, by its place in the output; where it has moved it too, by its order.
  private func matches(of places: [Place]) -> [Int?] {
    var matches = [Int?](repeating: nil, count: places.count)
    var open = Array(messages.indices)
    func match(where isMatch: (Message, Place) -> Bool) {
      for (index, place) in places.enumerated() where matches[index] == nil {
        guard let found = open.firstIndex(where: { isMatch(messages[$0], place) }) else { continue }
        matches[index] = open.remove(at: found)
      }
    }
    match { !$1.id.isEmpty && $0.id == $1.id }
    match { $0.outputIndex == $1.outputIndex }
    match { _, _ in true }
    return matches
  }

  /// The message that an event at `place` belongs to, made known if it was not. Only without an
  /// index does the id count: some servers give each event another.
  private mutating func find(_ place: Place) -> Int {
    let known =
      if let outputIndex = place.outputIndex {
        messages.lastIndex { $0.outputIndex == outputIndex }
      } else {
        messages.lastIndex { !place.id.isEmpty && $0.id == place.id }
          ?? messages.lastIndex { !$0.isDone }
      }
    return known ?? insert(place)
  }

  /// Makes a message known at its place in the output, but behind what is printed already.
  private mutating func insert(_ place: Place) -> Int {
    var index = messages.count
    let first = ended < messages.count && messages[ended].text.count > 0 ? ended + 1 : ended
    while index > first, (messages[index - 1].outputIndex ?? -1) > place.outputIndex ?? .max {
      index -= 1
    }
    messages.insert(Message(outputIndex: place.outputIndex, id: place.id), at: index)
    return index
  }

  /// Prints the fresh text of the message at `index`, or has it wait. Text that comes for a message
  /// whose line was ended already gets a line of its own.
  private mutating func print(_ index: Int, into output: inout [UInt8]) {
    if index > ended { messages[index].waiting += fresh } else { output += fresh }
    if index < ended, let last = fresh.last, last != ASCII.lf { output.append(ASCII.lf) }
    fresh.removeAll(keepingCapacity: true)
  }

  /// Ends the messages in front that are done, and prints what waits of the first that is not.
  private mutating func advance(into output: inout [UInt8]) {
    while ended < messages.count {
      output += messages[ended].waiting
      messages[ended].waiting = []
      guard messages[ended].isDone else { return }
      messages[ended].finish(into: &output)
      let isOpenLine = messages[ended].text.count > 0 && !messages[ended].endsInLineEnd
      if isOpenLine { output.append(ASCII.lf) }
      ended += 1
    }
  }
}
