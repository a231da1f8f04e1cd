package import Core

/// Lets the lines of selected events through, unchanged.
package struct SelectFilter: EventFilter {
  private let types: TypeSelection
  /// Whether each type of the catalogue is selected.
  private let isSelected: [Bool]
  private var count = 0
  private var selected = 0

  package init(_ settings: EventsTool.Settings) {
    let types = settings.types
    self.types = types
    isSelected = EventCatalogue.rows.map { types.selects(Array($0.name.description.utf8).span) }
  }

  package mutating func take(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    count += 1
    guard selects(event, line) else { return }
    selected += 1
    output.append(line: line)
  }

  package mutating func finish(into output: inout Output) {
    output.notices.append(Notice(.summary, "\(selected) of \(count) events"))
  }

  private func selects(_ event: Event, _ line: Span<UInt8>) -> Bool {
    if let type = event.type { return isSelected[type.index] }
    guard let name = event.typeName else { return types.selectsUntyped }
    return types.selects(JSONString.decoded(inside: line.extracting(name)).span)
  }
}
