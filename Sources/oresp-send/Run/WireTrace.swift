import Core

/// Reports the traffic without bodies and secrets: lines that begin with `*` are the transport's
/// own words, with `>` sent headers and with `<` received ones.
final class WireTrace: TransferWatcher {
  private var mask = HeaderMask()
  private let report: (Notice) -> Void

  /// `report` removes the secrets that stand elsewhere than in headers.
  init(report: @escaping (Notice) -> Void) { self.report = report }

  func see(_ sign: TransferSign) {
    switch sign {
    case .log(let words):
      show("*", words) { line in
        // libcurl on HTTP/2: `[HTTP/2] [1] [authorization: Bearer …]`
        let isSecret = line.lowercased()[...].cut(at: "authorization:") != nil
        // … and `[HTTP/2] [1] [:path: /v1/files?after=…]`
        return isSecret
          ? "authorization: [secret]" : Redaction.openURL(Redaction.userInfo(line))
      }
    case .sent(let lines):
      show(">", String(decoding: lines, as: UTF8.self)) { line in
        line.contains(": ") ? Redaction.header(line) : Redaction.openURL(line)
      }
    case .received(let line): show("<", String(decoding: mask.of(line), as: UTF8.self)) { $0 }
    case .ended(let facts):
      let time = Seconds.text(milliseconds: facts.totalTime / 1000)
      show("*", "sent \(facts.sentBytes) bytes, received \(facts.receivedBytes), in \(time) s") {
        $0
      }
    }
  }

  private func show(_ mark: String, _ text: String, _ change: (String) -> String) {
    for line in text.split(whereSeparator: \.isNewline) {
      report(Notice(.summary, mark + " " + change(String(line))))
    }
  }
}
