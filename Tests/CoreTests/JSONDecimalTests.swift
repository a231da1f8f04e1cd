import Core
import TestSupport
import Testing

private func decimal(_ text: String) -> JSONDecimal? { JSONDecimal(Array(text.utf8).span) }

@Suite struct JSONDecimalTests {
  @Test(
    arguments: [
      ("0", 3, 0, true), ("1.5", 3, 1500, true), ("-1.5", 3, -1500, true), (".5", 1, 5, true),
      ("5.", 0, 5, true), ("0.0015", 3, 1, false), ("1e3", 0, 1000, true), ("25E-1", 1, 25, true),
      ("1e-99", 6, 0, false), ("-0.0", 6, 0, true), ("1e17", 0, 100_000_000_000_000_000, true),
      ("0.000000000000000000000001", 3, 0, false), ("0e999999999999999999999", 0, 0, true),
    ])
  func `a decimal is scaled without losing a digit`(
    text: String, places: Int, value: Int, isExact: Bool
  ) throws {
    let scaled = try #require(decimal(text)?.scaled(by: places))
    #expect(scaled == (value, isExact))
  }

  @Test(arguments: ["1e18", "9223372036854775807", "1e999999999999999999999", "-1e400"])
  func `what is too large is not scaled`(text: String) throws {
    #expect(try #require(decimal(text)).scaled(by: 0) == nil)
  }

  @Test(arguments: ["", "-", ".", "e5", "1e", "1e+", "1.2.3", "0x10", "1 ", "--1", "1e5x", "inf"])
  func `what is no number is none`(text: String) { #expect(decimal(text) == nil) }

  @Test(
    arguments: [
      (0, 6, "0"), (1, 6, "0.000001"), (-1_500_000, 6, "-1.5"), (12, 0, "12"), (-5, 1, "-0.5"),
      (Int.min, 3, "-9223372036854775.808"), (1_000_010, 6, "1.00001"),
    ])
  func `a decimal is written with the digits it needs`(value: Int, places: Int, text: String) {
    #expect(JSONDecimal.text(value, places: places) == text)
  }

  @Test(
    arguments: [
      (#"{"oresp":{"at":1768915200.000000}}"#, 1_768_915_200_000_000),
      (#"{"oresp":{"at":1.7689152E+9}}"#, 1_768_915_200_000_000),
      (#"{"oresp":{"at":5}}"#, 5_000_000),
      (#"{"oresp":{"at":0.0000019}}"#, 1), (#"{"oresp":{"at":-1}}"#, nil),
      (#"{"oresp":{"at":1e300}}"#, nil), (#"{"oresp":{"at":"5"}}"#, nil), (#"{"at":5}"#, nil),
    ] as [(String, Int?)])
  func `a stamp is read from its line`(line: String, microseconds: Int?) {
    #expect(Self.microseconds(of: Array(line.utf8)) == microseconds)
    guard let microseconds else { return }
    var stamped = Array(#"{"oresp":{"at":"#.utf8)
    Stamp.append(microseconds: microseconds, to: &stamped)
    #expect(Self.microseconds(of: stamped + Array("}}".utf8)) == microseconds)
  }

  private static func microseconds(of line: [UInt8]) -> Int? {
    Stamp.microseconds(of: Event(of: line.span), line.span)
  }
}
