import Core
import Foundation
import TestSupport
import Testing

@testable import oresp_send

@Suite struct Base64EncoderTests {
  private static func encode(_ chunks: [[UInt8]]) -> String {
    var encoder = Base64Encoder()
    var output: [UInt8] = []
    for chunk in chunks { encoder.encode(chunk.span, into: &output) }
    encoder.finish(into: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// The examples of RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `the examples of the standard come out`(text: String, encoded: String) {
    for chunks in splits(of: Array(text.utf8)) {
      #expect(Self.encode(chunks) == encoded, "cut as \(chunks)")
    }
    #expect(Base64Encoder.size(of: text.utf8.count) == encoded.utf8.count)
  }

  @Test func `every byte comes out right, however the bytes arrive`() {
    for length in 0...64 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 61 &+ length) }
      let encoded = Data(bytes).base64EncodedString()
      for chunks in splits(of: bytes) {
        #expect(Self.encode(chunks) == encoded, "\(length) bytes cut as \(chunks.map(\.count))")
      }
      #expect(Base64Encoder.size(of: length) == encoded.utf8.count)
    }
    let all = (0..<3).flatMap { shift in (0...255).map { UInt8(truncatingIfNeeded: $0 + shift) } }
    #expect(Self.encode([all]) == Data(all).base64EncodedString())
  }

  @Test func `random bytes in random chunks come out right`() {
    var generator = SeededGenerator()
    for _ in 0..<50 {
      let bytes = (0..<Int.random(in: 0...5000, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      let chunks = randomCuts(of: bytes, 12, using: &generator)
      let isSame = Self.encode(chunks) == Data(bytes).base64EncodedString()
      #expect(isSame, "seed \(generator.seed), chunks of \(chunks.map(\.count))")
    }
  }

  @Test func `what is finished begins anew`() {
    var encoder = Base64Encoder()
    var output: [UInt8] = []
    for _ in 0..<2 {
      encoder.encode(Array("fo".utf8).span, into: &output)
      encoder.finish(into: &output)
    }
    #expect(String(decoding: output, as: UTF8.self) == "Zm8=Zm8=")
  }
}
