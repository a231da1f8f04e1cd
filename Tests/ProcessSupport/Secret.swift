import Foundation

/// Texts that no process may write, nor keep in a file, in whatever spelling. All processes that end
/// and all folders that go are looked at.
package enum Secret {
  private struct Known {
    let bytes: Data
    /// What stands in the base64 of a longer text, at each of the three places that it can have.
    let base64: [Data]
    let tell: @Sendable (String) -> Void
  }

  private static let known = Shared<[Known]>([])
  /// What is larger is not looked at in other spellings than its own and base64.
  private static let limit = 4 << 20

  /// Has `tell` learn of each place where `secret` is found from here on.
  package static func watch(_ secret: String, tell: @escaping @Sendable (String) -> Void) {
    let bytes = Data(secret.utf8)
    let base64 = (0..<3).map { front in
      let count = front + bytes.count
      let text = (Data(count: front) + bytes).prefix(count / 3 * 3).base64EncodedData()
      return text.dropFirst((front * 4 + 2) / 3)
    }
    known.update { $0.append(Known(bytes: bytes, base64: base64, tell: tell)) }
  }

  /// Looks for secrets in `bytes`, which are from `place`.
  static func check(_ bytes: Data, _ place: @autoclosure () -> String) {
    guard !bytes.isEmpty else { return }
    for secret in known.value {
      let spellings = bytes.count > limit ? [bytes] : [bytes] + plain(bytes)
      if spellings.contains(where: { $0.range(of: secret.bytes) != nil })
        || secret.base64.contains(where: { bytes.range(of: $0) != nil })
      {
        secret.tell("a secret is in \(place())")
      }
    }
  }

  /// `bytes` without the escapes of URLs, and without those of JSON.
  private static func plain(_ bytes: Data) -> [Data] {
    let marks = [(UInt8(ascii: "%"), "", 2), (UInt8(ascii: "\\"), "u00", 2)]
    return marks.filter { bytes.contains($0.0) }.map { mark, start, digits in
      var plain: [UInt8] = []
      var rest = Array(bytes)[...]
      while let byte = rest.popFirst() {
        let hex = rest.dropFirst(start.utf8.count).prefix(digits)
        if byte == mark, rest.starts(with: start.utf8),
          let value = UInt8(String(decoding: hex, as: UTF8.self), radix: 16)
        {
          plain.append(value)
          rest = rest.dropFirst(start.utf8.count + digits)
        } else if byte != mark || mark == UInt8(ascii: "%") {
          plain.append(byte)
        }
      }
      return Data(plain)
    }
  }
}
