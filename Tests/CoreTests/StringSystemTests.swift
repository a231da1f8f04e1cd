import TestSupport
import Testing

@testable import Core

@Suite struct StringSystemTests {
  @Test func `a name comes out as it went in, whatever bytes it has`() {
    let names: [[UInt8]] = [
      [], Array("plain é 🚆".utf8), Array("\u{100000}\u{10FEFF}".utf8), [0xE9], [0x61, 0xE9, 0x62],
      [0xF4, 0x8F, 0xBE, 0x80],
      [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x8F], [0xF4, 0x8F, 0xBE], [0xC3, 0x28], [0xED, 0xA0, 0x80],
    ]
    for name in names { #expect(String(system: name).systemBytes == name) }
    var generator = SeededGenerator()
    for _ in 0..<2000 {
      let pool: [UInt8] = [0x61, 0x80, 0xBE, 0xBF, 0x8F, 0xF4, 0xC3, 0xE9, 0xFF]
      let name = (0..<8).map { _ in pool.randomElement(using: &generator) ?? 0 }
      #expect(String(system: name).systemBytes == name, "seed \(generator.seed)")
    }
  }

  @Test func `what is not UTF-8 is told from what is, and shown`() {
    let broken = String(system: [0x63, 0xE9])
    #expect(!broken.isUTF8 && String(system: Array("é".utf8)).isUTF8)
    #expect(broken.harmless == #"c\xe9"# && broken.repaired == "c\u{FFFD}")
    #expect("a\u{1B}[1m\n\u{202E}".harmless == #"a\u{1b}[1m \u{202e}"#)
  }
}
