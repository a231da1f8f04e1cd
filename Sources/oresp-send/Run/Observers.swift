import Core

/// Receives a copy of the output before standard output does.
protocol ReplyCopy: AnyObject {
  /// Receives the bytes and notices that go out next, and may add notices. `head` is the reply's,
  /// once no retry can replace it; `response` has the facts of the events so far.
  func write(_ output: inout Output, of head: ReplyHead?, _ response: ResponseFacts)
}

/// Writes a reply to a file as it goes to standard output. A file that cannot be written to is
/// reported once, and the reply goes on.
final class Tee: ReplyCopy {
  private var file: Outlet
  private var isBroken = false

  init(_ path: String, _ notifier: Notifier) throws(Failure) {
    file = try Outlet(notifier, writing: path)
  }

  deinit { try? file.finish() }

  func write(_ output: inout Output, of head: ReplyHead?, _ response: ResponseFacts) {
    guard !isBroken, !output.bytes.isEmpty else { return }
    do throws(Failure) {
      try file.write(output.bytes.span)
    } catch {
      isBroken = true
      let why = "\(file.descriptor.name): nobody reads it"
      output.notices.append(error.notice ?? Notice(.error, why, status: .usage))
    }
  }
}

/// Writes the headers of every reply to a file, as they come, without their secrets.
final class HeaderDump: TransferWatcher {
  private var file: Outlet
  private let redaction: Redaction
  private var mask = HeaderMask()
  private let notifier: Notifier
  /// Whether a write to the file failed.
  private(set) var isBroken = false

  init(_ path: String, _ redaction: Redaction, _ notifier: Notifier) throws(Failure) {
    file = try Outlet(notifier, writing: path)
    (self.redaction, self.notifier) = (redaction, notifier)
  }

  func see(_ sign: TransferSign) {
    guard case .received(let line) = sign, !isBroken else { return }
    do throws(Failure) {
      try file.write(redaction.of(mask.of(line)).span)
    } catch {
      isBroken = true
      notifier.report(error)
    }
  }
}

/// Reports the traffic without bodies and secrets: lines that begin with `*` are the transport's
/// own words, with `>` sent headers and with `<` received ones.
final class WireTrace: TransferWatcher {
  private var mask = HeaderMask()
  private let report: (Notice) -> Void

  /// `report` removes the secrets that stand elsewhere than in headers.
  init(report: @escaping (Notice) -> Void) { self.report = report }

  func see(_ sign: TransferSign) {
    switch sign {
    case .did(let words):
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

/// The files for a reply and the facts on it; `nil` for none.
struct ReplySettings: Sendable {
  /// The file for the reply, in place of standard output.
  var path: String?
  /// The file for a copy of standard output.
  var teePath: String?
  /// The file for the headers of the replies.
  var headersPath: String?
  /// The file for a line about each request.
  var logPath: String?
}
