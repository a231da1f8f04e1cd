import Core
import Testing
import oresp_text

@Suite struct SchemaFormatTests {
  @Test(arguments: [
    (
      "date", ["2024-02-29", "1999-12-31", "2023-02-30"],
      [
        "2024-13-01", "2024-00-10", "2024-1-01", "2024-01-00", "2024-01-32", "24-01-01",
        "2024-01-01Z", "२०२४-01-01", "",
      ]
    ),
    (
      "time", ["00:00:00Z", "23:59:59.123456+05:30", "12:00:00z", "23:59:60Z"],
      [
        "24:00:00Z", "12:60:00Z", "12:00:61Z", "12:00:00", "12:00Z", "12:00:00.Z", "12:00:00+5:00",
        "12:00:00+24:00", "12:00:00Zx",
      ]
    ),
    (
      "date-time",
      ["1985-04-12T23:20:50.52Z", "1996-12-19T16:39:57-08:00", "2024-01-01t00:00:00z"],
      ["2024-01-01 00:00:00Z", "2024-01-01T00:00:00", "2024-01-01T", "2024-01-01"]
    ),
    (
      "email",
      [
        "a@b", "joe.bloggs@example.com", "a+b@x.org", "\"joe bloggs\"@example.com", "a@[127.0.0.1]",
        "a@[IPv6:::1]",
      ],
      [
        "a", "@b", "a@", ".a@b", "a.@b", "a..b@c", "a b@c", "a@b c", "a@-b", "\"a@b",
        "a@[300.0.0.1]", "é@b",
      ]
    ),
    (
      "ipv4", ["0.0.0.0", "192.168.1.255"],
      ["256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.", "a.b.c.d", "1.2.3.4 "]
    ),
    (
      "ipv6",
      [
        "::", "::1", "1::", "2001:db8::ff00:42:8329", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1",
        "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::3:4:5:6:7:8",
        "1:2:3:4::6:1.2.3.4", "1:2:3:4:5:6::8",
      ],
      [
        "", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "::g",
        "1.2.3.4::", "1:2:3:4:5:6:7:8::", "1::2:3:4:5:6:7:8", ":1", "1:", "::1%eth0", "::300.0.0.1",
      ]
    ),
    (
      "uuid", ["2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2EB8AA08-AA98-11EA-B4AA-73B441D16380"],
      [
        "2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08aa9811eab4aa73b441d16380",
        "2eb8aa08-aa98-11ea-b4aa-73b441d1638g", "{2eb8aa08-aa98-11ea-b4aa-73b441d1638}",
      ]
    ),
  ])
  func `a format holds for these texts and not for those`(
    format: String, good: [String], bad: [String]
  ) throws {
    let schema = try JSONSchema(FileText(Array(#"{"format":"\#(format)"}"#.utf8), name: "s"))
    for text in good + bad {
      var value: [UInt8] = []
      JSONString.encode(Array(text.utf8).span, into: &value)
      let isValid = schema.fault(in: value.span) == nil
      #expect(isValid == good.contains(text), "\(format) \(text)")
    }
  }
}
