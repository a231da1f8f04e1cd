import Core

/// One file that is being written from base64. Its first bytes say its format.
struct ProducedFile: ~Copyable {
  /// The name without its extension.
  let stem: String
  /// Its format, if its bytes do not say one.
  private let expected: FileKind?
  private var decoder = Base64Decoder()
  private var bytes: [UInt8] = []
  private var file: NewFile?

  /// How many bytes say a format, and how many characters of base64 are decoded at once.
  private static let headSize = 16
  private static let pieceSize = 64 << 10

  init(_ stem: String, expecting kind: FileKind?) { (self.stem, expected) = (stem, kind) }

  /// Appends the next part of the base64, the text between the quotes of a JSON string. Another
  /// base64 text begins after a part that ended in padding.
  mutating func append(_ text: Span<UInt8>, in folder: inout FileFolder) throws(Failure) {
    if decoder.isPadded { decoder = Base64Decoder() }
    guard text.firstIndex(of: ASCII.backslash) != nil else { return try decode(text, in: &folder) }
    // Some servers escape each slash.
    try decode(JSONString.decoded(inside: text).span, in: &folder)
  }

  /// Ends the base64 and puts the file in its place. Returns its path.
  consuming func finish(in folder: inout FileFolder) throws(Failure) -> String {
    try decoder.finish()
    try flush(in: &folder)
    guard let file = file.take() else { throw .other("it has no bytes", .badInput) }
    let path = file.descriptor.name
    try file.commit()
    return path
  }

  private mutating func decode(
    _ text: Span<UInt8>, in folder: inout FileFolder
  ) throws(Failure) {
    for start in stride(from: 0, to: text.count, by: Self.pieceSize) {
      let piece = text.extracting(start..<min(start + Self.pieceSize, text.count))
      try decoder.decode(piece, into: &bytes)
      if bytes.count >= Self.headSize { try flush(in: &folder) }
    }
  }

  private mutating func flush(in folder: inout FileFolder) throws(Failure) {
    guard !bytes.isEmpty else { return }
    if file == nil {
      let kind = FileKind.of(bytes.span) ?? expected
      file = try folder.create(stem, kind?.suffix ?? "bin")
    }
    try file?.write(bytes.span)
    bytes.removeAll(keepingCapacity: true)
  }
}
