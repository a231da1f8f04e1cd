import Core

/// Prints a line of figures for each response: its events, and how fast they came.
struct StatsFilter: EventFilter {
  private var facts = OpenFacts()
  private var tallies = PerResponse(Tally())
  /// How many responses were printed, and whether any had a time.
  private var (count, hasTimes) = (0, false)

  var hasOther: Bool { facts.hasLogged }

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output) {
    if let logged = facts.handle(event, line) {
      return print(logged, Tally(logged: line), into: &output)
    }
    guard event.step != .again, let response = event.response else { return }
    tallies[response].handle(event, line)
  }

  mutating func close(_ response: Response, into output: inout Output) {
    let tally = tallies.remove(response)
    guard let facts = facts.close(response) else { return }
    print(facts, tally, into: &output)
  }

  mutating func finish(into output: inout Output) {
    guard count > 0, !hasTimes else { return }
    output.notices.append(.unstamped(.warning))
  }

  private mutating func print(
    _ facts: ResponseFacts, _ tally: Tally, into output: inout Output
  ) {
    let times = tally.times.members(outputTokens: facts.tokens[.output])
    count += 1
    hasTimes = hasTimes || tally.times.span != nil
    let reroute = facts.formerModel.map { [("first_model", $0)] } ?? []
    let members = reroute + [("status", facts.status)] + tally.members + times
    output.append(line: facts.line(members).span)
  }
}

/// The events of one response, counted.
struct Tally {
  private var events = 0
  private(set) var times = EventTimes()
  private var bytes = 0
  /// The events of each type of the catalogue.
  private var known = [Int](repeating: 0, count: EventCatalogue.rows.count)
  /// The events of each other type, by its name.
  private var others: [String: Int] = [:]

  init() {}

  /// A log has the time that the run took, and none of its events.
  init(logged line: Span<UInt8>) {
    let elapsed = JSONChildren.value(of: "elapsed_seconds", in: line)
    times = EventTimes(microseconds: Stamp.microseconds(elapsed, in: line))
  }

  /// More names than this are counted together, so that memory has a bound.
  private static let mostOthers = 1000

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>) {
    events += 1
    bytes += line.count
    if let type = event.type { known[type.index] += 1 } else { countOther(event, line) }
    if let time = Stamp.microseconds(of: event, line) { times.note(time, of: event, line) }
  }

  /// The counts as members of a JSON object.
  var members: [(name: String, value: JSONValue)] {
    [("events", .number(events)), ("bytes", .number(bytes)), ("types", .object(types))]
  }

  private mutating func countOther(_ event: borrowing Event, _ line: Span<UInt8>) {
    var name = event.typeName.map { JSONString.text(inside: line.extracting($0)) } ?? ""
    if others[name] == nil, others.count >= Self.mostOthers { name = "oresp.other" }
    others[name, default: 0] += 1
  }

  private var types: [(name: String, value: JSONValue)] {
    let counted = zip(EventCatalogue.rows, known).filter { $0.1 > 0 }
    return (counted.map { ($0.name.description, $1) } + others.sorted { $0.key < $1.key })
      .map { ($0, .number($1)) }
  }
}
