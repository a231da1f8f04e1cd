/// A schema out of a file that holds it bare or wrapped as a request wraps it.
struct SchemaDocument {
  var schema: [UInt8]
  var name: String?
  var isStrict: Bool?

  /// `nil` when `text`, a JSON text, says that it wraps a schema and has none.
  init?(_ text: Span<UInt8>) {
    var wrapper = text
    if let inner = JSONChildren.value(of: "json_schema", in: text) {
      wrapper = text.extracting(inner)
    }
    let isFormat = JSONChildren.text(of: "type", in: text) == "json_schema"
    guard let range = JSONChildren.value(of: "schema", in: wrapper) else {
      guard !isFormat else { return nil }
      schema = Self.trimmed(text)
      return
    }
    schema = [UInt8](copying: wrapper.extracting(range))
    name = JSONChildren.string(of: "name", in: wrapper).map { String(decoding: $0, as: UTF8.self) }
    if let strict = JSONChildren.value(of: "strict", in: wrapper) {
      let spelled = wrapper.extracting(strict)
      if spelled.equals("true") { isStrict = true }
      if spelled.equals("false") { isStrict = false }
    }
  }

  private static func trimmed(_ text: Span<UInt8>) -> [UInt8] {
    var (start, end) = (0, text.count)
    while start < end, ASCII.isSpace(text[start]) { start += 1 }
    while end > start, ASCII.isSpace(text[end - 1]) { end -= 1 }
    return [UInt8](copying: text.extracting(start..<end))
  }
}
