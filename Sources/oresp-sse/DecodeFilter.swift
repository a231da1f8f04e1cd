package import Core

/// Prints each event as a line, and adds the time of its arrival, its number and its tag where they
/// are asked for.
package struct DecodeFilter: EventFilter {
  private let stamps: Bool
  private let tag: [UInt8]?
  /// What the current event gets, as JSON, with the end of its line:
  /// `,"oresp":{"at":1767225600.250001}}` LF.
  private var addition: [UInt8] = []
  /// Whether the next event of the read gets the same.
  private var isShared = false
  /// How many lines each tag has had; `nil` if lines are not numbered.
  private var counts: [[UInt8]: Int]?
  private var hasReportedNumber = false
  private let now: () -> Int
  /// The time as JSON. All events of one read arrived at once.
  private var time: [UInt8] = []

  /// `now` is the time in microseconds since the epoch.
  package init(_ settings: SSETool.Settings, now: @escaping () -> Int = Clock.microseconds) {
    (stamps, tag) = (settings.stamps, settings.tag.map { Array($0.utf8) })
    if settings.numbers { counts = [:] }
    self.now = now
  }

  package var triage: EventTriage {
    if counts != nil { return .handlingAll }
    return stamps || tag != nil ? .handlingAll : EventTriage(unknown: .pass) { _ in .pass }
  }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    guard stamps || tag != nil || counts != nil else { return output.append(line: line) }
    // It is no event, but belongs to a response.
    if event.isOwnEnd(line) {
      return output.append(line: EventLine.tagged([UInt8](copying: line), tag ?? []).span)
    }
    let isFirst = output.bytes.isEmpty || time.isEmpty
    if stamps, isFirst {
      time.removeAll(keepingCapacity: true)
      Stamp.append(microseconds: now(), to: &time)
    }
    let number = number(of: event, line, into: &output)
    if !isShared || isFirst || event.block != nil { spell(event.block, number) }
    isShared = event.block == nil && number == nil
    if !EventLine.append(event, line, with: addition.span, to: &output.bytes) {
      let what = stamps ? "stamped" : tag == nil ? "numbered" : "tagged"
      let why = "not \(what): its member oresp is no object"
      output.notices.append(Notice(.warning, why, at: event.place))
    }
  }

  /// Spells what is added to an event.
  private mutating func spell(_ block: EventBlock?, _ number: Int?) {
    addition.removeAll(keepingCapacity: true)
    addition.append(ASCII.openBrace)
    if stamps {
      add("at")
      addition.append(contentsOf: time)
      if let id = block?.id {
        add("id")
        JSONString.encode(id.span, into: &addition)
      }
      if let retry = block?.retry {
        add("retry")
        addition.append(contentsOf: String(retry).utf8)
      }
    }
    if let number {
      add("n")
      addition.append(contentsOf: String(number).utf8)
    }
    if let tag {
      add("request")
      JSONString.encode(tag.span, into: &addition)
    }
    addition.append(ASCII.closeBrace)
  }

  /// How many lines with the same tag came before; `nil` if lines are not numbered, or this event
  /// has a number already.
  private mutating func number(
    of event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) -> Int? {
    guard counts != nil else { return nil }
    let own = event.string(of: "oresp", "request", in: line)
    let name = own.isEmpty ? tag ?? [] : own
    let number = counts?[name] ?? 0
    counts?[name] = number + 1
    guard event.value(of: "oresp", "n", in: line) != nil else { return number }
    if !hasReportedNumber {
      hasReportedNumber = true
      let why = "the event has a number already, which stays"
      output.notices.append(Notice(.warning, why, at: event.place))
    }
    return nil
  }

  /// Begins the member `name` of `addition`.
  private mutating func add(_ name: StaticString) {
    if addition.last != ASCII.openBrace { addition.append(ASCII.comma) }
    addition.append(ASCII.quote)
    addition.append(name)
    addition.append("\":")
  }

  package var ownEnds: OwnEnds {
    var ends = OwnEnds()
    ends.passes = true
    ends.marks = .written
    ends.tag = tag ?? []
    return ends
  }

  package mutating func finish(into output: inout Output) {}
}
