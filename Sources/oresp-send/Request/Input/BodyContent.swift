import Core

/// The bytes of a request's body: a text, and files whose base64 stands at places in it. The files
/// are read when they are sent, as often as that is.
package struct BodyContent: Sendable {
  /// A file's place in the text.
  struct Insert: Sendable {
    /// How much of the text stands before it.
    let offset: Int
    let source: BodySource
  }

  /// The body without its files: where they go are empty strings, or the starts of data URLs.
  package let text: [UInt8]
  let inserts: [Insert]

  /// A body of `text` alone.
  package init(_ text: [UInt8] = []) { (self.text, inserts) = (text, []) }

  /// A body of `text` with each mark in it replaced by the base64 of the source that it stands for.
  package init(marked text: [UInt8], _ sources: [BodySource]) {
    guard !sources.isEmpty else {
      (self.text, self.inserts) = (text, [])
      return
    }
    var (rest, inserts): ([UInt8], [Insert]) = ([], [])
    var index = 0
    while let start = text.span.firstIndex(of: Self.markByte, from: index),
      let end = text.span.firstIndex(of: Self.markByte, from: start + 1)
    {
      rest += text[index..<start]
      let number = JSONNumber.integer(text.span.extracting(start + 1..<end))
      guard let number, sources.indices.contains(number) else {
        rest.append(Self.markByte)
        index = start + 1
        continue
      }
      inserts.append(Insert(offset: rest.count, source: sources[number]))
      index = end + 1
    }
    self.text = rest + text[index...]
    self.inserts = inserts
  }

  /// How many bytes the body has.
  package var count: Int {
    inserts.reduce(text.count) { $0 + Base64Encoder.size(of: $1.source.count) }
  }

  /// What stands in a text for the base64 of source number `number`. A byte of it is in no UTF-8
  /// text, so that nothing else can be taken for it.
  static func mark(_ number: Int) -> [UInt8] {
    [markByte] + Array(String(number).utf8) + [markByte]
  }

  private static let markByte: UInt8 = 0xFF
}

/// Bytes that become base64 in a body.
package enum BodySource: Sendable {
  /// More of them than this are not counted, so that no sum of sizes overflows.
  package static let largest = 1 << 50

  case bytes([UInt8])
  /// A regular file of `size` bytes.
  case file(path: String, size: Int)

  var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(_, let size): size
    }
  }
}
