import Core

/// Gets what standard output gets, before it does.
protocol ReplyCopy: AnyObject {
  /// Takes what is about to be written and told, and may add what is to be told. `head` is the
  /// reply's, once it is known that no other is asked for; `response` is what its events told so
  /// far.
  func write(_ output: inout Output, of head: ReplyHead?, _ response: ResponseFacts)
}

/// Writes a reply to a file as it goes to standard output. A file that takes no more is told of
/// once, and the reply goes on.
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

/// Writes the headers of every reply to a file, as they come but for secrets.
final class HeaderDump: TransferWatcher {
  private var file: Outlet
  private let redaction: Redaction
  private var mask = HeaderMask()
  private let notifier: Notifier
  /// Whether the file took not all.
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

/// Tells what goes over the wire, but for bodies and secrets: lines that begin with `*` for what
/// the transport does, `>` for what is sent and `<` for what comes.
final class WireTrace: TransferWatcher {
  private var mask = HeaderMask()
  private let report: (Notice) -> Void

  /// `report` takes secrets out wherever else they stand.
  init(report: @escaping (Notice) -> Void) { self.report = report }

  func see(_ sign: TransferSign) {
    switch sign {
    case .did(let words):
      show("*", words) { line in
        // Of HTTP/2 the transport tells the headers in its own words.
        let isSecret = line.lowercased()[...].cut(at: "authorization:") != nil
        return isSecret ? "authorization: [secret]" : Redaction.userInfo(line)
      }
    case .sent(let lines): show(">", String(decoding: lines, as: UTF8.self), Redaction.header)
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

/// Where a reply, and what is known of it, goes.
struct ReplySettings: Sendable {
  /// The file that it goes to instead of standard output.
  var path: String?
  /// The file that gets what standard output gets.
  var teePath: String?
  /// The file that gets the headers.
  var headersPath: String?
  /// The file that gets a line about the run.
  var logPath: String?
}
