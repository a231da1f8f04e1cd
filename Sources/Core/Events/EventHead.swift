/// The first bytes of an event, up to the end of its type, which stands first in its object: as most
/// events are of the type of the one before, one comparison tells what they are.
struct EventHead {
  private var bytes: [UInt8] = []
  /// Where the object starts in it.
  private(set) var object = 0
  /// The name of the type, counted from the object's start.
  private(set) var name = 0..<0
  private(set) var type: EventType?

  /// No head is longer.
  private static let limit = 256

  /// How long it is; 0 when there is none.
  var count: Int { bytes.count }

  /// Whether an event at `start` begins so.
  @inline(__always)
  func begins(_ input: Span<UInt8>, at start: Int) -> Bool {
    !bytes.isEmpty && input.starts(with: bytes.span, at: start)
  }

  /// Becomes the head of the event at `start` whose object starts at `object`: none when its type
  /// does not stand first, has an escape or a brace in it, or is that of what is no JSON.
  mutating func learn(_ input: Span<UInt8>, at start: Int, object: Int) {
    bytes.removeAll(keepingCapacity: true)
    guard input.starts(with: "{\"type\":\"", at: object) else { return }
    let end = input.endOfASCIIStringRun(from: object + 9)
    guard end < input.count, input[end] == ASCII.quote, end - start < Self.limit else { return }
    // Braces are counted behind the head.
    let name = input.extracting(object + 9..<end)
    let type = EventType(name)
    guard name.endOfFlatRun(from: 0) == name.count, type != nil || !EventReader.isSpecial(name)
    else { return }
    bytes.append(copying: input.extracting(start...end))
    self.object = object - start
    self.name = 9..<end - object
    self.type = type
  }
}
