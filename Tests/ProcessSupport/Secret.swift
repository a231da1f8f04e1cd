import Foundation

/// Texts that no process may write, nor keep in a file, in whatever spelling. All processes that
/// end and all folders that go are looked at.
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
    [("%", "", "%"), ("\\", "u00", "")].compactMap { mark, start, alone in
      var (plain, rest) = (Data(), bytes)
      while let place = rest.range(of: Data(mark.utf8)) {
        plain += rest[..<place.lowerBound]
        rest = rest[place.upperBound...]
        let isStart = rest.starts(with: start.utf8)
        let hex = isStart ? rest.dropFirst(start.utf8.count).prefix(2) : Data()
        if hex.count == 2, let byte = UInt8(String(decoding: hex, as: UTF8.self), radix: 16) {
          plain.append(byte)
          rest = rest[hex.endIndex...]
        } else {
          plain += Data(alone.utf8)
        }
      }
      return rest.count == bytes.count ? nil : plain + rest
    }
  }
}
