import Core
import Testing

@Suite struct InputBufferTests {
  @Test(arguments: 0...4)
  func `what is taken out whole is what was not used, and places go on counting`(used: Int) {
    var input = InputBuffer()
    input.append(Array("abcd".utf8).span)
    input.start += used
    let rest = input.takeAll()
    #expect(rest == Array("abcd".utf8.dropFirst(used)))
    #expect(input.count == 0)
    input.append(Array("ef".utf8).span)
    let (first, offset) = (input.bytes[input.start], input.offset(of: input.start))
    #expect(first == UInt8(ascii: "e"))
    #expect(offset == 4)
    let last = input.takeAll()
    #expect(last == Array("ef".utf8))
  }
}
