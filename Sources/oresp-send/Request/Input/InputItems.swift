import Core

/// Reads the items that stand before the prompt.
struct InputItems {
  private let sources: RequestBuilder.Sources

  init(_ sources: RequestBuilder.Sources) { self.sources = sources }

  func items(of choices: [InputSettings.ItemSource]) throws(Failure) -> [JSONValue] {
    var items: [JSONValue] = []
    var reader = ValueReader(sources)
    for choice in choices {
      switch choice {
      case .items(let path):
        for object in try objects(in: path) { items.append(.raw(object.text)) }
      case .outputs(let path):
        for object in try objects(in: path) {
          if let item = try ToolOutput.item(of: object) { items.append(item) }
        }
      case .output(let id, let value, let type):
        items.append(type.item(callID: .text(id), output: try reader.value(of: value)))
      }
    }
    return items
  }

  private func objects(in path: String) throws(Failure) -> [JSONObjects.Object] {
    try JSONObjects.read(try sources.read(path), name: RequestBuilder.Sources.name(of: path))
  }
}
