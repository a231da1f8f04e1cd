import Core
import Testing

@Suite struct JSONNumberTests {
  @Test(
    arguments: [
      ("0", 0), ("7", 7), ("-3", -3), ("1.0", 1), ("1787150055.0", 1_787_150_055), ("1e3", 1000),
      ("9007199254740991", 9_007_199_254_740_991), ("-9007199254740991", -9_007_199_254_740_991),
      ("9007199254740992", nil), ("99999999999999999999999", nil), ("1e400", nil), ("0.5", nil),
      ("-1.9361264946937764e-7", nil), ("", nil), ("-", nil), ("\"1\"", nil), ("null", nil),
      ("{}", nil), ("true", nil),
    ] as [(String, Int?)])
  func `a whole number is read if it is in range`(spelled: String, value: Int?) {
    let read = JSONNumber.integer(Array(spelled.utf8).span)
    #expect(read == value)
  }
}
