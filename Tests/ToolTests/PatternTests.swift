import Core
import Testing
import oresp_text

@Suite struct PatternTests {
  @Test(
    arguments: [
      ("", "", true), ("", "a", true), ("b", "abc", true), ("d", "abc", false),
      ("^b", "abc", false),
      ("^a", "abc", true), ("c$", "abc", true), ("^$", "", true), ("^a$", "a\n", false),
      ("a|b", "xb", true), ("^(a|bc)$", "bc", true), ("^(?:a|bc)d$", "bcd", true),
      ("^(?<year>\\d{4})-", "2024-", true), ("^a*$", "aaaa", true), ("^a*$", "aab", false),
      ("^a+$", "", false), ("^a?b$", "b", true), ("^a{2}$", "aa", true), ("^a{2}$", "aaa", false),
      ("^a{2,}$", "aaaaa", true), ("^a{2,3}$", "aaaa", false), ("^a{0}$", "", true),
      ("^a{,2}$", "a{,2}", true), ("^{$", "{", true), ("^a}]$", "a}]", true),
      ("^a+?b*?$", "aab", true),
      ("^(a*)*$", "aaa", true), ("^(|a)+$", "aa", true), ("^.$", "😀", true), ("^.$", "\n", false),
      ("^..$", "e\u{301}", true), ("^[a-c]$", "b", true), ("^[^a-c]$", "b", false),
      ("^[^a-c]$", "\n", true),
      ("^[]$", "a", false), ("^[^]$", "a", true), ("^[a-]$", "-", true), ("^[-a]$", "-", true),
      ("^[\\w.+-]+@x$", "a.b+c@x", true), ("^[\\]\\\\]$", "]", true), ("^[[]$", "[", true),
      ("^[a&&b]+$", "a&b", true), ("^[\\d-x]$", "-", true), ("^\\d$", "٣", false),
      ("^\\D$", "٣", true),
      ("^\\w$", "é", false), ("^\\W$", "é", true), ("^\\s$", "\u{A0}", true),
      ("^\\S$", "\u{A0}", false),
      ("^[^\\S ]$", " ", false), ("^[^\\S ]$", "\t", true), ("\\bfoo\\b", "a foo.", true),
      ("\\bfoo\\b", "afoo", false), ("\\Boo\\b", "foo", true), ("^[\\b]$", "\u{8}", true),
      ("^\\t\\n\\v\\f\\r\\0$", "\t\n\u{B}\u{C}\r\0", true),
      ("^\\x41\\u0042\\u{1F600}$", "AB😀", true),
      ("^\\ud83d\\ude00$", "😀", true), ("^\\cA$", "\u{1}", true),
      ("^\\/\\.\\-\\$\\^$", "/.-$^", true),
      ("^\\p{L}+$", "Žлע", true), ("^\\p{Lu}$", "a", false), ("^\\P{L}$", "1", true),
      ("^[\\p{Nd}x]$", "٣", true),
    ] as [(String, String, Bool)])
  func `a pattern matches as ECMA-262 has it`(pattern: String, text: String, expected: Bool) throws
  {
    let matches = try Pattern(pattern).matches(Array(text.utf8).span)
    #expect(matches == expected)
  }

  @Test(arguments: [
    ("(", "a group is not closed"), (")", "a ) closes no group"), ("[a", "a class is not closed"),
    ("*", "* has nothing to repeat"), ("a**", "a quantifier after a quantifier"),
    ("^*", "* has nothing to repeat"), ("a{2,1}", "{2,1} counts down"),
    ("[b-a]", "the range b-a runs backwards"), ("[a-\\d]", "a range in a class ends in a set"),
    ("a\\", "a backslash at the end"), ("\\q", "no escape is called \\q"),
    ("(?=a)", "lookaround (?= is not supported"), ("(?<!a)", "lookaround (?<! is not supported"),
    ("(a)\\1", "backreferences are not supported"), ("\\k<a>", "backreferences are not supported"),
    ("(?i)a", "a group begins with (? and no form that is known"),
    ("\\x4", "an escape needs 2 hex digits"),
    ("\\u{110000}", "an escape that is no code point"), ("\\u{}", "\\u{ needs 1 to 6 digits"),
    ("\\ud800", "an escape that is no code point"), ("\\c1", "\\c needs a letter"),
    ("\\ud83d\\u0041", "half a surrogate pair is no character"),
    ("\\p{Xx}", "no general category is called Xx"), ("\\pL", "\\p needs a category in braces"),
    ("(a{1000}){1000}", "it repeats too much"), ("((){1000000}){1000000}", "it repeats too much"),
  ])
  func `what is no pattern is refused`(pattern: String, why: String) {
    let fault = #expect(throws: PatternFault.self) { _ = try Pattern(pattern) }
    #expect(fault?.message == why)
  }

  @Test func `no pattern takes long and none is nested too deep`() throws {
    let text = Array((String(repeating: "a", count: 5000) + "b").utf8)
    let matches = try Pattern("^(a|aa)+$").matches(text.span)
    #expect(!matches)
    _ = try Pattern(String(repeating: "(", count: 100) + String(repeating: ")", count: 100))
    let fault = #expect(throws: PatternFault.self) {
      _ = try Pattern(String(repeating: "(", count: 101) + String(repeating: ")", count: 101))
    }
    #expect(fault?.message == "groups are nested more than 100 deep")
  }
}
