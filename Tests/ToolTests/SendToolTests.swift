import Foundation
import Testing

@testable import oresp_send

/// Secrets of tools; `Tests/CommandLines/bodies.txt` has the short forms.
@Suite struct SendToolTests {
  private static let command = SendCommand(
    files: [
      "token": "tok\r\n", "secrets.json": #"[{"domain":"d","name":"n","value":"v"}]"#,
    ], environment: ["TOKEN": "tok", "VALUE": "val"])

  @Test func `what came as a secret is sent, and not shown`() throws {
    let arguments = [
      "-m", "m", "hi", "-t", "mcp=a@https://x,auth-env=TOKEN,header-env=X:VALUE", "-t", "computer",
      "-t", "mcp=b@https://x,auth-file=token", "-t", "code_interpreter,domain-secrets=secrets.json",
      "--set-str", "tools[1].authorization=@token", "--unset", "tools[0].server_label",
    ]
    let body = try Self.command.ask(arguments).body()
    let sent = String(decoding: body.bytes, as: UTF8.self)
    #expect(sent.components(separatedBy: #""authorization":"tok""#).count == 4)
    let (shown, hidden) = body.shown
    let text = String(decoding: shown.bytes, as: UTF8.self)
    for secret in ["tok", "val", #""value":"v""#] {
      #expect(sent.contains(secret) && !text.contains(secret))
    }
    #expect(
      hidden == [
        "tools[0].headers.X", "tools[0].authorization", "tools[1].authorization",
        "tools[2].authorization", "tools[3].container.network_policy.domain_secrets",
      ])
  }
}
