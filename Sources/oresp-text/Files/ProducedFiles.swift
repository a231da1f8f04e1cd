package import Core

/// Writes the files of a response into a folder: generated images, the images of the code
/// interpreter, and audio; also the images and the speech of other endpoints. A file may come as an
/// event of its own, with its item, and with the whole response; it is written once.
package struct ProducedFiles: ~Copyable {
  /// What is known of the files of one response: a class, as a file cannot be copied.
  package final class State {
    /// The sources whose files were written, or tried.
    fileprivate var done = ProducedSource.Known()
    /// The audio that is arriving, unless it is broken, and its source.
    fileprivate var audio: ProducedFile?
    fileprivate var audioSource: ProducedSource?
    /// Whether audio came without an item or a place: the first audio in an item is the same then.
    fileprivate var hasPlacelessAudio = false
    /// The images that were made and came without their data, so far.
    fileprivate var lacking: [ProducedSource] = []

    package init() {}
  }

  private var folder: FileFolder
  /// The state of the response of the event that is being handled.
  private var state = State()
  /// The paths of written files, in order, that were not taken.
  private var paths: [String] = []
  /// The number of code blocks that were written, or tried.
  private var blocks = 0
  /// The place of the event that is being handled, and the faults in it.
  private var place: Notice.Place?
  private var notices: [Notice] = []

  /// Files go into the folder `path`, which is made if it is missing. With `replaces` they replace
  /// existing files.
  package init(into path: String, replaces: Bool = false) throws(Failure) {
    folder = try FileFolder(path, replaces: replaces)
  }

  /// Returns the paths of the files that were written since the last call.
  package mutating func takePaths() -> [String] {
    defer { paths = [] }
    return paths
  }

  /// Writes the files of an event, whose line is `line`, of the response with `state`; faults become
  /// notices of `output`.
  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, _ state: State?, into output: inout Output
  ) {
    guard let type = event.type, let state else { return }
    place = event.place
    self.state = state
    switch (type.family, type.phase) {
    case (.lifecycle, .terminal):
      finishAudio()
      let items = event.output
      for (index, item) in items.enumerated() { write(item: line.extracting(item), at: index) }
    case (.outputItem, .done):
      guard let item = event.object(of: "item", in: line) else { return }
      write(item: line.extracting(item), at: event.integer(of: "output_index", in: line))
    case (.audio, .delta):
      let number = JSONChildren.integer(of: "content_index", in: line) ?? 0
      append("delta", of: line, ProducedSource(ofEvent: line, kind: "audio", part: "-\(number)"))
    case (.audio, .done): finishAudio()
    case (.speech, .delta): append("audio", of: line, ProducedSource("", nil, kind: "speech"))
    case (.speech, .done): finishAudio()
    case (.image, .done): write(images: line)
    default: break
    }
    report(into: &output)
  }

  /// Writes a code block of the answer.
  mutating func write(_ block: CodeBlock, into output: inout Output) {
    blocks += 1
    let name = block.fileName(blocks)
    do throws(Failure) {
      let file = try folder.create(name.stem, name.suffix)
      let path = file.descriptor.name
      try file.write(block.content.span)
      try file.commit()
      paths.append(path)
    } catch {
      report(error, of: name.stem)
    }
    report(into: &output)
  }

  /// Ends the response with `state`. Audio that has not ended is dropped.
  package mutating func close(_ state: State?, into output: inout Output) {
    guard let state else { return }
    if state.audio.take() != nil {
      notices.append(Notice(.warning, "the audio was cut off, and its file is not kept"))
    }
    for source in state.lacking where !state.done.contains(source, nil) {
      notices.append(Notice(.warning, "\(source.stem): the image came without its data"))
    }
    report(into: &output)
  }

  private mutating func report(into output: inout Output) {
    output.notices += notices
    notices = []
  }

  /// Reports `failure`, the reason why there is no file `name`.
  private mutating func report(_ failure: Failure, of name: String) {
    if case .other(let why, let status) = failure {
      notices.append(Notice(.error, "\(name): \(why)", status: status, at: place))
    } else {
      let why = failure.message ?? "\(name): no reader"
      notices.append(Notice(.error, why, status: failure.status))
    }
  }

  /// Writes the files of `item`, an output item, from the members that the catalogue names.
  private mutating func write(item: Span<UInt8>, at index: Int?) {
    let type = ItemRouter.type(of: item)
    let id = JSONChildren.text(of: "id", in: item)
    let paths = ItemCatalogue.row(of: type)?.files ?? []
    let path = paths.first { $0.count > 1 || Self.text(of: $0[0], in: item) != nil }
    guard let kind = Self.kinds[type] else { return }
    guard let path, let member = path.last else {
      let source = ProducedSource(id, index, kind: kind)
      let isMade = JSONChildren.text(of: "status", in: item) == "completed"
      if isMade, !state.lacking.contains(source) { state.lacking.append(source) }
      return
    }
    guard path.count > 1 else {
      return write(member, of: item, ProducedSource(id, index, kind: kind))
    }
    let parts = JSONChildren.elements(at: path[..<1], in: item)
    for (number, range) in parts.enumerated() {
      let part = item.extracting(range)
      let source = ProducedSource(id, index, kind: kind, part: "-\(number)")
      if state.hasPlacelessAudio, kind == "audio", JSONChildren.value(at: [member], in: part) != nil
      {
        state.hasPlacelessAudio = false
        state.done.insert(source, nil)
      }
      write(member, of: part, source)
    }
  }

  /// Writes the image or the images in `line`, an event or a whole result of the images endpoints.
  private mutating func write(images line: Span<UInt8>) {
    let list = JSONChildren.elements(at: ["data"], in: line)
    let format = JSONChildren.text(of: "output_format", in: line)
    for (number, place) in (list.isEmpty ? [0..<line.count] : list).enumerated() {
      let image = line.extracting(place)
      let part = list.count > 1 ? "-\(number)" : ""
      let hasFile = JSONChildren.value(of: "b64_json", in: image) != nil
      let source = ProducedSource("", nil, kind: "image", part: part)
      write(hasFile ? "b64_json" : "url", of: image, source, format: format)
    }
  }

  /// The names of files without an id, by the type of their item.
  private static let kinds = [
    "image_generation_call": "image", "code_interpreter_call": "output", "message": "audio",
  ]

  /// Writes the file in the member `name` of `object`, unless `source` was written. A URL is only
  /// reported. The file has the format that `object` or its bytes name, or else `format`.
  private mutating func write(
    _ name: StaticString, of object: Span<UInt8>, _ source: ProducedSource,
    format: String = ""
  ) {
    guard let range = Self.text(of: name, in: object) else { return }
    let text = object.extracting(range)
    let content = text.mixed(into: 0)
    if state.done.contains(source, content) { return }
    guard let (start, mediaType) = Self.base64(in: text) else {
      state.done.insert(source, content)
      let address = JSONString.text(inside: text.extracting(first: 1000))
      let message = "\(source.stem) is at \(address), and is not fetched"
      return notices.append(Notice(.warning, message, at: place))
    }
    let ownFormat = JSONChildren.text(of: "output_format", in: object)
    let format = ownFormat.isEmpty ? format : ownFormat
    let expected = mediaType.flatMap(FileKind.called) ?? FileKind.called(format)
    var file = ProducedFile(source.stem, expecting: expected)
    do throws(Failure) {
      try file.append(text.extracting(start...), in: &folder)
      paths.append(try file.finish(in: &folder))
      state.done.insert(source, content)
    } catch {
      // A later copy of a broken file may be whole; one that cannot be written is reported once.
      if case .other = error {} else { state.done.insert(source, content) }
      report(error, of: source.stem)
    }
  }

  /// The start of the base64 in `text`, which stands between the quotes of a JSON string, and its
  /// media type, if a data URL names it; `nil` when the text is an address.
  private static func base64(in text: Span<UInt8>) -> (start: Int, mediaType: String?)? {
    // Base64 has no colon; a URL has one near its start.
    let colon = text.extracting(first: 64).firstIndex(of: ASCII.colon)
    guard let colon else { return (0, nil) }
    guard text.starts(with: "data:"), let comma = text.firstIndex(of: ASCII.comma, from: colon),
      comma < 256
    else { return nil }
    let type = JSONString.text(inside: text.extracting(colon + 1..<comma))
    guard type.hasSuffix(";base64") else { return nil }
    return (comma + 1, type.split(separator: ";").first.map(String.init))
  }

  /// The text, between its quotes, of the member `name` of `object`; `nil` when there is none.
  private static func text(of name: StaticString, in object: Span<UInt8>) -> Range<Int>? {
    guard let range = JSONChildren.value(of: name, in: object), range.count > 2,
      object[range.lowerBound] == ASCII.quote
    else { return nil }
    return range.lowerBound + 1..<range.upperBound - 1
  }

  /// Appends a piece of audio, the member `name` of `line`, which need not name its item.
  private mutating func append(
    _ name: StaticString, of line: Span<UInt8>, _ source: ProducedSource
  ) {
    guard let text = Self.text(of: name, in: line) else { return }
    if source != state.audioSource {
      finishAudio()
      if state.done.contains(source, nil) { return }
      state.audioSource = source
      state.audio = ProducedFile(source.stem, expecting: nil)
    }
    do throws(Failure) {
      try state.audio?.append(line.extracting(text), in: &folder)
    } catch {
      // The rest of this audio is skipped.
      state.audio = nil
      report(error, of: source.stem)
    }
  }

  /// Ends the audio that is arriving, if any.
  private mutating func finishAudio() {
    guard let source = state.audioSource else { return }
    state.audioSource = nil
    if source.isNameless { state.hasPlacelessAudio = true }
    state.done.insert(source, nil)
    guard let file = state.audio.take() else { return }
    do throws(Failure) {
      paths.append(try file.finish(in: &folder))
    } catch {
      report(error, of: source.stem)
    }
  }
}
