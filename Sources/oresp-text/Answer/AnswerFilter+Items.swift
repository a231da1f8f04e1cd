import Core

extension AnswerFilter {
  /// Takes an output item as it opens or ends; false when one of its texts conflicts.
  mutating func take(
    _ item: Span<UInt8>, at outputIndex: Int?, isDone: Bool, into output: inout Output
  ) -> Bool {
    let texts = ItemTexts(item, kinds: all, citations: citations)
    if all.contains(.tools) {
      label(Answer.ToolLabel(type: texts.type, label: texts.label), at: outputIndex)
    }
    guard isDone else { return open(texts, at: outputIndex, into: &output) }
    consult(item)
    let fits = answer.take(done: texts.only(kinds), at: outputIndex, into: &output.bytes)
    return aside.take(done: texts.only(asideKinds), at: outputIndex, into: &output.aside) && fits
  }

  /// Makes an item known, so that later ones wait for it, and takes the text that it has already.
  /// What a tool's item holds then is not always kept to, but for the path of a patch.
  private mutating func open(
    _ item: ItemTexts, at outputIndex: Int?, into output: inout Output
  ) -> Bool {
    let names: [TextName] =
      switch item.type {
      case "message": [.answer]
      case "reasoning": [.summary, .reasoning]
      default: item.firstToolName.map { [$0] } ?? []
      }
    for name in names {
      let place = Answer.Place(name: name, outputIndex: outputIndex, id: item.id)
      if kinds.contains(name.kind) { answer.open(place) }
      if asideKinds.contains(name.kind) { aside.open(place) }
    }
    var fits = true
    for texts in item.sections {
      for (index, whole) in texts.enumerated() {
        guard whole.name.kind != .tools || whole.name == .path else { continue }
        let place = Answer.Place(
          name: whole.name, outputIndex: outputIndex, id: item.id, partIndex: index)
        fits = take(whole, at: place, into: &output) && fits
      }
    }
    return fits
  }

  /// Takes the terminal event of a response, which may hold all of it.
  mutating func take(final line: Span<UInt8>, into output: inout Output) -> Bool {
    var items: [ItemTexts] = []
    if let list = JSONChildren.value(of: "response", "output", in: line) {
      var children = JSONChildren(at: list.lowerBound)
      while let child = children.next(in: line) {
        let item = line.extracting(child.value)
        consult(item)
        items.append(ItemTexts(item, kinds: all, citations: citations))
      }
    }
    let fits = answer.take(output: items.map { $0.only(kinds) }, into: &output.bytes)
    return aside.take(output: items.map { $0.only(asideKinds) }, into: &output.aside) && fits
  }

  /// Takes an annotation that came by itself.
  mutating func takeCitation(
    _ members: EventMembers, _ line: Span<UInt8>, into output: inout Output
  ) {
    guard let annotation = members.final,
      let citation = citations?.citation(of: line.extracting(annotation))
    else { return }
    answer.take(citation, at: place(.answer, members, line), into: &output.bytes)
  }

  /// Takes what `item`, an output item, says that a search consulted.
  private mutating func consult(_ item: Span<UInt8>) {
    guard listsSources else { return }
    for list in SourceMembers.consulted(in: item) { consult(list, in: item) }
  }

  /// Takes the sources in `list`, an array that stands there in `line`.
  mutating func consult(_ list: Range<Int>?, in line: Span<UInt8>) {
    guard listsSources, let list, let citations else { return }
    for source in citations.citations(in: line.extracting(list)) { answer.consult(source) }
  }

  /// Takes a piece, or the whole, of what a command printed: an object with what went to standard
  /// output and to standard error.
  mutating func takeShellOutput(
    _ phase: EventPhase, _ members: EventMembers, _ line: Span<UInt8>, into output: inout Output
  ) -> Bool {
    var value = phase == .delta ? members.delta : members.final
    if phase == .done, let list = value {
      var children = JSONChildren(at: list.lowerBound)
      value = children.next(in: line)?.value
    }
    guard all.contains(.tools), let value else { return true }
    let type = EventFamily.shellCallOutputContent.itemType ?? ""
    label(Answer.ToolLabel(type: type, label: ""), at: members.outputIndex)
    let object = line.extracting(value)
    var fits = true
    let streams: [(TextName, StaticString)] = [(.stdout, "stdout"), (.stderr, "stderr")]
    for (name, member) in streams {
      guard let text = JSONChildren.value(of: member, in: object),
        object[text.lowerBound] == ASCII.quote
      else { continue }
      let place = place(name, members, line)
      if phase == .delta {
        take(delta: object.extracting(text), at: place, into: &output)
      } else {
        let whole = WholeText(name: name, text: JSONString.decoded(object.extracting(text)))
        fits = take(whole, at: place, into: &output) && fits
      }
    }
    return fits
  }
}
