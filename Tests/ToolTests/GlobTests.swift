import Core
import Testing
import oresp_events

@Suite struct GlobTests {
  @Test(
    arguments: [
      ("abc", "abc", true), ("abc", "abcd", false), ("abc", "ab", false), ("", "", true),
      ("*", "", true), ("*", "anything", true), ("a*c", "abbc", true), ("a*c", "abcd", false),
      ("*.delta", "output_text.delta", true), ("a**b", "ab", true), ("?", "a", true),
      ("?", "", false),
      ("a?c", "abc", true), ("[abc]x", "bx", true), ("[a-c]x", "bx", true), ("[a-c]x", "dx", false),
      ("[!a-c]x", "dx", true), ("[^a]", "a", false), ("[]a]", "]", true), ("[a-]", "-", true),
      ("{a,b}c", "bc", true), ("{a,b}c", "c", false), ("{a,}c", "c", true),
      ("x{a,{b,c}d}", "xcd", true),
      ("{a}", "a", true), ("a}", "a}", true), ("\\*", "*", true), ("\\*", "a", false),
      ("[*]", "*", true),
      ("*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaa", false), ("{x*,y?}", "y1", true),
      ("a,b", "a,b", true),
      ("\\{a,b\\}", "{a,b}", true),
    ] as [(String, String, Bool)])
  func `a pattern stands for all of a name or not`(pattern: String, name: String, matches: Bool) {
    let isMatch = Glob(pattern)?.matches(Array(name.utf8).span)
    #expect(isMatch == matches)
  }

  @Test(arguments: [
    "[", "[]", "[a", "{a,b", "{{a}", "\\", "a[!", String(repeating: "{a,b}", count: 20),
  ])
  func `a pattern that is not closed, or too many, is refused`(pattern: String) {
    #expect(Glob(pattern) == nil)
  }
}
