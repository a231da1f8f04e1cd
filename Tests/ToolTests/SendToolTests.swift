import Foundation
import Testing

@testable import oresp_send

/// Secrets of tools; `Tests/CommandLines/bodies.txt` has the short forms.
@Suite struct SendToolTests {
  private static let command = SendCommand(
    files: [
      "token": "tok\r\n", "secrets.json": #"[{"domain":"d","name":"n","value":"v"}]"#,
    ], environment: ["TOKEN": "tok", "VALUE": "val", "OPENAI_API_KEY": "sk-0"])

  @Test func `what came as a secret is sent, and not shown`() throws {
    let arguments = [
      "-m", "m", "hi", "-t", "mcp=a@https://x,auth-env=TOKEN,header-env=X:VALUE", "-t", "computer",
      "-t", "mcp=b@https://x,auth-file=token", "-t",
      "code_interpreter,container.network_policy.domain_secrets:=@secrets.json",
      "--set-str", "tools[1].authorization=@token", "--unset", "tools[0].server_label",
    ]
    let sent = try Self.command.body(arguments, isDryRun: false)
    #expect(sent.components(separatedBy: #""authorization":"tok""#).count == 4)
    let shown = try Self.command.body(arguments)
    #expect(shown.components(separatedBy: #""authorization":"[key]""#).count == 4)
    #expect(shown.contains(#""headers":{"X":"[key]"}"#))
    #expect(shown.contains(#""domain_secrets":"[key]""#))
    for secret in ["tok", "val", #""value":"v""#] {
      #expect(sent.contains(secret) && !shown.contains(secret))
    }
    let texts = try Self.command.ask(arguments).patch.secretTexts
    #expect(Set(texts.map { String(decoding: $0, as: UTF8.self) }) == ["tok", "val", "v"])
  }
}
