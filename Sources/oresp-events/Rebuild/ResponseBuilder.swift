package import Core

/// Rebuilds one Response object from its events, and tolerates the forms of every kind of server
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
  }

  /// The response when it has ended.
  package struct Rebuilt {
    /// The object's JSON, on one line; empty where the builder returns items.
    package var json: [UInt8] = []
    /// Whether its own end was missing, so that it has only the parts that were streamed.
    package var isTruncated = false
    /// What its end lacks that came, and what it has that is no item.
    package var warnings: [String] = []
  }

  private let keeping: Keeping
  /// Whether it returns the JSON of items, and none of the response.
  private var keepsItems: Bool { keeping != .responses }
  /// The items that ended since the last `takeItems`, each once, in the order of their ends.
  private var finishedItems: [Item] = []
  /// The response, once it has ended, until `takeResponse`.
  private var rebuilt: Rebuilt?

  /// The response, and the items of it that its events were about.
  private var response: Response?
  private var router: ItemRouter { response?.items ?? ItemRouter() }
  /// The items by their numbers; `nil` for one that is not built.
  private var items: [ItemBuilder?] = []
  /// The response as it was sent last, before its end: an object.
  private var snapshot: [UInt8]?
  /// An error event, until the response ends.
  private var error: [UInt8]?
  /// Whether any event of the response came, and it has not ended.
  private var isOpen = false
  /// The text that the last event added a delta to, and its item; `nil` when it did not.
  private var growing: (item: Int, text: ItemBuilder.TextPlace)?

  package init(keeping: Keeping = .responses) { self.keeping = keeping }

  /// Whether anything ended that was not taken.
  var hasFinished: Bool {
    @inline(__always) get { !finishedItems.isEmpty || rebuilt != nil }
  }

  /// Removes and returns the items that have ended.
  package mutating func takeItems() -> [Item] {
    defer { finishedItems = [] }
    return finishedItems
  }

  /// Removes and returns the response that has ended; `nil` when it has not.
  package mutating func takeResponse() -> Rebuilt? { rebuilt.take() }

  /// Adds the delta of an event that goes on with the text of the last one; false when it does not,
  /// or does more than that.
  @inline(__always)
  package mutating func goOn(with event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    guard event.goesOn, let growing, let delta = event.bareDelta(in: line) else { return false }
    items[growing.item].append(line.extracting(delta), at: growing.text)
    return true
  }

  /// Handles an event that `goOn` refused, whose line is `line`.
  package mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>) {
    growing = nil
    guard let type = event.type, let response = event.response, !type.family.standsAlone
    else { return }
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
    guard keeping.keeps(itemType) else { return }
    if let text = items[number]?.handle(type, event, line), !type.hasOwnDelta,
      !event.hasLogprobs(line)
    {
      growing = (number, text)
    }
    if keepsItems, items[number]?.isDone == true {
      finishItem(number, at: response?.place(ofItem: number) ?? number)
    }
  }

  /// Ends the response: if it has no end of its own, it is finished without one.
  package mutating func finish() {
    guard isOpen else { return }
    var response = streamedResponse
    if let error = error.flatMap({ JSONValue(object: $0.span) }) {
      response["status"] = .text("failed")
      response["error"] = Self.describe(error)
    } else {
      response["status"] = .text("incomplete")
      response["incomplete_details"] = .object([("reason", .text("truncated_stream"))])
    }
    finish(response, isTruncated: error == nil)
  }

  private mutating func end(_ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>) {
    let place = event.object(of: "response", in: line)
    // A webhook's payload, an end alone: {"object":"event","type":"response.completed",…}
    guard place != nil || isOpen else { return }
    let whole = line.extracting(place ?? 0..<0)
    let output = event.output
    // An end without the response: {"type":"response.done","response":{"id":"resp_1","usage":…}}
    let isThin = ["status", "output"].allSatisfy {
      event.value(of: "response", $0, in: line) == nil
    }
    let count = items.count { $0 != nil }
    guard output.isEmpty, isThin || count > 0 else {
      return finish(whole, output, of: line, count)
    }
    var response = JSONValue(object: whole) ?? .object([])
    if isThin {
      let members = response.members
      response = streamedResponse
      response["status"] = .text(type.endStatus)
      for (name, value) in members { response[name] = value }
    }
    finish(response)
  }

  /// The response as it was sent last before its end, or an empty one.
  private var streamedResponse: JSONValue {
    snapshot.flatMap { JSONValue(object: $0.span) } ?? .object([("object", .text("response"))])
  }

  /// Finishes the response, which is `response` with the items that came.
  private mutating func finish(_ response: JSONValue, isTruncated: Bool = false) {
    var rebuilt = Rebuilt(isTruncated: isTruncated)
    if keepsItems {
      for number in router.inOrder { finishItem(number, at: router.items[number].place) }
    } else {
      var response = response
      response["output"] = .array(router.inOrder.compactMap { built($0)?.value })
      rebuilt.json = response.line
    }
    self.rebuilt = rebuilt
    isOpen = false
  }

  /// Finishes the response, which is `whole`, in `line`, and its items, which are at `output`: they
  /// take what is empty there and came before. Before its end `count` items came.
  private mutating func finish(
    _ whole: Span<UInt8>, _ output: [Range<Int>], of line: Span<UInt8>, _ count: Int
  ) {
    var rebuilt = Rebuilt()
    if output.count < count {
      rebuilt.warnings = [
        "the end of a response lists \(output.count) of the \(count) items that came"
      ]
    }
    if keepsItems {
      for (index, (place, number)) in zip(output, numbers(of: output, in: line)).enumerated() {
        if let number {
          items[number]?.end(with: line.extracting(place))
          finishItem(number, at: index)
        } else if line[place.lowerBound] == ASCII.openBrace {
          let json = [UInt8](copying: line.extracting(place))
          finishedItems.append(Item(outputIndex: index, json: json))
        } else {
          rebuilt.warnings.append("an element of the output is no object, and is left out")
        }
      }
    } else {
      rebuilt.json = [UInt8](copying: whole)
      if count > 0, !isAsItCame(output, in: line) { fill(&rebuilt, output, of: line) }
    }
    self.rebuilt = rebuilt
    isOpen = false
  }

  /// Whether each item at `output` of a whole response in `line` has the bytes with which it ended.
  private func isAsItCame(_ output: [Range<Int>], in line: Span<UInt8>) -> Bool {
    let router = router
    return output.enumerated().allSatisfy { index, place in
      let known = router.number(at: index).flatMap(built)
      return known?.hasEnded(as: line.extracting(place)) ?? false
    }
  }

  /// Puts items at `output` that take what came before into `rebuilt`, the whole response.
  private func fill(_ rebuilt: inout Rebuilt, _ output: [Range<Int>], of line: Span<UInt8>) {
    var isFilled = false
    let all = zip(output, numbers(of: output, in: line)).map { place, number in
      let item = line.extracting(place)
      let filled = number.flatMap(built)?.filled(item)
      isFilled = isFilled || filled != nil
      return JSONValue.raw(filled ?? [UInt8](copying: item))
    }
    guard isFilled, var whole = JSONValue(object: rebuilt.json.span) else { return }
    whole["output"] = .array(all)
    rebuilt.json = whole.line
  }

  /// The number of the item that came for each at `output` of a whole response; `nil` for none.
  private func numbers(of output: [Range<Int>], in line: Span<UInt8>) -> [Int?] {
    router.matches(of: output, in: line).map { number in
      number.flatMap { built($0) == nil ? nil : $0 }
    }
  }

  /// Finishes the item `number`, which is at `index` in the output, unless it was.
  private mutating func finishItem(_ number: Int, at index: Int) {
    guard let known = built(number), !known.isReported else { return }
    finishedItems.append(Item(outputIndex: index, json: known.line))
    items[number]?.forget()
  }

  /// The item `number`; `nil` when it is not built.
  private func built(_ number: Int) -> ItemBuilder? {
    number < items.count ? items[number] : nil
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
