import Foundation

extension LoopbackServer.Request {
  /// A field of a form (RFC 7578), as it came.
  package struct Field: Equatable, Sendable {
    package var name = ""
    /// The name of a file; `nil` where it was sent as none.
    package var fileName: String?
    package var type: String?
    package var bytes: [UInt8] = []

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package init() {}
  }

  /// The fields of the body, if it is a form that is whole.
  package var form: [Field] {
    let type = self["Content-Type"] ?? ""
    guard type.hasPrefix("multipart/form-data; boundary=") else { return [] }
    let mark = "--" + type.components(separatedBy: "boundary=")[1]
    var parts = pieces(of: body, at: Array("\r\n\(mark)".utf8), begins: Array(mark.utf8))
    guard parts.popLast() == Array("--\r\n".utf8) else { return [] }
    return parts.map(Self.field)
  }

  private static func field(_ part: [UInt8]) -> Field {
    let end = Data(part).range(of: Data("\r\n\r\n".utf8))
    var field = Field()
    field.bytes = Array(part[(end?.upperBound ?? part.count)...])
    let head = String(decoding: part[..<(end?.lowerBound ?? part.count)], as: UTF8.self)
    for line in head.components(separatedBy: "\r\n") {
      let parts = line.components(separatedBy: "; ")
      if parts[0] == "Content-Disposition: form-data" {
        field.name = value("name", in: parts) ?? ""
        field.fileName = value("filename", in: parts)
      } else if line.hasPrefix("Content-Type: ") {
        field.type = String(line.dropFirst("Content-Type: ".count))
      }
    }
    return field
  }

  private static func value(_ name: String, in parts: [String]) -> String? {
    parts.first { $0.hasPrefix(name + "=\"") }.map {
      String($0.dropFirst(name.count + 2).dropLast())
    }
  }
}

/// What stands between the places of `mark` in `bytes`, which begin with `first`.
private func pieces(of bytes: [UInt8], at mark: [UInt8], begins first: [UInt8]) -> [[UInt8]] {
  guard bytes.starts(with: first) else { return [] }
  let data = Data(bytes)
  var pieces: [[UInt8]] = []
  var start = first.count
  while let found = data.range(of: Data(mark), in: start..<data.count) {
    pieces.append(Array(data[start..<found.lowerBound]))
    start = found.upperBound
  }
  return pieces + [Array(data[start...])]
}
