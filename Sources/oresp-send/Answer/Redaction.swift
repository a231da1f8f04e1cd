/// Takes a secret out of what is to be shown.
enum Redaction {
  /// `text` with `[key]` wherever `secret` stands. One shorter than 8 bytes is no key that anybody
  /// guards, and could be part of any word.
  static func of(_ secret: [UInt8], in text: [UInt8]) -> [UInt8] {
    guard secret.count >= 8, text.count >= secret.count else { return text }
    var shown: [UInt8] = []
    var index = 0
    while index < text.count {
      if text[index...].starts(with: secret) {
        shown += Array("[key]".utf8)
        index += secret.count
      } else {
        shown.append(text[index])
        index += 1
      }
    }
    return shown
  }
}
