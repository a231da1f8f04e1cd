import Core

/// The bytes of a request's body: a text, and files whose base64 stands at places in it. The files
/// are read when they are sent, as often as that is.
struct BodyContent: Sendable {
  /// A file's place in the text.
  struct Insert: Sendable {
    /// How much of the text stands before it.
    let offset: Int
    let source: BodySource
  }

  /// The body without its files: where they go are empty strings, or the starts of data URLs.
  let text: [UInt8]
  let inserts: [Insert]

  /// A body of `text` alone.
  init(_ text: [UInt8] = []) { (self.text, inserts) = (text, []) }

  /// A body of `text` with each mark in it replaced by the base64 of the source that it stands for.
  init(marked text: [UInt8], _ sources: [BodySource]) {
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
  var count: Int {
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
enum BodySource: Sendable {
  /// More of them than this are not counted, so that no sum of sizes overflows.
  static let largest = 1 << 50

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

/// Gives the bytes of a body piece by piece. Holds no more of a file than one read of it.
struct BodyReader: ~Copyable {
  private let content: BodyContent
  /// How much of the text, and how many of the inserts, were begun.
  private var position = 0
  private var begun = 0
  /// The source that the reader stands in.
  private var source: SourceReader?
  /// Has the part of a group that the last piece of a source left.
  private var encoder = Base64Encoder()
  /// What was taken out of text or file and not given yet.
  private var piece: ArraySlice<UInt8> = []

  init(_ content: BodyContent) { self.content = content }

  /// Appends the next bytes to `output`, at most `most` and at least one; none at the end. Throws
  /// when a file cannot be read, or is not as long any more as it was.
  mutating func read(_ most: Int, into output: inout [UInt8]) throws(Failure) {
    let end = output.count + most
    while output.count < end {
      if piece.isEmpty, try !takePiece() { return }
      let part = piece.prefix(end - output.count)
      output += part
      piece = piece.dropFirst(part.count)
    }
  }

  /// Goes to the byte number `offset`, counted from 0.
  mutating func seek(to offset: Int) throws(Failure) {
    self = BodyReader(content)
    var skipped: [UInt8] = []
    var rest = offset
    while rest > 0 {
      skipped.removeAll(keepingCapacity: true)
      try read(min(rest, InputBuffer.readSize), into: &skipped)
      if skipped.isEmpty { return }
      rest -= skipped.count
    }
  }

  /// Takes the next piece, which may be empty; false at the end.
  private mutating func takePiece() throws(Failure) -> Bool {
    if let bytes = try source?.next() {
      var encoded: [UInt8] = []
      encoder.encode(bytes.span, into: &encoded)
      if bytes.isEmpty {
        encoder.finish(into: &encoded)
        source = nil
      }
      piece = encoded[...]
    } else if begun < content.inserts.count, content.inserts[begun].offset == position {
      source = SourceReader(content.inserts[begun].source)
      begun += 1
    } else if position < content.text.count {
      let end = begun < content.inserts.count ? content.inserts[begun].offset : content.text.count
      piece = content.text[position..<end]
      position = end
    } else {
      return false
    }
    return true
  }
}

/// Gives the bytes of a source piece by piece. Holds no more of a file than one read of it.
struct SourceReader: ~Copyable {
  private let source: BodySource
  private var file: Descriptor?
  private var input = InputBuffer()
  /// How much was given.
  private var taken = 0

  init(_ source: BodySource) { self.source = source }

  /// The next bytes; none at the end. Throws when a file cannot be read, or is not as long any more
  /// as it was.
  mutating func next() throws(Failure) -> [UInt8] {
    let start = taken
    switch source {
    case .bytes(let bytes):
      taken = min(start + InputBuffer.readSize, bytes.count)
      return Array(bytes[start..<taken])
    case .file(let path, let size):
      if file == nil { file = try Descriptor(reading: path) }
      taken += try file?.read(into: &input) ?? 0
      guard taken <= size, taken > start || taken == size else {
        throw .other("\(path): its size changed while it was sent", .usage)
      }
      return input.takeAll()
    }
  }
}
