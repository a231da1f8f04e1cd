import Testing

@testable import oresp_sse

@Suite struct SizeTests {
  @Test(
    arguments: [
      ("0", 0), ("10", 10), ("1K", 1024), ("2m", 2 << 20), ("1G", 1 << 30), ("", nil), ("K", nil),
      ("-1", nil), ("1T", nil), ("1.5M", nil), ("99999999999999999999", nil),
      ("9999999999999999G", nil),
    ] as [(String, Int?)])
  func `a size is digits and perhaps a unit`(text: String, bytes: Int?) {
    #expect(Size.bytes(text) == bytes)
  }
}
