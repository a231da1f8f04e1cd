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

  @Test func `a read behind the start of something unfinished seldom makes the store larger`() {
    var input = InputBuffer()
    var sizes: Set<Int> = []
    for _ in 0..<1000 {
      _ = input.fill { storage, start in
        storage[start] = 1
        return 1
      }
      sizes.insert(input.bytes.count)
    }
    #expect(input.count == 1000 && sizes.count == 2)
  }
}
