import Core

/// Facts of one response, each as it was sent last; `null` where none was sent.
struct ResponseFacts {
  private(set) var id = JSONValue.null
  private(set) var model = JSONValue.null
  /// The model that was named first, if another answered.
  private(set) var formerModel: JSONValue?
  private(set) var status = JSONValue.null
  private(set) var usage = JSONValue.null
  private(set) var serviceTier = JSONValue.null
  /// The member for the second in which it was created; none where no event says it.
  private(set) var created: [(name: String, value: JSONValue)] = []

  /// The name of its request; empty when none is known.
  let tag: [UInt8]
  /// Whether it is over without a terminal event.
  private(set) var isCut = false
  /// The message on its end, if it did not simply complete.
  private(set) var failure: String?

  /// Its tag, or else its id; `nil` when it has neither.
  var name: String? {
    if !tag.isEmpty { return String(decoding: tag, as: UTF8.self) }
    guard case .raw(let text) = id else { return nil }
    return JSONString.text(text.span)
  }

  /// Facts of an open response.
  init(tag: [UInt8]) {
    self.tag = tag
    isCut = true
  }

  /// `members` as a line of an object, behind its id and with the name of its request.
  func line(_ members: [(name: String, value: JSONValue)]) -> [UInt8] {
    EventLine.tagged(JSONValue.object([("response_id", id), ("model", model)] + members).line, tag)
  }

  /// The amount that the server says it charged, and its currency: a number of dollars, or of ten
  /// billionths of one, or an object: `{"total_cost":0.00511,"currency":"USD"}`.
  var charge: (money: Money, currency: String)? {
    guard case .raw(let text) = usage else { return nil }
    func amount(_ path: StaticString..., places: Int = 0) -> Money? {
      JSONChildren.value(at: path[...], in: text.span).flatMap {
        Money(text.span.extracting($0), places: places)
      }
    }
    let currency = JSONChildren.text(of: "cost", "currency", in: text.span)
    let money =
      amount("cost") ?? amount("cost", "total_cost") ?? amount("cost", "total")
      ?? amount("cost_in_usd_ticks", places: 10)
    return money.map { ($0, currency.isEmpty ? "USD" : currency.uppercased()) }
  }

  /// Reads `line`, which `oresp-send --log` wrote of a run; `nil` when that had no response.
  init?(logged line: Span<UInt8>) {
    guard let id = JSONChildren.raw(of: "response_id", in: line) else { return nil }
    tag = []
    self.id = id
    model = JSONChildren.raw(of: "response_model", in: line) ?? .null
    status = JSONChildren.raw(of: "response_status", in: line) ?? .null
    usage = JSONChildren.raw(of: "usage", in: line) ?? .null
    serviceTier = JSONChildren.raw(of: "service_tier", in: line) ?? .null
  }

  /// Reads the facts in `event`: in a Response object, at the end of the stream of another
  /// endpoint, or in an event of metadata.
  mutating func update(with event: borrowing Event, _ line: Span<UInt8>) {
    guard let type = event.type else { return }
    if event.step == .ends, type.family != .ownEnd { isCut = false }
    if type.family == .metadata { return updateModel(with: event, line) }
    let isAlone = type.family.standsAlone && event.step == .ends
    let hasResponse = event.value(of: "response", in: line) != nil
    guard isAlone || type.family == .lifecycle && (hasResponse || type.phase == .terminal)
    else { return }
    // The end says the status even where the object does not.
    if type.phase == .terminal {
      status = .text(type.endStatus)
    } else if type.phase == .done {
      status = .text("completed")
    }
    func update(_ value: inout JSONValue, _ name: StaticString) {
      let place =
        isAlone ? event.value(of: name, in: line) : event.value(of: "response", name, in: line)
      guard let place, !line.extracting(place).equals("null") else { return }
      value = .raw([UInt8](copying: line.extracting(place)))
    }
    var model = JSONValue.null
    update(&id, "id")
    update(&model, "model")
    note(model: model)
    update(&status, "status")
    update(&usage, "usage")
    update(&serviceTier, "service_tier")
    var created = JSONValue.null
    update(&created, "created_at")
    if !created.isNull { self.created = [("created", created)] }
  }

  /// Ends the response. Where no event shows its end, its status is the one that `-R --partial`
  /// gives it.
  mutating func close(_ response: Response) {
    failure = response.outcome?.message
    guard isCut, let outcome = response.outcome, !outcome.isUnfinished else { return }
    status = .text(outcome.isError ? "failed" : "incomplete")
  }

  /// Reads the headers in an event of metadata, which name the model where requests are rerouted.
  private mutating func updateModel(with event: borrowing Event, _ line: Span<UInt8>) {
    for name in ["openai-model", "x-openai-model"] as [StaticString] {
      guard let place = event.value(of: "headers", name, in: line) else { continue }
      note(model: .raw([UInt8](copying: line.extracting(place))))
    }
  }

  private mutating func note(model: JSONValue) {
    guard !model.isNull, model.line != self.model.line else { return }
    if !self.model.isNull { formerModel = formerModel ?? self.model }
    self.model = model
  }

  /// The tokens that `usage` counts.
  var tokens: TokenCounts {
    guard case .raw(let text) = usage else { return TokenCounts() }
    return TokenCounts(text.span)
  }
}

/// The kinds of tokens that are counted and have a price.
enum TokenKind: String, CaseIterable {
  case input, cached
  case cacheWrite = "cache_write"
  case output, reasoning

  /// The members that lead to their number in a usage object, and the kind that they are a part of.
  var place: (path: [StaticString], whole: TokenKind?) {
    switch self {
    case .input: (["input_tokens"], nil)
    case .cached: (["input_tokens_details", "cached_tokens"], .input)
    case .cacheWrite: (["input_tokens_details", "cache_write_tokens"], .input)
    case .output: (["output_tokens"], nil)
    case .reasoning: (["output_tokens_details", "reasoning_tokens"], .output)
    }
  }
}

/// The tokens of a response, or of several: of each kind that a server counted.
struct TokenCounts {
  private var counts: [TokenKind: Int] = [:]

  init() {}

  /// Reads `usage`, a usage object.
  init(_ usage: Span<UInt8>) {
    for kind in TokenKind.allCases {
      let place = JSONChildren.value(at: kind.place.path[...], in: usage)
      let count = place.flatMap { JSONNumber.integer(usage.extracting($0)) }
      if let count, count >= 0 { counts[kind] = count }
    }
  }

  subscript(kind: TokenKind) -> Int? {
    get { counts[kind] }
    set { counts[kind] = newValue }
  }

  /// Adds the counts of `other`. A count stops growing where integers end.
  mutating func add(_ other: Self) {
    counts.merge(other.counts, uniquingKeysWith: clampedSum)
  }

  /// The counts as members of a JSON object. Few servers count tokens that are written to a cache.
  var members: [(name: String, value: JSONValue)] {
    TokenKind.allCases.filter { $0 != .cacheWrite || counts[$0] != nil }
      .map { ($0.rawValue + "_tokens", .number(counts[$0])) }
  }
}

/// The sum; the largest or smallest integer where the sum is beyond it.
func clampedSum(_ left: Int, _ right: Int) -> Int {
  let (sum, overflows) = left.addingReportingOverflow(right)
  return overflows ? (right < 0 ? .min : .max) : sum
}
