import Core
import Testing

@Suite struct EventLineTests {
  @Test(arguments: [
    (#"{"a":1,"oresp":{"at":1.0}}"#, #"{"a":1}"#), (#"{"oresp":{},"a":1}"#, #"{"a":1}"#),
    (#"{ "oresp" : {} , "a":1}"#, #"{ "a":1}"#), (#"{"oresp":{}}"#, "{}"),
    (#"{"a":1 , "oresp":{} , "b":2}"#, #"{"a":1 , "b":2}"#),
    (#"{"a":{"oresp":1}}"#, #"{"a":{"oresp":1}}"#),
    ("{}", "{}"), (#"{"oresp":5,"a":1}"#, #"{"oresp":5,"a":1}"#),
  ])
  func `the toolkit's member is taken off, and nothing else`(line: String, expected: String) {
    var output: [UInt8] = []
    EventLine.appendWithoutOwn(Array(line.utf8).span, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == expected)
  }

  @Test(arguments: [
    (#"{"a":1}"#, #"{"a":1,"oresp":{"at":7}}"#), ("{}", #"{"oresp":{"at":7}}"#),
    ("{ } ", #"{ "oresp":{"at":7}}"#), (#"{"a":{}}  "#, #"{"a":{},"oresp":{"at":7}}"#),
    (#"{"a":1,"oresp":{"synthetic":true}}"#, #"{"a":1,"oresp":{"synthetic":true,"at":7}}"#),
    (#"{"a":1,"oresp":{"at":3.5}}"#, #"{"a":1,"oresp":{"at":3.5}}"#),
    (#"{"oresp":{"id":"x"},"a":1}"#, #"{"a":1,"oresp":{"id":"x","at":7}}"#),
  ])
  func `facts are added in the last member, and those that are there stay`(
    line: String, expected: String
  ) {
    var output: [UInt8] = []
    EventLine.append(Array(line.utf8).span, facts: [("at", .integer(7))], to: &output)
    #expect(String(decoding: output, as: UTF8.self) == expected)
  }

  @Test func `a member oresp that is no object is not the toolkit's, and stays`() {
    for line in [#"{"oresp":5}"#, #"{"a":1,"oresp":"x","b":2}"#, #"{"oresp":[{}]}"#] {
      var output: [UInt8] = []
      let isAdded = EventLine.append(
        Array(line.utf8).span, facts: [("at", .integer(7))], to: &output)
      #expect(!isAdded)
      #expect(String(decoding: output, as: UTF8.self) == line)
    }
  }
}
