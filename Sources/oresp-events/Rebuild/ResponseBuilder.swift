package import Core

/// Rebuilds Response objects from their events, and tolerates the forms of every kind of server
/// that was seen.
///
/// `Event.item` ties events to items. The value in a `done` event replaces the sum of the deltas;
/// the response in the terminal event replaces everything, except what it lacks. The builder holds
/// no events, only the data that `Keeping` names.
package struct ResponseBuilder {
  /// The data that the builder holds.
  package enum Keeping: Sendable {
    /// The items of a response until it has ended. Without it no response has any JSON.
    case responses
    /// Each item until it has ended.
    case items
    /// Each item but messages and reasoning, which are no calls, until it has ended.
    case calls
    /// Each item until it has ended, with the first MiB only of a text that comes in deltas, and
    /// without log probabilities.
    case citations

    /// The most bytes held of a text that comes in deltas; `nil` for all of it.
    fileprivate var textLimit: Int? { self == .citations ? 1 << 20 : nil }

    /// Whether it holds items of `type`.
    fileprivate func keeps(_ type: String) -> Bool {
      self != .calls || type != "message" && type != "reasoning"
    }
  }

  /// An item that has ended.
  package struct Item {
    package var outputIndex: Int
    /// The item's JSON, on one line.
    package var json: [UInt8]
    /// The name of the request that it answers; empty when none is known.
    package var tag: [UInt8] = []
  }

  /// A response that has ended.
  package struct Rebuilt {
    /// The object's JSON, on one line.
    package var json: [UInt8]
    /// Whether its own end was missing, so that it has only the parts that were streamed.
    package var isTruncated = false
    /// Whether no event brought it as its end.
    package var isMade = false
    /// When a tool told that it ended badly; `nil` when none did, or nothing may say so.
    package var told: Int?
    /// What its end lacks that came, and what it has that is no item.
    package var warnings: [String] = []
    /// The name of its request; empty when none is known.
    package var tag: [UInt8] = []
  }

  private let keeping: Keeping
  /// Whether it returns the JSON of items, and none of responses.
  private var keepsItems: Bool { keeping != .responses }
  /// The items that ended since the last `takeItems`, each once, in the order of their ends.
  private var finishedItems: [Item] = []
  /// The responses that ended since the last `takeResponses`.
  private var finishedResponses: [Rebuilt] = []

  /// The response, and the items of it that its events were about.
  private var response: Response?
  private var router: ItemRouter { response?.items ?? ItemRouter() }
  /// The items by their numbers; `nil` for one that is not built.
  private var items: [ItemBuilder?] = []
  /// The number of items that are built.
  private var count: Int { items.count { $0 != nil } }
  /// The response as it was sent last, before its end: an object.
  private var snapshot: [UInt8]?
  /// An error event, until the response ends.
  private var error: [UInt8]?
  /// Whether any event of a response came that has not ended.
  private var isOpen = false
  /// The text that the last event added a delta to, and its item; `nil` when it did not.
  private var growing: (item: Int, text: ItemBuilder.TextPlace?)?

  package init(keeping: Keeping = .responses) { self.keeping = keeping }

  /// Whether anything ended that was not taken.
  var hasFinished: Bool {
    @inline(__always) get { !finishedItems.isEmpty || !finishedResponses.isEmpty }
  }

  /// Removes and returns the items that have ended.
  package mutating func takeItems() -> [Item] {
    defer { finishedItems = [] }
    return finishedItems
  }

  /// Removes and returns the responses that have ended.
  package mutating func takeResponses() -> [Rebuilt] {
    defer { finishedResponses = [] }
    return finishedResponses
  }

  /// Adds the delta of an event that goes on with the text of the last one; false when it does not,
  /// or does more than that.
  @inline(__always)
  package mutating func goOn(with event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    guard event.goesOn, let growing, !event.hasLogprobs(line),
      let delta = event.content(of: "delta", in: line)
    else { return false }
    if let text = growing.text { items[growing.item]?.append(line.extracting(delta), at: text) }
    return true
  }

  /// Handles an event that `goOn` refused, whose line is `line`.
  package mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>) {
    growing = nil
    guard let type = event.type, let response = event.response, type.isRebuilt else { return }
    self.response = response
    switch event.step {
    case .ends: return end(type, event, line)
    case .fails: error = [UInt8](copying: line)
    case .begins, .inside:
      if event.item >= 0 { handleItem(event.item, type, event, line) }
      if type.family == .lifecycle, let place = event.object(of: "response", in: line) {
        snapshot = [UInt8](copying: line.extracting(place))
      }
    case .none, .again: return
    }
    isOpen = true
  }

  private mutating func handleItem(
    _ number: Int, _ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    if event.isVoid(line) { return }
    let itemType = response?.type(ofItem: number) ?? ""
    while items.count <= number { items.append(nil) }
    if items[number] == nil {
      items[number] = ItemBuilder(type: itemType, textLimit: keeping.textLimit)
    }
    let isKept = keeping.keeps(itemType)
    let text = isKept ? items[number]?.handle(type, event, line) : nil
    if type.phase == .delta, !type.hasOwnDelta, text != nil || !isKept, !event.hasLogprobs(line) {
      growing = (number, text)
    }
    guard keepsItems, isKept, type.family == .outputItem, type.phase == .done,
      event.object(of: "item", in: line) != nil
    else { return }
    tell(number, at: response?.place(ofItem: number) ?? number)
  }

  /// Ends the response: if it has no end of its own, it is finished without one.
  package mutating func finish() {
    defer { clear() }
    guard isOpen else { return }
    tellItems()
    var response = streamedResponse
    var rebuilt = Rebuilt(json: [], isMade: true)
    if let error = error.flatMap({ JSONValue(object: $0.span) }) {
      response["status"] = .text("failed")
      response["error"] = Self.describe(error)
    } else {
      response["status"] = .text("incomplete")
      response["incomplete_details"] = .object([("reason", .text("truncated_stream"))])
      rebuilt.isTruncated = true
    }
    tell(rebuilt, withStreamedOutputIn: response)
  }

  private mutating func end(_ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>) {
    defer { clear() }
    guard let place = event.value(of: "response", in: line),
      line[place.lowerBound] == ASCII.openBrace
    else {
      // A webhook's payload, an end alone: {"object":"event","type":"response.completed",…}
      guard isOpen else { return }
      tellItems()
      return tell(Rebuilt(json: []), withStreamedOutputIn: ended(type))
    }
    let whole = line.extracting(place)
    let output = event.output
    var rebuilt = Rebuilt(json: [])
    if keepsItems { adopt(output, of: line, warning: &rebuilt.warnings) }
    // An end without the response: {"type":"response.done","response":{"id":"resp_1","usage":…}}
    let isThin = ["status", "output"].allSatisfy {
      event.value(of: $0, inside: place, in: line) == nil
    }
    if !output.isEmpty || count == 0 && !isThin {
      if !output.isEmpty, output.count < count {
        rebuilt.warnings.insert(
          "the end of a response lists \(output.count) of the \(count) items that came", at: 0)
      }
      if !keepsItems { rebuilt.json = self.whole(whole, output, of: line) }
      return finishedResponses.append(rebuilt)
    }
    let members = JSONValue(object: whole)
    var response = isThin ? ended(type) : members ?? streamedResponse
    if isThin {
      for (name, value) in members?.members ?? [] { response[name] = value }
    }
    tellItems()
    tell(rebuilt, withStreamedOutputIn: response)
  }

  /// The response as it was sent last before its end, or an empty one.
  private var streamedResponse: JSONValue {
    snapshot.flatMap { JSONValue(object: $0.span) } ?? .object([("object", .text("response"))])
  }

  /// The response as it was sent last, with the status of one that an event of `type` ended.
  private func ended(_ type: EventType) -> JSONValue {
    var response = streamedResponse
    response["status"] = .text(type.endStatus)
    return response
  }

  /// `response`, a whole response in `line` whose items are at `output`, with the values that are
  /// empty there and came before.
  private func whole(
    _ response: Span<UInt8>, _ output: [Range<Int>], of line: Span<UInt8>
  ) -> [UInt8] {
    let spelled = [UInt8](copying: response)
    let isAsItCame = output.enumerated().allSatisfy { index, place in
      let known = router.number(at: index).flatMap(built)
      return known?.hasEnded(as: line.extracting(place)) ?? false
    }
    if count == 0 || isAsItCame { return spelled }
    var isFilled = false
    let all = zip(output, matches(of: output, in: line)).map { place, number in
      let item = line.extracting(place)
      let known = number.flatMap(built)
      let filled = item.isEmptyObject ? known?.line : known?.filled(item)
      isFilled = isFilled || filled != nil
      return JSONValue.raw(filled ?? [UInt8](copying: item))
    }
    guard isFilled, var whole = JSONValue(object: response) else { return spelled }
    whole["output"] = .array(all)
    return whole.line
  }

  /// The number of the streamed item for each item at `output` of a whole response; `nil` for none.
  /// An empty object stands for the item in its place.
  private func matches(of output: [Range<Int>], in line: Span<UInt8>) -> [Int?] {
    var matches = router.matches(of: output.map { ItemIdentity(line.extracting($0)) })
    let taken = Set(matches)
    for (index, place) in output.enumerated()
    where matches[index] == nil && line.extracting(place).isEmptyObject {
      matches[index] = router.number(at: index).flatMap { taken.contains($0) ? nil : $0 }
    }
    return matches
  }

  /// Finishes the items at `output`, of a whole response, that no event ended. Warns of elements
  /// there that are no objects, and so no items.
  private mutating func adopt(
    _ output: [Range<Int>], of line: Span<UInt8>, warning warnings: inout [String]
  ) {
    var strangers = 0
    for (index, (place, number)) in zip(output, matches(of: output, in: line)).enumerated() {
      let item = line.extracting(place)
      if let number, let known = built(number) {
        if !known.isReported, !item.isEmptyObject { items[number]?.end(with: item) }
        tell(number, at: index)
      } else if item[0] == ASCII.openBrace {
        finishedItems.append(Item(outputIndex: index, json: [UInt8](copying: item)))
      } else {
        strangers += 1
      }
    }
    if strangers > 0 {
      warnings.append(
        strangers == 1
          ? "an element of the output is no object, and is left out"
          : "\(strangers) elements of the output are no objects, and are left out")
    }
  }

  /// Finishes the items that no event ended, at the end of their response.
  private mutating func tellItems() {
    guard keepsItems else { return }
    for number in router.inOrder { tell(number, at: router.items[number].place) }
  }

  /// Finishes the item `number`, which is at `index` in the output, unless it was.
  private mutating func tell(_ number: Int, at index: Int) {
    guard let known = built(number), !known.isReported else { return }
    finishedItems.append(Item(outputIndex: index, json: known.line))
    items[number]?.forget()
  }

  /// Finishes `rebuilt`, which is `response` with the items that came.
  private mutating func tell(_ rebuilt: Rebuilt, withStreamedOutputIn response: JSONValue) {
    var rebuilt = rebuilt
    if !keepsItems {
      var response = response
      response["output"] = .array(router.inOrder.compactMap { built($0)?.value })
      rebuilt.json = response.line
    }
    finishedResponses.append(rebuilt)
  }

  /// The item `number`; `nil` when it is not built.
  private func built(_ number: Int) -> ItemBuilder? {
    number < items.count ? items[number] : nil
  }

  private mutating func clear() {
    response = nil
    snapshot = nil
    error = nil
    growing = nil
    isOpen = false
    items = []
  }

  /// The `error` of a response that `event`, an error event, ended.
  private static func describe(_ event: JSONValue) -> JSONValue {
    if case .raw(let nested)? = event["error"], nested.first == ASCII.openBrace,
      JSONChildren.value(of: "message", in: nested.span) != nil
    {
      return .raw(nested)
    }
    let told = APIError(in: event.line.span)
    let code = told.name.isEmpty ? told.httpStatus.map(String.init) ?? "" : told.name
    return .object([
      ("code", code.isEmpty ? .null : .text(code)), ("message", .text(told.words)),
    ])
  }
}

extension EventType {
  /// Whether its events tell something of a Response or of its items.
  fileprivate var isRebuilt: Bool {
    switch family {
    case .keepalive, .metadata, .websocket, .websocketClient, .audio, .audioTranscript: false
    default: !family.standsAlone
    }
  }
}
