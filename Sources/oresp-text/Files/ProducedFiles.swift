package import Core

/// Writes the files of a response into a folder: generated images, the images of the code
/// interpreter, and audio. Each once, whether it came as an event of its own, with its item, or only
/// with the whole response.
package struct ProducedFiles: ~Copyable {
  private let wantsPartialImages: Bool
  private var folder: FileFolder
  /// The files of this response that were written, or tried; by their places in the response.
  private var done: Set<String> = []
  /// The id of the response that ended last; `nil` while one goes on.
  private var endedID: [UInt8]?
  /// The paths that the caller has not asked for yet.
  private var paths: [String] = []
  /// The audio that is coming, unless it is broken, and what it belongs to.
  private var audio: ProducedFile?
  private var audioSource: ProducedSource?
  /// Whether audio came that no event places: the first audio in an item is the same then.
  private var hasPlacelessAudio = false

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
      let items = JSONChildren.elements(of: "response", "output", in: line)
      for (index, item) in items.enumerated() {
        take(item: line.extracting(item), at: index, place, &output)
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

  /// Writes the files of `item`, an output item, where the catalogue says that it has them.
  private mutating func take(
    item: Span<UInt8>, at index: Int?, _ place: Notice.Place, _ output: inout Output
  ) {
    let identity = ItemIdentity(item)
    guard let path = ItemCatalogue.row(of: identity.type)?.file, let member = path.last,
      let kind = Self.kinds[identity.type]
    else { return }
    guard path.count > 1 else {
      return take(member, of: item, ProducedSource(identity.id, index, kind: kind), place, &output)
    }
    let parts = JSONChildren.elements(at: JSONChildren.value(at: path[..<1], in: item), in: item)
    for (number, range) in parts.enumerated() {
      let part = item.extracting(range)
      let source = ProducedSource(identity.id, index, kind: kind, part: "-\(number)")
      if hasPlacelessAudio, kind == "audio", JSONChildren.value(at: [member], in: part) != nil {
        hasPlacelessAudio = false
        done.formUnion(source.keys)
      }
      take(member, of: part, source, place, &output)
    }
  }

  /// What files are called that have no id, by the type of their item.
  private static let kinds = [
    "image_generation_call": "image", "code_interpreter_call": "output", "message": "audio",
  ]

  private mutating func take(
    partialImage line: Span<UInt8>, _ place: Notice.Place, _ output: inout Output
  ) {
    let id = JSONChildren.text(of: "item_id", in: line)
    let index = JSONChildren.integer(of: "output_index", in: line)
    let number = JSONChildren.integer(of: "partial_image_index", in: line) ?? 0
    let source = ProducedSource(id, index, kind: "image", part: ".partial-\(number)")
    take("partial_image_b64", of: line, source, place, &output)
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

extension ProducedFiles {
  /// Takes a piece of audio; it may come without telling to which item it belongs.
  mutating func take(
    audio line: Span<UInt8>, _ place: Notice.Place, _ output: inout Output
  ) {
    guard let members = EventMembers(line), let delta = members.delta, delta.count > 2,
      line[delta.lowerBound] == ASCII.quote
    else { return }
    let id = JSONChildren.text(of: "item_id", in: line)
    let source = ProducedSource(
      id, members.outputIndex, kind: "audio", part: "-\(members.contentIndex ?? 0)")
    if source != audioSource {
      finishAudio(place, &output)
      guard done.isDisjoint(with: source.keys) else { return }
      audioSource = source
      audio = ProducedFile(source.stem, expecting: nil)
    }
    let text = line.extracting(delta.lowerBound + 1..<delta.upperBound - 1)
    do throws(ProducedFault) {
      try audio?.take(text, in: &folder)
    } catch {
      // What follows of it is passed over.
      audio = nil
      output.notices.append(error.notice(of: source.stem, at: place))
    }
  }

  /// Takes the end of the audio that is coming, if any.
  mutating func finishAudio(_ place: Notice.Place, _ output: inout Output) {
    guard let source = audioSource else { return }
    audioSource = nil
    if source.keys.isEmpty { hasPlacelessAudio = true }
    done.formUnion(source.keys)
    guard let file = audio.take() else { return }
    do throws(ProducedFault) {
      paths.append(try file.finish(in: &folder))
    } catch {
      output.notices.append(error.notice(of: source.stem, at: place))
    }
  }
}
