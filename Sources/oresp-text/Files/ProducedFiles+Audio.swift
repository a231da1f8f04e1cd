import Core

extension ProducedFiles {
  /// Takes a piece of audio; it may come without telling to which item it belongs.
  mutating func take(
    audio line: Span<UInt8>, _ place: Notice.Place, _ output: inout Output
  ) {
    guard let members = EventMembers(line), let delta = members.delta, delta.count > 2,
      line[delta.lowerBound] == ASCII.quote
    else { return }
    let id = JSONChildren.string(of: "item_id", in: line) ?? []
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
