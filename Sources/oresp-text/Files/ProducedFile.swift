import Core

/// One file that is being written from base64, its format found from its first bytes.
struct ProducedFile: ~Copyable {
  /// The name without its extension.
  let stem: String
  /// What it is when its bytes do not tell.
  private let expected: FileKind?
  private var decoder = Base64Decoder()
  private var bytes: [UInt8] = []
  private var file: NewFile?

  /// How many bytes the format is found from, and how many are written at once.
  private static let headSize = 16
  private static let writeSize = 64 << 10

  init(_ stem: String, expecting kind: FileKind?) { (self.stem, expected) = (stem, kind) }

  /// Takes the next part of the base64: the text between the quotes of a JSON string. Where a part
  /// ended in padding, another base64 text begins.
  mutating func append(_ text: Span<UInt8>, in folder: inout FileFolder) throws(ProducedFault) {
    if decoder.isPadded { decoder = Base64Decoder() }
    guard text.firstIndex(of: ASCII.backslash) != nil else { return try decode(text, in: &folder) }
    // Some servers escape each slash.
    try decode(JSONString.decoded(inside: text).span, in: &folder)
  }

  /// Takes the end of the base64 and puts the file in its place; gives its path.
  consuming func finish(in folder: inout FileFolder) throws(ProducedFault) -> String {
    do throws(Base64Decoder.Fault) {
      try decoder.finish()
    } catch {
      throw .base64(error)
    }
    try flush(in: &folder)
    guard let file = file.take() else { throw .empty }
    let path = file.descriptor.name
    do throws(Failure) { try file.commit() } catch { throw .failed(error) }
    return path
  }

  private mutating func decode(
    _ text: Span<UInt8>, in folder: inout FileFolder
  ) throws(ProducedFault) {
    for start in stride(from: 0, to: text.count, by: Self.writeSize) {
      let piece = text.extracting(start..<min(start + Self.writeSize, text.count))
      do throws(Base64Decoder.Fault) {
        try decoder.decode(piece, into: &bytes)
      } catch {
        throw .base64(error)
      }
      if bytes.count >= Self.headSize { try flush(in: &folder) }
    }
  }

  private mutating func flush(in folder: inout FileFolder) throws(ProducedFault) {
    guard !bytes.isEmpty else { return }
    do throws(Failure) {
      if file == nil {
        let known = FileKind.of(bytes.span) ?? expected
        file = try folder.create(stem, known?.suffix ?? "bin")
      }
      try file?.write(bytes.span)
    } catch {
      throw .failed(error)
    }
    bytes.removeAll(keepingCapacity: true)
  }
}

/// Why there is no file.
enum ProducedFault: Error {
  case base64(Base64Decoder.Fault)
  /// It has no bytes.
  case empty
  case failed(Failure)

  /// The fault as it is told of the file `name`.
  func notice(of name: String, at place: Notice.Place?) -> Notice {
    switch self {
    case .base64(let fault):
      let message = "\(name): not base64: \(fault.reason) (character \(fault.position))"
      return Notice(.error, message, status: .badInput, at: place)
    case .empty: return Notice(.error, "\(name): it has no bytes", status: .badInput, at: place)
    case .failed(let failure):
      return Notice(.error, failure.message ?? "\(name): no reader", status: failure.status)
    }
  }
}
