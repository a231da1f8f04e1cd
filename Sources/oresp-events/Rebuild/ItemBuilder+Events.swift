import Core

extension ItemBuilder {
  /// Takes an event that is about this item.
  mutating func take(_ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>) {
    if isDone { return }
    switch row.family {
    case .outputItem:
      if let item = members.item { set(line.extracting(item), isDone: row.phase == .done) }
    case .contentPart: takePart(row, members, line)
    case .reasoningText where members.part != nil: takePart(row, members, line)
    case .outputText:
      if row.phase == .annotation {
        annotate(members, line)
      } else {
        takeContent(row, members, line, type: "output_text", field: "text")
      }
    case .refusal: takeContent(row, members, line, type: "refusal", field: "refusal")
    case .reasoningText:
      takeContent(row, members, line, type: "reasoning_text", field: "text")
    case .reasoningSummaryPart, .reasoningSummaryText: takeSummary(row, members, line)
    case .applyPatchCallOperationDiff: changeDiff { Self.change(&$0, row, members, line) }
    case .shellCallCommand:
      changeCommand(members.commandIndex ?? 0) { Self.change(&$0, row, members, line) }
    case .shellCallOutputContent: takeOutput(row, members, line)
    default:
      if row.phase == .status {
        takeStatus(row.name.description)
      } else if let field = row.final {
        takeText(field.description, row, members, line)
      }
    }
  }

  /// Appends a delta to `text`, or puts the whole in its place.
  private static func change(
    _ text: inout SpelledText, _ row: EventCatalogue.Row, _ members: EventMembers,
    _ line: Span<UInt8>
  ) {
    if row.phase == .delta {
      if let delta = members.delta { text.append(line.extracting(delta)) }
    } else if let final = members.final {
      text.set(line.extracting(final))
    }
  }

  private mutating func takeText(
    _ field: String, _ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>
  ) {
    guard ["arguments", "input", "code", "output"].contains(field) else { return }
    change(field) { Self.change(&$0, row, members, line) }
  }

  private mutating func takeStatus(_ name: String) {
    let state = name.split(separator: ".").last.map(String.init) ?? ""
    switch state {
    case "in_progress", "searching", "interpreting", "generating", "completed", "failed":
      set(status: state)
    default: break
    }
  }

  private mutating func takePart(
    _ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>
  ) {
    guard let place = members.part else { return }
    let part = line.extracting(place)
    let type = JSONChildren.text(of: "type", in: part)
    let field = type == "refusal" ? "refusal" : "text"
    changeContent(members.contentIndex ?? 0, type: type, field: field) {
      $0.set(part, isDone: row.phase == .done)
    }
  }

  private mutating func takeContent(
    _ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>, type: String,
    field: String
  ) {
    changeContent(members.contentIndex ?? 0, type: type, field: field) { part in
      if row.phase == .delta {
        if let delta = members.delta { part.append(line.extracting(delta)) }
        if let list = JSONChildren.value(of: "logprobs", in: line) {
          part.append(logprobs: line.extracting(list))
        }
      } else if let final = members.final {
        part.set(text: line.extracting(final))
      }
    }
  }

  private mutating func annotate(_ members: EventMembers, _ line: Span<UInt8>) {
    guard let annotation = members.final ?? JSONChildren.value(of: "annotation", in: line) else {
      return
    }
    changeContent(members.contentIndex ?? 0, type: "output_text", field: "text") {
      $0.annotate(members.annotationIndex, line.extracting(annotation))
    }
  }

  private mutating func takeSummary(
    _ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>
  ) {
    changeSummary(members.summaryIndex ?? 0) { part in
      if let whole = members.part {
        part.set(line.extracting(whole), isDone: row.phase == .done)
      } else if row.phase == .delta, let delta = members.delta {
        part.append(line.extracting(delta))
      } else if let final = members.final {
        part.set(text: line.extracting(final))
      }
    }
  }

  /// The delta of a shell's output is an object with what each stream gained.
  private mutating func takeOutput(
    _ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>
  ) {
    changeOutput(members.commandIndex ?? 0) { output in
      if row.phase == .delta, let delta = members.delta {
        Self.append(line.extracting(delta), to: &output)
      } else if let final = members.final {
        var elements = JSONChildren(at: final.lowerBound)
        if let first = elements.next(in: line) {
          output = .raw([UInt8](copying: line.extracting(first.value)))
        }
      }
    }
  }

  private static func append(_ delta: Span<UInt8>, to output: inout JSONValue) {
    for name: StaticString in ["stdout", "stderr"] {
      guard let place = JSONChildren.value(of: name, in: delta) else { continue }
      var text = SpelledText()
      if case .raw(let start)? = output[name.description] { text.append(start.span) }
      text.append(delta.extracting(place))
      output[name.description] = text.value
    }
  }
}
