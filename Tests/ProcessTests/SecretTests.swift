import Foundation
import ProcessSupport
import Testing

/// Every test that runs a process looks for keys in what it writes.
@Suite struct SecretTests {
  private static let secret = "sk/of+SecretTests="

  @Test(arguments: [
    ("a sk/of+SecretTests= b", true), (#"100 % \"sk\/of\u002bSecretTests=\""#, true),
    (#"%2 \u00 sk\\of+SecretTests="#, false), ("sk/of+Secret", false), ("", false),
  ])
  func `a secret is found, with the escapes of JSON, too`(text: String, isFound: Bool) throws {
    let found = Shared<[String]>([])
    // Other suites write nothing of it.
    Secret.watch(Self.secret) { told in found.update { $0.append(told) } }
    #expect(try ToolProcess.run("printf", ["%s", text]).text == text)
    let place = "the output of printf %s \(text)"
    #expect(found.value.contains("a secret is in \(place)") == isFound)
  }
}
