import Foundation
import Testing

@testable import oresp_send

@Suite struct Base64EncoderTests {
  /// The examples of RFC 4648, section 10, and every byte at every place of a group.
  @Test(
    arguments: ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map { Array($0.utf8) }
      + (0..<3).map { shift in (0...255).map { UInt8(truncatingIfNeeded: $0 + shift) } })
  func `bytes come out as base64`(bytes: [UInt8]) {
    var text = Array(":".utf8)
    Base64Encoder.append(bytes, to: &text)
    #expect(text == Array(":".utf8) + Data(bytes).base64EncodedData())
  }
}
