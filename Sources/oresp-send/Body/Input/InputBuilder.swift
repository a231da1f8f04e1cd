import Core

/// What a request asks about.
struct RequestInput {
  /// The id of the response to continue.
  var previous: JSONValue?
  /// The prompt as a text, or all items; `nil` leaves the body's own.
  var items: JSONValue?
}

/// Makes the input of a request out of the prompt, the attachments and the items. Of
///
///     echo ls | oresp-send -f a.txt --items '{"type":"reasoning","id":"rs_1"}' 'What does' -
///
/// it makes the items
///
///     {"type":"reasoning","id":"rs_1"}
///     {"type":"message","role":"user","content":[
///       {"type":"input_text","text":"==> a.txt <==\n…"},
///       {"type":"input_text","text":"What does\nls\n"}]}
///
/// A prompt alone is a string.
struct InputBuilder {
  let settings: InputSettings
  /// The operands.
  let prompt: [String]
  let sources: Sources
  let request: RequestSettings

  /// Whether the input may be empty. One to be compacted or counted may be on the server already.
  private var mayBeNothing: Bool {
    let isHeld = settings.previous != nil || request.uses("--conversation")
    return isHeld && request.use != .answer || !request.needsInput || request.uses("-b")
  }

  /// Whether the command line names any input.
  private var hasInput: Bool {
    !prompt.isEmpty || !settings.attachments.isEmpty || !settings.items.isEmpty
  }

  /// Reads the input. If the command line names none and the body `lacksInput`, standard input is
  /// the prompt. Otherwise bytes on standard input that nothing reads are refused.
  func read(lacksInput: Bool) throws(Failure) -> RequestInput {
    if hasInput || !lacksInput { try sources.refuseUnreadInput() }
    var calls: [JSONValue] = []
    var input = RequestInput()
    input.previous = try settings.previous.map { previous throws(Failure) in
      try previousID(previous, &calls)
    }
    guard hasInput || lacksInput else { return input }
    var items: [JSONValue] = []
    for source in settings.items { items += try source.items(sources, calls + items) }
    var content = try contentParts()
    try refuseNothing(items, content)
    let text = hasInput ? try promptText() : try wholePrompt()
    if text == nil, !hasInput { return input }
    let isPlain = items.isEmpty && content.parts.isEmpty
    var said = text.map(JSONValue.string)
    if !content.parts.isEmpty {
      if let text { content.append(text: text) }
      said = .array(content.parts)
    }
    if let said, isPlain {
      input.items = said
      return input
    }
    if let said { items.append(["type": "message", "role": "user", "content": said]) }
    guard !items.isEmpty else { throw .usage("nothing to send: no PROMPT, and no item") }
    input.items = .array(items)
    return input
  }

  /// Refuses files that are named and all empty: the model would be asked about nothing.
  private func refuseNothing(
    _ items: [JSONValue], _ content: ContentParts
  ) throws(Failure) {
    let files = settings.attachments.map(\.name) + settings.items.compactMap(\.file)
    guard let first = files.first, items.isEmpty, !content.hasContent else { return }
    let what = files.count == 1 ? "\(first) is empty" : "the files that are named are empty"
    throw .usage("nothing to send: " + what)
  }

  private func contentParts() throws(Failure) -> ContentParts {
    let loader = AttachmentLoader(open: sources.open)
    var content = ContentParts()
    for attachment in settings.attachments {
      try content.append(attachment, loader)
    }
    return content
  }

  /// The words of the prompt, with standard input on lines of its own where a word is `-`; `nil`
  /// without words. Refuses a prompt of white space only, such as `"$UNSET"`.
  private func promptText() throws(Failure) -> [UInt8]? {
    guard !prompt.isEmpty else { return nil }
    var text: [UInt8] = []
    var isBehindStdin = false
    var isFirst = true
    for word in prompt {
      let isStdin = Descriptor.isStdin(word)
      if !isFirst, !(isBehindStdin && text.last == ASCII.lf) {
        text.append(isStdin || isBehindStdin ? ASCII.lf : ASCII.space)
      }
      text += isStdin ? try stdinText() : Array(word.utf8)
      isBehindStdin = isStdin
      isFirst = false
    }
    guard !text.allSatisfy(ASCII.isSpace) else {
      throw .usage("nothing to send: the PROMPT is empty")
    }
    return text
  }

  /// Standard input as the whole prompt; `nil` if it has none and none is needed.
  private func wholePrompt() throws(Failure) -> [UInt8]? {
    guard sources.hasFreeStdin else {
      if mayBeNothing { return nil }
      throw .usage("nothing to send: give a PROMPT, -f or -b")
    }
    let text = try stdinText(isNamed: false)
    guard !text.allSatisfy(ASCII.isSpace) else {
      if mayBeNothing { return nil }
      throw .usage("nothing to send: no PROMPT, and stdin is empty")
    }
    return text
  }

  private func stdinText(isNamed: Bool = true) throws(Failure) -> [UInt8] {
    let text = try isNamed ? sources.text("-").bytes : sources.open("-").readAll()
    guard UTF8Repair.isValid(text.span) else {
      throw .other("stdin: not UTF-8; -f - sends it as a file", .badInput)
    }
    return text
  }

  /// The id of the response to continue. If a file has it, `calls` gets the calls in that file.
  private func previousID(_ text: String, _ calls: inout [JSONValue]) throws(Failure) -> JSONValue {
    guard let path = Source.file(in: text) else { return .text(text) }
    let file = try sources.text(path)
    calls = try KnownResponse.calls(in: file)
    return .text(try KnownResponse.last(in: file).id)
  }
}
