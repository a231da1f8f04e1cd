/// A part of an output item of Chat Completions, or the arguments of a call. Its text stays as it
/// is spelled: `a\ud83d` of one chunk and `\ude86b` of the next are together one valid JSON string.
struct ChatPart {
  /// `output_text`, `refusal`, `reasoning_text` or `function_call_arguments`.
  let type: String
  var annotations: [JSONValue] = []
  var logprobs: [JSONValue] = []
  /// The JSON string of its text without the closing quote, as long as pieces may follow.
  private var open = [ASCII.quote]
  /// The JSON string behind the last piece. It stands in the last line that repeats it, whose
  /// memory it shares.
  private var closed: ArraySlice<UInt8> = []
  /// Whether the events of its start and its end were taken, and the numbers of bytes, annotations
  /// and log probabilities that events have.
  private var isStarted: Bool
  private var isEnded = false
  private var sentCount = 1
  private var sentAnnotations = 0
  private var sentLogprobs = 0

  init(type: String) {
    self.type = type
    // Arguments are no part of the content, and have no start.
    isStarted = type == "function_call_arguments"
  }

  /// The number of bytes of its text, with its quotes.
  var count: Int { open.count + closed.count }
  var isEmpty: Bool { count < 2 }
  var isClosed: Bool { !closed.isEmpty }

  /// Its text and the whole part, once it is closed.
  var text: JSONValue { .slice(closed) }
  var json: JSONValue { .object([("type", "\(type)"), (member.description, text)] + lists) }

  /// The members beside the text.
  private var lists: ChatItem.Members {
    guard type == "output_text" else { return [] }
    return [("annotations", .array(annotations)), ("logprobs", .array(logprobs))]
  }

  /// The name of the member with the text.
  private var member: StaticString {
    switch type {
    case "refusal": "refusal"
    case "function_call_arguments": "arguments"
    default: "text"
    }
  }

  mutating func append(_ piece: Span<UInt8>) { open.append(copying: piece) }

  /// Appends a piece of arguments. One that begins with all that came takes its place.
  mutating func append(arguments piece: Span<UInt8>) {
    append(piece.extracting((isRepeated(by: piece) ? open.count - 1 : 0)...))
  }

  /// Takes the next event of it; `nil` when there is none. Where it `isOver` the events of its end
  /// follow.
  mutating func take(isOver: Bool) -> ChatItem.Change? {
    if !isStarted {
      isStarted = true
      var start = ChatPart(type: type)
      start.close()
      return ("content_part.added", [("part", start.json)])
    }
    if sentCount < open.count {
      let piece = JSONValue.raw([ASCII.quote] + open[sentCount...] + [ASCII.quote])
      let news = logprobs[sentLogprobs...]
      sentCount = open.count
      sentLogprobs = logprobs.count
      return ("\(type).delta", [("delta", piece)] + members(logprobs: news))
    }
    if sentAnnotations < annotations.count {
      let index = sentAnnotations
      sentAnnotations += 1
      let annotation = annotations[index]
      let said =
        [("annotation_index", .integer(index)), ("annotation", annotation)] as ChatItem.Members
      return ("output_text.annotation.added", said)
    }
    if isOver, !isClosed {
      close()
      return ("\(type).done", [(member.description, text)] + members(logprobs: logprobs[...]))
    }
    guard isOver, !isEnded, type != "function_call_arguments" else { return nil }
    isEnded = true
    return ("content_part.done", [("part", json)])
  }

  private func members(logprobs: ArraySlice<JSONValue>) -> ChatItem.Members {
    type == "output_text" ? [("logprobs", .array(Array(logprobs)))] : []
  }

  private mutating func close() {
    open.append(ASCII.quote)
    closed = open[...]
    open = []
  }

  /// Moves its text into `line`, in which it stands in the object at `start`.
  mutating func move(into line: [UInt8], at start: Int) {
    let place = JSONChildren.value(of: member, in: line.span, at: start)
    if let place, place.count == closed.count { closed = line[place] }
  }

  /// Whether its text, the arguments of a call, is a whole JSON value.
  var isWhole: Bool { Self.isWhole(open.span.extracting(min(1, open.count)...)) }

  private static func isWhole(_ text: Span<UInt8>) -> Bool {
    // Most pieces end within a value: an object is looked at only where it may end.
    let end = text.extracting(max(0, text.count - 8)...)
    if text.byte(at: 0) == ASCII.openBrace, end.firstIndex(of: ASCII.closeBrace) == nil {
      return false
    }
    return !text.isEmpty && JSONScan.accepts(JSONString.decoded(inside: text).span)
  }

  /// Whether `piece` begins with all of it, and is longer or whole: it takes its place. No JSON
  /// object goes on as it begins.
  func isRepeated(by piece: Span<UInt8>) -> Bool {
    let inside = open.span.extracting(min(1, open.count)...)
    guard inside.byte(at: 0) == ASCII.openBrace, piece.starts(with: inside, at: 0) else {
      return false
    }
    return piece.count > inside.count || Self.isWhole(piece)
  }
}
