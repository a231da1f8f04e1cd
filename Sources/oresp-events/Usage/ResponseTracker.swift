import Core

/// Follows the responses of a stream, and gives what is known of each when it ends.
struct ResponseTracker {
  /// The responses that ended.
  struct Ends {
    /// One that the event cut off: it had no terminal event.
    var cut: ResponseFacts?
    /// The one that the event ended.
    var whole: ResponseFacts?

    var all: [ResponseFacts] { [cut, whole].compactMap { $0 } }
  }

  private var life = Lifecycle()
  private var facts = ResponseFacts()
  /// Whether lines of a log of `oresp-send` came.
  private(set) var hasLogged = false

  /// Whether a response is known that has not ended.
  var isUnfinished: Bool { life.isUnfinished }

  /// Whether `line` is no event, but of a log of `oresp-send`.
  mutating func isLogged(_ event: Event, _ line: Span<UInt8>) -> Bool {
    let isLogged = event.isLogged(line)
    hasLogged = hasLogged || isLogged
    return isLogged
  }

  /// Takes an event, and reads it further if it may tell of its response.
  mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) -> Ends {
    if isLogged(event, line) { return Ends(whole: ResponseFacts(logged: line)) }
    guard event.type?.family == .lifecycle else { return handle(event, nil, line) }
    let members = EventMembers(line)
    if members == nil { output.notices.append(.brokenMember(at: event.inputPlace)) }
    return handle(event, members, line)
  }

  /// Takes an event with its members, `nil` when they were not read.
  mutating func handle(_ event: Event, _ members: EventMembers?, _ line: Span<UInt8>) -> Ends {
    guard let type = event.type else { return Ends() }
    let step = life.handle(type, line)
    var ends = Ends()
    if step.leavesCut { ends.cut = facts }
    if step.isFirst { facts = ResponseFacts() }
    if type.family == .lifecycle, let response = members?.response {
      facts.update(with: line.extracting(response), of: type.row)
    }
    if step.kind == .ends {
      if type.family.standsAlone { facts.update(with: line, of: type.row) }
      ends.whole = facts
      facts = ResponseFacts()
    }
    return ends
  }

  /// Takes the end of the input; what is known of a response that had not ended.
  func finish() -> ResponseFacts? { isUnfinished ? facts : nil }
}

/// Follows the responses of all lanes of a stream.
struct ResponseTrackers {
  private var lanes = PerLane(ResponseTracker())

  /// Takes an event; what is known of the responses that it ended.
  mutating func handle(
    _ event: Event, _ line: Span<UInt8>, into output: inout Output
  ) -> [ResponseFacts] {
    event.step.isRepeated ? [] : lanes[event.lane].handle(event, line, into: &output).all
  }

  /// Takes the end of the input; what is known of the responses that had not ended.
  func finish() -> [ResponseFacts] { lanes.all.compactMap { $0.finish() } }

  /// Whether lines of a log of `oresp-send` came.
  var hasLogged: Bool { lanes.all.contains(where: \.hasLogged) }
}

/// What the snapshots of one response tell of it, each value as it was sent last; `null` where none
/// was.
struct ResponseFacts {
  private(set) var id = JSONValue.null
  private(set) var model = JSONValue.null
  private(set) var status = JSONValue.null
  private(set) var usage = JSONValue.null
  private(set) var serviceTier = JSONValue.null

  init() {}

  /// Reads `line`, which `oresp-send --log` has written of a run; `nil` when that had no response.
  init?(logged line: Span<UInt8>) {
    guard let id = JSONChildren.raw(of: "response_id", in: line) else { return nil }
    self.id = id
    model = JSONChildren.raw(of: "response_model", in: line) ?? .null
    status = JSONChildren.raw(of: "response_status", in: line) ?? .null
    usage = JSONChildren.raw(of: "usage", in: line) ?? .null
    serviceTier = JSONChildren.raw(of: "service_tier", in: line) ?? .null
  }

  /// Reads `response`, the Response object of an event of the type `row`, or the last event of the
  /// stream of another endpoint.
  mutating func update(with response: Span<UInt8>, of row: EventCatalogue.Row) {
    // The end says the status even where the object does not.
    if row.phase == .terminal {
      status = .text(String(row.name.description.dropFirst("response.".count)))
    } else if row.phase == .done {
      status = .text("completed")
    }
    func update(_ value: inout JSONValue, _ told: JSONValue?) {
      if let told, !told.isNull { value = told }
    }
    update(&id, JSONChildren.raw(of: "id", in: response))
    update(&model, JSONChildren.raw(of: "model", in: response))
    update(&status, JSONChildren.raw(of: "status", in: response))
    update(&usage, JSONChildren.raw(of: "usage", in: response))
    update(&serviceTier, JSONChildren.raw(of: "service_tier", in: response))
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

  /// The kind of which they are a part.
  var whole: TokenKind? {
    switch self {
    case .input, .output: nil
    case .cached, .cacheWrite: .input
    case .reasoning: .output
    }
  }

  /// The members that lead to their number in a usage object.
  var path: [StaticString] {
    switch self {
    case .input: ["input_tokens"]
    case .cached: ["input_tokens_details", "cached_tokens"]
    case .cacheWrite: ["input_tokens_details", "cache_write_tokens"]
    case .output: ["output_tokens"]
    case .reasoning: ["output_tokens_details", "reasoning_tokens"]
    }
  }
}

/// The tokens of a response, or of several; of a kind none where no server told.
struct TokenCounts {
  private var counts: [TokenKind: Int] = [:]

  init() {}

  /// Reads `usage`, a usage object.
  init(_ usage: Span<UInt8>) {
    for kind in TokenKind.allCases {
      let place = JSONChildren.value(at: kind.path[...], in: usage)
      let count = place.flatMap { JSONNumber.integer(usage.extracting($0)) }
      if let count, count >= 0 { counts[kind] = count }
    }
  }

  subscript(kind: TokenKind) -> Int? {
    get { counts[kind] }
    set { counts[kind] = newValue }
  }

  /// Adds what `other` tells. A count stops growing where integers end.
  mutating func add(_ other: Self) {
    counts.merge(other.counts, uniquingKeysWith: clampedSum)
  }

  /// The counts as members of a JSON object. Few servers tell of tokens written to a cache.
  var members: [(name: String, value: JSONValue)] {
    TokenKind.allCases.filter { $0 != .cacheWrite || counts[$0] != nil }
      .map { ($0.rawValue + "_tokens", .integer(orNull: counts[$0])) }
  }
}

/// The sum, or the largest or smallest number there is where the sum is beyond that.
func clampedSum(_ left: Int, _ right: Int) -> Int {
  let (sum, overflows) = left.addingReportingOverflow(right)
  return overflows ? (right < 0 ? .min : .max) : sum
}
