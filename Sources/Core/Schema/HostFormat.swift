/// Names and addresses of hosts and mailboxes.
enum HostFormat {
  /// A host name: labels of letters, digits and inner hyphens, 63 at most, 253 in all (RFC 1123,
  /// section 2.1).
  static func isHostname(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count <= 253 else { return false }
    return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { label in
        (1...63).contains(label.count) && label.first != ASCII.minus && label.last != ASCII.minus
          && label.allSatisfy { isLetterOrDigit($0) || $0 == ASCII.minus }
      }
  }

  /// A mailbox (RFC 5321, section 4.1.2): a dotted word or a quoted text, and a host name or an
  /// address in brackets.
  static func isEmail(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
    let (local, domain) = (bytes[..<at], bytes[(at + 1)...])
    guard (1...64).contains(local.count) else { return false }
    let isLocal = local.first == ASCII.quote ? isQuoted(local) : isDotted(local)
    return isLocal && (isHostname(domain) || isLiteral(domain))
  }

  private static func isDotted(_ bytes: ArraySlice<UInt8>) -> Bool {
    let marks = Array("!#$%&'*+-/=?^_`{|}~".utf8)
    return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { word in
        !word.isEmpty && word.allSatisfy { isLetterOrDigit($0) || marks.contains($0) }
      }
  }

  private static func isQuoted(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 2, bytes.last == ASCII.quote else { return false }
    var inner = bytes.dropFirst().dropLast()
    while let byte = inner.popFirst() {
      guard (0x20...0x7E).contains(byte), byte != ASCII.quote else { return false }
      if byte == ASCII.backslash {
        guard let next = inner.popFirst(), (0x20...0x7E).contains(next) else { return false }
      }
    }
    return true
  }

  private static func isLiteral(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.first == ASCII.openBracket, bytes.last == ASCII.closeBracket else { return false }
    let inner = bytes.dropFirst().dropLast()
    let prefix = Array("IPv6:".utf8)
    return inner.starts(with: prefix) ? isIPv6(inner.dropFirst(prefix.count)) : isIPv4(inner)
  }

  /// Four decimal numbers without leading zeros (RFC 3986, section 3.2.2).
  static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy(ASCII.isDigit)
          && (part.count == 1 || part.first != ASCII.zero)
          && part.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) } <= 255
      }
  }

  /// RFC 4291, section 2.2: eight groups, a run of them perhaps left out, the last two perhaps as
  /// an IPv4 address.
  static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
    let colons = Array("::".utf8)
    var gaps: [Int] = []
    for index in bytes.indices.dropLast() where bytes[index...].starts(with: colons) {
      gaps.append(index)
    }
    guard gaps.count <= 1 else { return false }
    guard let gap = gaps.first else { return groups(bytes, mayEndInIPv4: true) == 8 }
    let (front, back) = (bytes[..<gap], bytes[(gap + 2)...])
    guard let before = front.isEmpty ? 0 : groups(front, mayEndInIPv4: false),
      let after = back.isEmpty ? 0 : groups(back, mayEndInIPv4: true)
    else { return false }
    return before + after <= 7
  }

  private static func groups(_ bytes: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> Int? {
    var parts = bytes.split(separator: ASCII.colon, omittingEmptySubsequences: false)[...]
    var count = 0
    if mayEndInIPv4, let last = parts.last, isIPv4(last) {
      parts.removeLast()
      count = 2
    }
    for part in parts {
      guard (1...4).contains(part.count), part.allSatisfy({ JSONString.hexDigit($0) != nil }) else {
        return nil
      }
      count += 1
    }
    return count
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
