/// A type of event that the catalogue knows.
package struct EventType: Equatable, Sendable {
  /// The index of its row in the catalogue.
  package let index: Int
  package let family: EventFamily
  package let phase: EventPhase
  private let traits: Traits

  /// What is asked of it, in one value: a type with a field for each is copied field by field.
  private struct Traits: OptionSet {
    let rawValue: UInt8

    static let isFailed = Traits(rawValue: 1)
    static let hasOwnDelta = Traits(rawValue: 2)
    static let bringsObject = Traits(rawValue: 4)
    static let isJudged = Traits(rawValue: 8)
    static let isInside = Traits(rawValue: 16)
    static let isAboutItem = Traits(rawValue: 32)
    static let isOfResponse = Traits(rawValue: 64)
  }

  package static func == (left: EventType, right: EventType) -> Bool { left.index == right.index }

  package var row: EventCatalogue.Row { EventCatalogue.rows[index] }

  /// All types, in the order of the catalogue.
  package static let all = EventCatalogue.rows.enumerated().map { EventType($0, $1) }

  /// Whether it is `response.failed`, which ends a response.
  var isFailed: Bool { traits.contains(.isFailed) }
  /// Whether the member with a piece of its value has another name than `delta`.
  package var hasOwnDelta: Bool { traits.contains(.hasOwnDelta) }
  /// Whether it brings a whole part or item, which is an object.
  package var bringsObject: Bool { traits.contains(.bringsObject) }
  /// Whether an event of the type may change the verdict.
  package var isJudged: Bool { traits.contains(.isJudged) }
  /// Whether an event of the type opens or ends neither a response nor an item.
  var isInside: Bool { traits.contains(.isInside) }
  /// Whether an event of the type is about an item, or the product of another endpoint.
  package var isAboutItem: Bool { traits.contains(.isAboutItem) }
  /// Whether an event of the type stands inside a response: it does not begin, fail or end one.
  var isOfResponse: Bool { traits.contains(.isOfResponse) }

  /// The status of a response that such an event, a terminal one, ends, where its object has none.
  package var endStatus: String {
    let name = row.name.description.utf8
    return isDone
      ? "completed" : String(decoding: name.dropFirst("response.".utf8.count), as: UTF8.self)
  }

  /// Whether it is `response.done`, which some servers send behind the terminal event, too.
  var isDone: Bool { row.name.description == "response.done" }

  /// Whether an event of the type shows that an answer has begun, or its error came.
  var isOfAnswer: Bool {
    switch family {
    case .keepalive, .metadata, .websocket, .websocketClient, .ownEnd: false
    default: true
    }
  }

  /// Whether an event of the type opens an item.
  var opensItem: Bool { family == .outputItem && phase == .start }

  private init(_ index: Int, _ row: EventCatalogue.Row) {
    self.index = index
    family = row.family
    phase = row.phase
    let judged: [EventFamily] = [
      .lifecycle, .error, .refusal, .transcription, .speech, .image, .ownEnd,
    ]
    let others: [EventFamily] = [
      .lifecycle, .error, .ownEnd, .keepalive, .metadata, .websocket, .websocketClient,
    ]
    var traits: Traits = []
    if row.name.description == "response.failed" { traits.insert(.isFailed) }
    if let delta = row.delta, delta.description != "delta" { traits.insert(.hasOwnDelta) }
    if ["part", "item"].contains(row.final?.description) { traits.insert(.bringsObject) }
    if judged.contains(row.family) {
      traits.insert(.isJudged)
    } else if row.family != .outputItem {
      traits.insert(.isInside)
    }
    if !others.contains(row.family) {
      traits.insert(.isAboutItem)
      if !row.family.standsAlone { traits.insert(.isOfResponse) }
    }
    self.traits = traits
  }

  /// The type whose name is `name`; `nil` when the catalogue has none.
  package init?(_ name: Span<UInt8>) {
    guard let type = EventTypes.all.find(name) else { return nil }
    self = type
  }
}

/// Finds types by the hashes of their names, in one step for any number of types. A reader of many
/// events keeps one, as each access to a global costs.
struct EventTypes: Sendable {
  static let all = EventTypes()

  private let types = EventType.all
  private let names = EventCatalogue.rows.map(\.name)
  /// The index of a type plus one, in the first slot free from the hash of its name on; 0 in a free
  /// slot.
  private var slots = [UInt16](repeating: 0, count: 1024)

  private init() {
    precondition(names.count < slots.count / 2)
    for (place, name) in names.enumerated() {
      var slot = Self.hash(Array(name.description.utf8).span)
      while slots[slot] != 0 { slot = (slot + 1) & 1023 }
      slots[slot] = UInt16(place + 1)
    }
  }

  @inline(__always)
  func find(_ name: Span<UInt8>) -> EventType? {
    var slot = Self.hash(name)
    while slots[slot] != 0 {
      let place = Int(slots[slot]) - 1
      if name.equals(names[place]) { return types[place] }
      slot = (slot + 1) & 1023
    }
    return nil
  }

  @inline(__always)
  private static func hash(_ name: Span<UInt8>) -> Int {
    guard name.count >= 17 else {
      var hash = name.count
      for index in name.indices { hash = hash &* 31 &+ Int(name[index]) }
      return hash & 1023
    }
    // Long names differ in their ends and in the word behind "response.".
    let mixed = (name.word(at: name.count - 8) ^ name.word(at: 9) &* 31) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 54)
  }
}
