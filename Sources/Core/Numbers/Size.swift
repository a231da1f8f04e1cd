/// Sizes as people type them.
package enum Size {
  /// The bytes that `text` means: digits, and perhaps K, M or G for powers of 1024; `nil` when it
  /// is none or too large.
  package static func bytes(_ text: String) -> Int? {
    let digits = text.utf8.prefix { ASCII.isDigit($0) }
    guard !digits.isEmpty, let number = Int(String(Substring(digits))) else { return nil }
    let units = ["": 0, "k": 10, "m": 20, "g": 30]
    guard let shift = units[text.dropFirst(digits.count).lowercased()] else { return nil }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: 1 << shift)
    return overflows ? nil : bytes
  }
}
