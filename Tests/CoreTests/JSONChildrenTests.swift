import Core
import Testing

/// The children of `text` as `name=value`; a `!` at the end when it turned out broken.
private func children(_ text: String) -> [String] {
  let bytes = Array(text.utf8)
  var children = JSONChildren()
  var texts: [String] = []
  while let child = children.next(in: bytes.span) {
    let name = String(decoding: bytes[child.name], as: UTF8.self)
    texts.append("\(name)=\(String(decoding: bytes[child.value], as: UTF8.self))")
  }
  return texts + (children.isBroken ? ["!"] : [])
}

@Suite struct JSONChildrenTests {
  @Test(arguments: [
    ("{}", []), (" { } ", []), ("[]", []), ("{\"a\":1}", ["a=1"]),
    ("{ \"a\" : [1, {}] ,\n\"b\":\"x,}\" }", ["a=[1, {}]", "b=\"x,}\""]),
    ("[1, \"a\" ,[2]]", ["=1", "=\"a\"", "=[2]"]),
    ("{\"a\\\"b\":null}", ["a\\\"b=null"]),
    ("", ["!"]), ("1", ["!"]), ("\"a\"", ["!"]), ("{", ["!"]), ("{,}", ["!"]), ("{\"a\"}", ["!"]),
    ("{\"a\":1,}", ["a=1", "!"]), ("{\"a\":1 \"b\":2}", ["a=1", "!"]), ("[1", ["=1", "!"]),
    ("[1,]", ["=1", "!"]), ("{\"a\":1]", ["a=1", "!"]), ("{\"\\q\":1}", ["!"]),
    ("{\"a\":12.5,\"b\":true}", ["a=12.5", "b=true"]),
    ("[1e5,-2,0.5,null]", ["=1e5", "=-2", "=0.5", "=null"]),
    ("[12.,1]", ["!"]), ("[1.5.2]", ["=1.5", "!"]), ("[nullx]", ["=null", "!"]),
    ("{\"a\":tru}", ["!"]), ("{\"a\":\"\\u12\"}", ["!"]), ("{\"a\":01}", ["a=0", "!"]),
  ])
  func `children come one after another until the end or a fault`(
    text: String, expected: [String]
  ) {
    #expect(children(text) == expected)
  }

  @Test(
    arguments: [
      ("{\"type\":\"a\"}", "\"a\""), ("{\"x\":{\"type\":1},\"type\":2}", "2"),
      ("{\"type\":1,\"type\":2}", "1"), ("{\"t\\u0079pe\":3}", "3"), ("{\"typ\":1}", nil),
      ("{\"types\":1,\"Type\":2}", nil), ("[\"type\"]", nil), ("{\"a\":tru,\"type\":1}", nil),
    ] as [(String, String?)])
  func `a member is found by its name: top level only, the first of two, escapes undone`(
    text: String, value: String?
  ) {
    let bytes = Array(text.utf8)
    let found = JSONChildren.value(of: "type", in: bytes.span)
    #expect(found.map { String(decoding: bytes[$0], as: UTF8.self) } == value)
  }

  @Test(arguments: [
    ("{\"response\":{\"id\":\"r\\u0031\"}}", "r1"), ("{\"response\":{\"id\":null}}", ""),
    ("{\"response\":[]}", ""), ("{\"id\":\"x\"}", ""), ("{\"response\":\"id\"}", ""),
  ])
  func `a path leads to a text`(text: String, expected: String) {
    let found = JSONChildren.text(of: "response", "id", in: Array(text.utf8).span)
    #expect(found == expected)
  }
}
