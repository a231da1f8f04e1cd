import Core

/// Takes the parameters that only follow readers out of the URLs in a text, while it comes.
struct TrackingStripper: TextStage {
  private enum State {
    case text
    /// Behind a `?` or `&`, in what may be a parameter's name.
    case name
    /// In the value of a parameter that is taken out.
    case value
  }

  private var state = State.text
  /// The `?` or `&` before the parameter, and what came of its name.
  private var held: [UInt8] = []
  /// Stops in a value, which belong to it only if it goes on.
  private var stops = 0

  /// The parameters, beside campaign tags (`utm_…`): click ids of the large networks and mailers.
  private static let names: Set<String> = [
    "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid", "twclid",
    "ttclid", "li_fat_id", "igshid", "mc_cid", "mc_eid", "_hsenc", "_hsmi", "vero_id",
    "oly_anon_id", "oly_enc_id", "mkt_tok", "srsltid",
  ]
  private static let longestName = 32

  /// `url` without them.
  static func stripped(_ url: [UInt8]) -> [UInt8] {
    var stripper = TrackingStripper()
    var output: [UInt8] = []
    stripper.take(url.span, into: &output)
    stripper.end(into: &output)
    return output
  }

  /// Appends what of `text` is known to stay.
  mutating func take(_ text: Span<UInt8>, into output: inout [UInt8]) {
    for index in text.indices { take(text[index], into: &output) }
  }

  /// Takes the end of the text.
  mutating func end(into output: inout [UInt8]) {
    if state == .value { endValue(before: nil, into: &output) }
    flush(into: &output)
  }

  private mutating func take(_ byte: UInt8, into output: inout [UInt8]) {
    switch state {
    case .text: break
    case .name:
      if byte == UInt8(ascii: "="), isTracking {
        held.removeSubrange(1...)
        state = .value
        return
      }
      if Self.isNameByte(byte), held.count < Self.longestName {
        held.append(byte)
        return
      }
      flush(into: &output)
    case .value:
      if byte == UInt8(ascii: ".") {
        stops += 1
        return
      }
      if Self.isNameByte(byte) || "%+".utf8.contains(byte) {
        stops = 0
        return
      }
      endValue(before: byte, into: &output)
      if state == .name { return }
    }
    if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "&") {
      held = [byte]
      state = .name
    } else {
      output.append(byte)
    }
  }

  /// Whether the name that is held is one of a parameter to take out.
  private var isTracking: Bool {
    let name = String(decoding: held.dropFirst(), as: UTF8.self)
    return name.hasPrefix("utm_") || Self.names.contains(name)
  }

  /// Ends a value in front of `next`. Before another parameter the `?` or `&` is that one's.
  private mutating func endValue(before next: UInt8?, into output: inout [UInt8]) {
    if stops == 0, next == UInt8(ascii: "&") {
      state = .name
      return
    }
    held = [UInt8](repeating: UInt8(ascii: "."), count: stops)
    flush(into: &output)
  }

  private mutating func flush(into output: inout [UInt8]) {
    output += held
    held.removeAll(keepingCapacity: true)
    (state, stops) = (.text, 0)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    ASCII.isLetterOrDigit(byte) || "_-~".utf8.contains(byte)
  }
}
