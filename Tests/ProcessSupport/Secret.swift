import Foundation

/// Texts that no process may write, nor keep in a file. All processes that end and all folders that
/// go are looked at.
package enum Secret {
  private struct Known {
    let bytes: Data
    let tell: @Sendable (String) -> Void
  }

  private static let known = Shared<[Known]>([])
  /// What is larger is not looked at without the escapes of JSON.
  private static let limit = 4 << 20

  /// Has `tell` learn of each place where `secret` is found from here on.
  package static func watch(_ secret: String, tell: @escaping @Sendable (String) -> Void) {
    known.update { $0.append(Known(bytes: Data(secret.utf8), tell: tell)) }
  }

  /// Looks for secrets in `bytes`, which are from `place`.
  static func check(_ bytes: Data, _ place: @autoclosure () -> String) {
    guard !bytes.isEmpty else { return }
    for secret in known.value {
      let spellings = bytes.count > limit ? [bytes] : [bytes, unescaped(bytes)]
      if spellings.contains(where: { $0.range(of: secret.bytes) != nil }) {
        secret.tell("a secret is in \(place())")
      }
    }
  }

  /// `bytes` without the escapes of JSON.
  private static func unescaped(_ bytes: Data) -> Data {
    var plain = Data()
    var rest = bytes
    while let place = rest.range(of: Data(#"\"#.utf8)) {
      plain += rest[..<place.lowerBound]
      rest = rest[place.upperBound...]
      let hex = rest.starts(with: "u00".utf8) ? rest.dropFirst(3).prefix(2) : Data()
      if hex.count == 2, let byte = UInt8(String(decoding: hex, as: UTF8.self), radix: 16) {
        plain.append(byte)
        rest = rest[hex.endIndex...]
      }
    }
    return plain + rest
  }
}
