package import Core

/// Rebuilds Response objects from their events, and tolerates the forms of every kind of server
/// that was seen.
///
/// `Event.item` ties events to items. The value in a `done` event replaces the sum of the deltas;
/// the response in the terminal event replaces everything, except if its output is empty. The
/// builder holds no events, only the data that `Keeping` names.
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
    package var isTruncated: Bool
    /// Whether another tool reported the error that ended it; `nil` when none did.
    package var isErrorReported: Bool?
    /// The numbers of items that came and that its end lists, if that lists fewer, but some.
    package var unlisted: (came: Int, listed: Int)?
    /// The number of elements of its output that are no objects, and so no items.
    package var strangers = 0
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
  /// The items by their numbers, and whether each was put into `finishedItems`; `nil` for one that
  /// is not built.
  private var items: [(item: ItemBuilder, isReported: Bool)?] = []
  /// The number of items that are built.
  private var count = 0
  /// The response as it was sent last, before its end: an object.
  private var snapshot: [UInt8]?
  /// An error event, until the response ends.
  private var error: [UInt8]?
  /// Whether any event of a response came that has not ended.
  private var isOpen = false
  /// Whether the last event was a delta that one that goes on with it is added to.
  private var isGrowing = false
  /// The text that it added to, with its place; `nil` when the text is not kept.
  private var grown: (place: SpelledText, text: SpelledText.Text)?

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

  /// Handles an event that `goOn` refused, whose line is `line`.
  package mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>) {
    stopGrowing()
    guard let type = event.type else { return }
    let family = type.family
    if let name = event.response, name !== response { response = name }
    switch family {
    case .keepalive, .metadata, .websocket, .websocketClient, .audio, .audioTranscript: return
    default: break
    }
    if family.standsAlone { return }
    switch event.step {
    case .begins where family == .lifecycle, .inside where family == .lifecycle:
      isOpen = true
      if let place = event.object(of: "response", in: line) {
        snapshot = [UInt8](copying: line.extracting(place))
      }
    case .ends: end(type, event, line)
    case .fails:
      isOpen = true
      error = [UInt8](copying: line)
    case .begins, .inside:
      isOpen = true
      if event.item >= 0 { handleItem(event.item, type, event, line) }
    case .none, .again: break
    }
  }

  /// Adds the delta of an event that goes on with the text of the last one; false when it does not,
  /// or does more than that.
  @inline(__always)
  package mutating func goOn(with event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    guard event.goesOn, isGrowing, !event.hasLogprobs(line),
      let delta = event.content(of: "delta", in: line)
    else { return false }
    grown?.text.append(line.extracting(delta))
    return true
  }

  private mutating func stopGrowing() {
    isGrowing = false
    guard let grown else { return }
    grown.place.put(grown.text)
    self.grown = nil
  }

  /// Ends the response: if it has no end of its own, it is finished without one.
  package mutating func finish() {
    stopGrowing()
    defer { clear() }
    guard isOpen else { return }
    tellItems()
    var response = streamedResponse
    if let error = error.flatMap({ JSONValue(object: $0.span) }) {
      response["status"] = .text("failed")
      response["error"] = Self.describe(error)
    } else {
      response["status"] = .text("incomplete")
      response["incomplete_details"] = .object([("reason", .text("truncated_stream"))])
    }
    response["output"] = .array(streamedOutput)
    let isReported = error.map { JSONChildren.value(of: "oresp", "told", in: $0.span) != nil }
    tell(response, isTruncated: error == nil, isErrorReported: isReported)
  }

  /// The response as it was sent last before its end, or an empty one.
  private var streamedResponse: JSONValue {
    snapshot.flatMap { JSONValue(object: $0.span) } ?? .object([("object", .text("response"))])
  }

  private mutating func handleItem(
    _ number: Int, _ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    if event.isVoid(line) { return }
    while items.count <= number { items.append(nil) }
    if items[number] == nil {
      let type = response?.type(ofItem: number) ?? ""
      items[number] = (ItemBuilder(type: type, textLimit: keeping.textLimit), false)
      count += 1
    }
    let isKept = keeping != .calls || !Self.isText(response?.type(ofItem: number) ?? "")
    let text = isKept ? items[number]?.item.handle(type, event, line) : nil
    if type.phase == .delta, !type.hasOwnDelta, text != nil || !isKept,
      !event.hasLogprobs(line)
    {
      isGrowing = true
      grown = text.map { ($0, $0.take()) }
    }
    guard keepsItems, isKept, type.family == .outputItem, type.phase == .done,
      event.object(of: "item", in: line) != nil
    else { return }
    tell(number, at: response?.place(ofItem: number) ?? number) { $0.line }
  }

  private mutating func end(_ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>) {
    defer { clear() }
    var response: JSONValue
    if let place = event.value(of: "response", in: line), line[place.lowerBound] == ASCII.openBrace
    {
      let whole = line.extracting(place)
      let output = event.output
      let strangers = keepsItems ? adopt(output, of: line) : 0
      let listed = output.count
      // An end without the response: {"type":"response.done","response":{"id":"resp_1","usage":…}}
      let isThin = ["status", "output"].allSatisfy {
        event.value(of: $0, inside: place, in: line) == nil
      }
      if listed > 0 || count == 0 && !isThin {
        let unlisted = listed < count ? (count, listed) : nil
        let made = keepsItems ? .null : self.whole(whole, output, of: line)
        return tell(made, isTruncated: false, unlisted: unlisted, strangers: strangers)
      }
      let members = JSONValue(object: whole)
      response = isThin ? ended(type) : members ?? streamedResponse
      if isThin {
        for (name, value) in members?.members ?? [] { response[name] = value }
      }
    } else {
      // A webhook's payload, an end alone: {"object":"event","type":"response.completed",…}
      guard isOpen else { return }
      response = ended(type)
    }
    response["output"] = .array(streamedOutput)
    tellItems()
    tell(response, isTruncated: false)
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
  ) -> JSONValue {
    let raw = JSONValue.raw([UInt8](copying: response))
    let isAsItCame = output.enumerated().allSatisfy { index, place in
      guard let number = router.number(at: index), number < items.count else { return false }
      return items[number]?.item.hasEnded(as: line.extracting(place)) ?? false
    }
    if count == 0 || isAsItCame { return raw }
    let matches = matches(of: output, in: line)
    var isFilled = false
    let all = output.enumerated().map { index, place in
      let item = line.extracting(place)
      let known = matches[index].flatMap(built)?.item
      let filled = item.isEmptyObject ? known?.value.line : known?.filled(item)
      isFilled = isFilled || filled != nil
      return JSONValue.raw(filled ?? [UInt8](copying: item))
    }
    guard isFilled, var whole = JSONValue(object: response) else { return raw }
    whole["output"] = .array(all)
    return whole
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

  /// Finishes the items at `output`, of a whole response, that no event ended. Returns the number
  /// of elements there that are no objects, and so no items.
  private mutating func adopt(_ output: [Range<Int>], of line: Span<UInt8>) -> Int {
    let matches = matches(of: output, in: line)
    var strangers = 0
    for (index, place) in output.enumerated() {
      let item = line.extracting(place)
      if let number = matches[index], let known = built(number) {
        guard !known.isReported else { continue }
        if !item.isEmptyObject { items[number]?.item.end(with: item) }
        tell(number, at: index) { $0.line }
      } else if item[0] == ASCII.openBrace {
        finishedItems.append(Item(outputIndex: index, json: [UInt8](copying: item)))
      } else {
        strangers += 1
      }
    }
    return strangers
  }

  /// Finishes the items that no event ended, at the end of their response.
  private mutating func tellItems() {
    guard keepsItems else { return }
    for number in router.inOrder { tell(number, at: router.items[number].place) { $0.value.line } }
  }

  /// Finishes the item `number`, which is at `index` in the output, unless it was.
  private mutating func tell(_ number: Int, at index: Int, _ json: (ItemBuilder) -> [UInt8]) {
    guard let known = built(number), !known.isReported else { return }
    finishedItems.append(Item(outputIndex: index, json: json(known.item)))
    items[number]?.isReported = true
    items[number]?.item.forget()
  }

  /// The item `number`; `nil` when it is not built.
  private func built(_ number: Int) -> (item: ItemBuilder, isReported: Bool)? {
    number < items.count ? items[number] : nil
  }

  private mutating func tell(
    _ response: @autoclosure () -> JSONValue, isTruncated: Bool, isErrorReported: Bool? = nil,
    unlisted: (Int, Int)? = nil, strangers: Int = 0
  ) {
    let json = keepsItems ? [] : response().line
    finishedResponses.append(
      Rebuilt(
        json: json, isTruncated: isTruncated, isErrorReported: isErrorReported, unlisted: unlisted,
        strangers: strangers))
  }

  private static func isText(_ type: String) -> Bool { type == "message" || type == "reasoning" }

  private var streamedOutput: [JSONValue] { router.inOrder.compactMap { built($0)?.item.value } }

  private mutating func clear() {
    response = nil
    items = []
    count = 0
    (snapshot, error, isOpen) = (nil, nil, false)
    stopGrowing()
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
