import Core
import Foundation
import TestSupport
import Testing

@testable import oresp_text

/// What comes of `chunks`: the bytes, and the fault if there is one.
private func decode(_ chunks: [[UInt8]]) -> ([UInt8], String) {
  var decoder = Base64Decoder()
  var output: [UInt8] = []
  do throws(Failure) {
    for chunk in chunks { try decoder.decode(chunk.span, into: &output) }
    try decoder.finish()
  } catch {
    return (output, error.message ?? "")
  }
  return (output, "")
}

@Suite struct Base64DecoderTests {
  @Test(
    arguments: [
      // RFC 4648, section 10.
      ("", "", ""), ("Zg==", "f", ""), ("Zm8=", "fo", ""), ("Zm9v", "foo", ""),
      ("Zm9vYg==", "foob", ""), ("Zm9vYmE=", "fooba", ""), ("Zm9vYmFy", "foobar", ""),
      // Without padding, with white space, in the other alphabet.
      ("Zg", "f", ""), ("Zm9vYmE", "fooba", ""), (" Z m\r\n9\tv ", "foo", ""),
      ("Zg = =\n", "f", ""),
      ("fn5+", "~~~", ""), ("fn5-", "~~~", ""), ("Pz8/", "???", ""), ("Pz8_", "???", ""),
      // Faults.
      ("Z", "", "1: it ends within a byte"), ("Zm9vY", "foo", "5: it ends within a byte"),
      ("Zm9v!mFy", "foo", "4: a character is no base64"),
      ("Zm\u{0}", "f", "2: a character is no base64"),
      ("=", "", "0: padding in the wrong place"),
      ("Z===", "", "1: padding in the wrong place"),
      ("Zm9v=", "foo", "4: padding in the wrong place"),
      ("Zg=", "f", "3: the padding is not complete"),
      ("Zg===", "f", "4: there is too much padding"),
      ("Zm8==", "fo", "4: there is too much padding"),
      ("Zg==Zg==", "f", "4: something follows the padding"),
      ("Zg=Z", "f", "3: something follows the padding"),
      ("Zmé", "f", "2: a character is no base64"),
    ] as [(String, String, String)])
  func `base64 is decoded however it is cut, or its fault reported`(
    text: String, bytes: String, fault: String
  ) {
    let parts = fault.components(separatedBy: ": ")
    let message = fault.isEmpty ? "" : "not base64: \(parts[1]) (character \(parts[0]))"
    for chunks in splits(of: Array(text.utf8)) {
      let (output, reported) = decode(chunks)
      #expect(reported == message, "cut as \(chunks.map(\.count))")
      #expect(output == Array(bytes.utf8), "cut as \(chunks.map(\.count))")
    }
  }

  @Test func `random bytes come back from their base64`() {
    var generator = SeededGenerator()
    for _ in 0..<500 {
      let count = Int.random(in: 0...100, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let text = Array(Data(bytes).base64EncodedString().utf8)
      let (output, fault) = decode(randomCuts(of: text, 3, using: &generator))
      #expect(output == bytes && fault.isEmpty, "seed \(generator.seed)")
    }
  }
}
