import Core

extension ResponseCheck {
  /// Hands an event that is about an item to that item.
  mutating func takeItemEvent(
    _ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>,
    _ report: inout CheckReport
  ) {
    if row.family == .audio || row.family == .audioTranscript { return }
    let starts = row.family == .outputItem && row.phase == .start
    let index = members.outputIndex ?? guessIndex(members, line, starts: starts)
    lastIndex = index
    report.subject.outputIndex = index
    if starts {
      if items[index] != nil {
        return report.add(.addedTwice, "output[\(index)] again", expected: "an item once")
      }
    } else if items[index] == nil {
      report.add(
        row.phase == .done ? .doneWithoutAdded : .deltaWithoutAdded, report.subject.type,
        expected: "response.output_item.added for output[\(index)] before", isStrict: !isWhole)
    }
    if items[index] == nil {
      checkGap(before: index, &report)
      nextIndex = max(nextIndex, index + 1)
      items[index] = ItemCheck(wasAdded: starts, isWhole: isWhole)
    }
    items[index]?.take(row, members, line, &report)
  }

  /// The item that an event without an index is about: that of its id, the next, or the last.
  private func guessIndex(_ members: EventMembers, _ line: Span<UInt8>, starts: Bool) -> Int {
    if starts { return nextIndex }
    if let place = members.itemID {
      let id = JSONString.text(line.extracting(place))
      if let lastIndex, items[lastIndex]?.id == id { return lastIndex }
      if let found = items.first(where: { $0.value.id == id }) { return found.key }
    }
    return lastIndex ?? 0
  }

  private func checkGap(before index: Int, _ report: inout CheckReport) {
    guard isWhole, index > nextIndex else { return }
    report.add(.indexGap, "output[\(index)]", expected: "output[\(nextIndex)]")
  }

  /// The lists of MCP tools get no end from OpenAI.
  func checkItemsAreDone(_ report: inout CheckReport) {
    for (index, item) in items.sorted(by: { $0.key < $1.key })
    where item.wasAdded && !item.isDone {
      report.subject.outputIndex = index
      report.add(
        .addedWithoutDone, "the end of the response",
        expected: "response.output_item.done for output[\(index)], \(item.shownType), before",
        isStrict: item.type == "mcp_list_tools")
    }
    report.subject.outputIndex = nil
  }

  /// Compares the output of the terminal event with the items that came.
  mutating func checkOutput(of response: Span<UInt8>, _ report: inout CheckReport) {
    let output = ItemValues.elements(
      of: JSONChildren.value(of: "output", in: response), in: response)
    guard !output.isEmpty else {
      if items.isEmpty { return }
      return report.add(.outputMissing, "no output", expected: "the \(items.count) items that came")
    }
    guard isWhole else { return }
    if output.count != items.count {
      report.add(
        .outputMismatch, "\(output.count) items of output",
        expected: "the \(items.count) that came")
    }
    for (index, place) in zip(items.keys.sorted(), output) {
      report.subject.outputIndex = index
      items[index]?.compare(with: response.extracting(place), at: index, &report)
    }
    report.subject.outputIndex = nil
  }
}

extension JSONString {
  /// The text of `value`, a string; empty when it is something else.
  static func text(_ value: Span<UInt8>) -> String {
    guard !value.isEmpty, value[0] == ASCII.quote else { return "" }
    return String(decoding: decoded(value), as: UTF8.self)
  }
}
