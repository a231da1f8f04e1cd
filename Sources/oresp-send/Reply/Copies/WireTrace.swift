import Core

/// Tells what goes over the wire, but for bodies and secrets: lines that begin with `*` for what the
/// transport does, `>` for what is sent and `<` for what comes.
final class WireTrace: TransferWatcher {
  private let tell: (Notice) -> Void

  /// `tell` takes secrets out wherever else they stand.
  init(tell: @escaping (Notice) -> Void) { self.tell = tell }

  func did(_ words: String) {
    for line in words.split(whereSeparator: \.isNewline) {
      // Of HTTP/2 the transport tells the headers in its own words.
      let isSecret = line.lowercased()[...].cut(at: "authorization:") != nil
      show("*", isSecret ? "authorization: [secret]" : Redaction.userInfo(String(line)))
    }
  }

  func sent(_ headers: Span<UInt8>) {
    for line in String(decoding: headers).split(whereSeparator: \.isNewline) {
      show(">", Redaction.header(String(line)))
    }
  }

  func received(header line: Span<UInt8>) {
    for line in String(decoding: line).split(whereSeparator: \.isNewline) {
      show("<", Redaction.header(String(line)))
    }
  }

  func ended(_ facts: TransferFacts) {
    let time = Seconds.text(microseconds: facts.totalTime / 1000 * 1000)
    show("*", "sent \(facts.sentBytes) bytes, received \(facts.receivedBytes), in \(time) s")
  }

  private func show(_ mark: String, _ text: String) {
    tell(Notice(.summary, mark + " " + text))
  }
}
