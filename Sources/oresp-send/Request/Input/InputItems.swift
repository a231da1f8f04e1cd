import Core

/// Reads the items that stand before the prompt.
struct InputItems {
  /// Reads a whole file; `-` is standard input.
  let read: (String) throws(Failure) -> [UInt8]

  func items(of sources: [InputSettings.ItemSource]) throws(Failure) -> [JSONValue] {
    var items: [JSONValue] = []
    for source in sources {
      switch source {
      case .items(let path):
        for object in try objects(in: path) { items.append(.raw(object.text)) }
      case .outputs(let path):
        for object in try objects(in: path) {
          if let item = try ToolOutput.item(of: object) { items.append(item) }
        }
      case .output(let id, let text, let type):
        items.append(type.item(callID: .text(id), output: .string(try output(text, type.option))))
      }
    }
    return items
  }

  private func objects(in path: String) throws(Failure) -> [JSONObjects.Object] {
    try JSONObjects.read(try read(path), name: path == "-" ? "stdin" : path)
  }

  /// What `text` says, or the file whose name stands behind its `@`.
  private func output(_ text: String, _ option: String) throws(Failure) -> [UInt8] {
    guard text.hasPrefix("@") else { return Array(text.utf8) }
    let path = String(text.dropFirst())
    let bytes = try read(path)
    guard UTF8Repair.isValid(bytes.span) else {
      throw .other("\(option): \(path == "-" ? "stdin" : path): not UTF-8", .badInput)
    }
    return bytes
  }
}
