package import Core

/// Writes the files of a response into a folder: generated images, the images of the code
/// interpreter, and audio. Each once, whether it came as an event of its own, with its item, or only
/// with the whole response.
package struct ProducedFiles: ~Copyable {
  private let wantsPartialImages: Bool
  var folder: FileFolder
  /// The files of this response that were written, or tried; by their places in the response.
  var done: Set<String> = []
  /// The id of the response that ended last; `nil` while one goes on.
  private var endedID: [UInt8]?
  /// The paths that the caller has not asked for yet.
  var paths: [String] = []
  /// The audio that is coming, unless it is broken, and what it belongs to.
  var audio: ProducedFile?
  var audioSource: ProducedSource?
  /// Whether audio came that no event places: the first audio in an item is the same then.
  var hasPlacelessAudio = false

  /// Files go into `path`, which is made if it is missing. With `replaces` they replace files that
  /// are there.
  package init(
    into path: String, replaces: Bool = false, partialImages: Bool = false
  ) throws(Failure) {
    folder = try FileFolder(path, replaces: replaces)
    wantsPartialImages = partialImages
  }

  /// The paths of the files written since this was called last, in order.
  package mutating func takePaths() -> [String] {
    defer { paths = [] }
    return paths
  }

  /// Takes an event, whose line is `line`; what goes wrong is told in `output`.
  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    guard let row = event.type?.row else { return }
    let place = event.inputPlace
    switch (row.family, row.phase) {
    case (.lifecycle, .start):
      endedID = nil
      startResponse(place, &output)
    case (.lifecycle, .terminal):
      finishAudio(place, &output)
      endResponse(JSONChildren.string(of: "response", "id", in: line) ?? [], place, &output)
      if let items = JSONChildren.value(of: "response", "output", in: line) {
        var children = JSONChildren(at: items.lowerBound)
        var index = 0
        while let item = children.next(in: line) {
          take(item: line.extracting(item.value), at: index, place, &output)
          index += 1
        }
      }
    case (.outputItem, .done):
      guard let members = EventMembers(line), let item = members.item else { return }
      take(item: line.extracting(item), at: members.outputIndex, place, &output)
    case (.imageGenerationCall, .delta) where wantsPartialImages:
      take(partialImage: line, place, &output)
    case (.audio, .delta): take(audio: line, place, &output)
    case (.audio, .done): finishAudio(place, &output)
    default: break
    }
  }

  /// Takes the end of the last input.
  package mutating func finish(into output: inout Output) { startResponse(nil, &output) }

  /// Forgets the response; audio that has not ended is not kept.
  private mutating func startResponse(_ place: Notice.Place?, _ output: inout Output) {
    done = []
    hasPlacelessAudio = false
    audioSource = nil
    guard audio.take() != nil else { return }
    output.notices.append(
      Notice(.warning, "the audio was cut off, and its file is not kept", at: place))
  }

  /// Takes the end of the response `id`, which some servers tell twice. Of one that only ends, as a
  /// whole Response does, the beginning is here.
  private mutating func endResponse(
    _ id: [UInt8], _ place: Notice.Place, _ output: inout Output
  ) {
    if let endedID, endedID.isEmpty || endedID != id { startResponse(place, &output) }
    endedID = id
  }

  private mutating func take(
    item: Span<UInt8>, at index: Int?, _ place: Notice.Place, _ output: inout Output
  ) {
    let id = JSONChildren.string(of: "id", in: item) ?? []
    switch JSONChildren.text(of: "type", in: item) {
    case "image_generation_call":
      take("result", of: item, ProducedSource(id, index, kind: "image"), place, &output)
    case "code_interpreter_call":
      for (number, range) in Self.elements(of: "outputs", in: item).enumerated() {
        let source = ProducedSource(id, index, kind: "output", part: "-\(number)")
        take("url", of: item.extracting(range), source, place, &output)
      }
    case "message":
      for (number, range) in Self.elements(of: "content", in: item).enumerated() {
        let part = item.extracting(range)
        guard JSONChildren.text(of: "type", in: part) == "output_audio" else { continue }
        let source = ProducedSource(id, index, kind: "audio", part: "-\(number)")
        if hasPlacelessAudio {
          hasPlacelessAudio = false
          done.formUnion(source.keys)
        }
        take("data", of: part, source, place, &output)
      }
    default: break
    }
  }

  private static func elements(of name: StaticString, in item: Span<UInt8>) -> [Range<Int>] {
    guard let list = JSONChildren.value(of: name, in: item) else { return [] }
    var children = JSONChildren(at: list.lowerBound)
    var elements: [Range<Int>] = []
    while let child = children.next(in: item) { elements.append(child.value) }
    return elements
  }

  private mutating func take(
    partialImage line: Span<UInt8>, _ place: Notice.Place, _ output: inout Output
  ) {
    let id = JSONChildren.string(of: "item_id", in: line) ?? []
    let index = Self.integer("output_index", in: line)
    let number = Self.integer("partial_image_index", in: line) ?? 0
    let source = ProducedSource(id, index, kind: "image", part: ".partial-\(number)")
    take("partial_image_b64", of: line, source, place, &output)
  }

  private static func integer(_ name: StaticString, in line: Span<UInt8>) -> Int? {
    JSONChildren.value(of: name, in: line).flatMap { JSONNumber.integer(line.extracting($0)) }
  }

  /// Writes what the member `name` of `object` holds, base64 or a URL, unless that was done before.
  private mutating func take(
    _ name: StaticString, of object: Span<UInt8>, _ source: ProducedSource,
    _ place: Notice.Place, _ output: inout Output
  ) {
    guard done.isDisjoint(with: source.keys), let range = JSONChildren.value(of: name, in: object),
      range.count > 2, object[range.lowerBound] == ASCII.quote
    else { return }
    let text = object.extracting(range.lowerBound + 1..<range.upperBound - 1)
    let format = FileKind.called(JSONChildren.text(of: "output_format", in: object))
    switch ProducedText(text) {
    case .address:
      done.formUnion(source.keys)
      let start = JSONString.decoded(inside: text.extracting(first: 1000))
      let address = String(decoding: start, as: UTF8.self)
      let message = "\(source.stem) is at \(address), and is not fetched"
      output.notices.append(Notice(.warning, message, at: place))
    case .base64(let start, let mediaType):
      let expected = mediaType.flatMap(FileKind.called) ?? format
      write(text.extracting(start...), source, expected, place, &output)
    }
  }

  private mutating func write(
    _ base64: Span<UInt8>, _ source: ProducedSource, _ expected: FileKind?, _ place: Notice.Place,
    _ output: inout Output
  ) {
    var file = ProducedFile(source.stem, expecting: expected)
    do throws(ProducedFault) {
      try file.take(base64, in: &folder)
      paths.append(try file.finish(in: &folder))
      done.formUnion(source.keys)
    } catch {
      // A later copy of what is broken may be whole; what cannot be written is told once.
      if case .failed = error { done.formUnion(source.keys) }
      output.notices.append(error.notice(of: source.stem, at: place))
    }
  }
}
