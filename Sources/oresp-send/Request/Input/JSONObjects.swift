import Core

/// Finds the JSON objects in a text: one a line, or one behind the other, or in an array.
enum JSONObjects {
  struct Object {
    let text: [UInt8]
    /// Where it stands, for a person: the file and the line.
    let place: String
  }

  /// The objects in `text`, which is what the file `name` holds. Throws where something else stands.
  static func read(_ text: [UInt8], name: String) throws(Failure) -> [Object] {
    var input = InputBuffer()
    input.append(text.span)
    var decoder = JSONTextDecoder()
    var objects: [Object] = []
    while let found = decoder.finish(&input) {
      let place = "\(name): line \(decoder.firstLine)"
      guard case .value(let range) = found else {
        guard case .broken(_, let expected) = found else { continue }
        throw .other("\(place): not JSON: \(expected)", .badInput)
      }
      let value = Object(text: Array(input.bytes[range]), place: place)
      guard UTF8Repair.isValid(value.text.span) else {
        throw .other("\(place): not UTF-8", .badInput)
      }
      objects += value.text[0] == ASCII.openBracket ? elements(of: value) : [value]
    }
    for object in objects where object.text[0] != ASCII.openBrace {
      throw .other("\(object.place): expected a JSON object", .badInput)
    }
    return objects
  }

  private static func elements(of array: Object) -> [Object] {
    var children = JSONChildren()
    var elements: [Object] = []
    while let child = children.next(in: array.text.span) {
      let place = "\(array.place): element \(elements.count + 1)"
      elements.append(Object(text: Array(array.text[child.value]), place: place))
    }
    return elements
  }
}
