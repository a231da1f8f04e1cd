import Core
import Testing

@Suite struct UTF8RepairTests {
  @Test(
    arguments: [
      ([], ""), ([0x61, 0xC3, 0xA9], "aé"), ([0xF0, 0x9F, 0x98, 0x80], "😀"),
      ([0x80], "\u{FFFD}"), ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"), ([0xE2, 0x82], "\u{FFFD}"),
      ([0xE2, 0x82, 0x41], "\u{FFFD}A"), ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0xF0, 0x9F, 0x98, 0x41], "\u{FFFD}A"), ([0xFF, 0x61], "\u{FFFD}a"),
    ] as [([UInt8], String)])
  func `what is not UTF-8 becomes one replacement character for each maximal part`(
    bytes: [UInt8], text: String
  ) {
    var repaired: [UInt8] = []
    UTF8Repair.append(bytes.span, to: &repaired)
    #expect(repaired == Array(text.utf8))
    let isValid = UTF8Repair.isValid(bytes.span)
    #expect(isValid == (bytes == Array(text.utf8)))
  }
}
