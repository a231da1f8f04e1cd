import Core

/// Gets what standard output gets, before it does.
protocol ReplyCopy: AnyObject {
  /// Takes what is about to be written and told, and may add what is to be told. `head` is the
  /// reply's, once it is known that no other is asked for; `response` is what its events told so far.
  func take(_ output: inout Output, of head: ReplyHead?, _ response: ResponseFacts)
}

/// What the events of a reply tell of its response. Of several responses the last counts.
struct ResponseFacts {
  private(set) var id: String
  /// The conversation that it is in.
  private(set) var conversation = ""
  /// The number of the last event that was passed on, where the response is in the background.
  var last: Int?
  private(set) var model = ""
  private(set) var status = ""
  private(set) var serviceTier = ""
  private(set) var usage: JSONValue?

  init(id: String = "") { self.id = id }

  /// Reads `line`, an event on the state of a response.
  mutating func read(_ line: Span<UInt8>) {
    id = JSONChildren.text(of: "response", "id", in: line)
    conversation = JSONChildren.text(of: "response", "conversation", "id", in: line)
    model = JSONChildren.text(of: "response", "model", in: line)
    status = JSONChildren.text(of: "response", "status", in: line)
    serviceTier = JSONChildren.text(of: "response", "service_tier", in: line)
    usage = nil
    guard let value = JSONChildren.value(of: "response", "usage", in: line) else { return }
    let text = line.extracting(value)
    // Line breaks can stand between tokens only; what is no JSON is not an object here.
    guard !text.isEmpty, text[0] == ASCII.openBrace else { return }
    usage = .raw(text.withoutLineEnds)
  }
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

  func take(_ output: inout Output, of head: ReplyHead?, _ response: ResponseFacts) {
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
      notifier.tell(error)
    }
  }
}

/// Tells what goes over the wire, but for bodies and secrets: lines that begin with `*` for what the
/// transport does, `>` for what is sent and `<` for what comes.
final class WireTrace: TransferWatcher {
  private var mask = HeaderMask()
  private let tell: (Notice) -> Void

  /// `tell` takes secrets out wherever else they stand.
  init(tell: @escaping (Notice) -> Void) { self.tell = tell }

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
      tell(Notice(.summary, mark + " " + change(String(line))))
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

extension SendTool {
  static var replyOptions: [Option<Settings>] {
    [
      .value(
        "output", "o", "FILE", .newFile,
        help: "Write to FILE, and only if all went well.",
        detail: """
          The answer is written beside FILE and renamed when the exit status is 0; otherwise what
          was at FILE stays as it was, and errors are reported on standard error only.
          """
      ) { settings, path in settings.reply.path = path == "-" ? nil : path },
      copy(
        "tee", help: "Write the answer to FILE, too.",
        detail: "It is written as it arrives, before standard output; FILE is overwritten.",
        at: \.reply.teePath
      ).without("batch"),
      copy(
        "dump-header", "D", help: "Write the headers of every answer to FILE.",
        detail: """
          Those of failed attempts are among them. The values of headers with
          secrets, such as `Set-Cookie`, are left out.
          """,
        at: \.reply.headersPath
      ).without("batch"),
      copy(
        "log", help: "Append a line about the run to FILE, as JSON.",
        detail: "`Sx LOG` has its members; many runs may share one file.",
        at: \.reply.logPath),
    ]
  }

  private static func copy(
    _ name: String, _ short: Character? = nil, help: String, detail: String,
    at place: WritableKeyPath<Settings, String?>
  ) -> Option<Settings> {
    .value(name, short, "FILE", .newFile, help: help, detail: detail) {
      settings, path throws(Failure) in
      guard path != "-" else { throw .usage("standard output is the answer's; name a file") }
      settings[keyPath: place] = path
    }
  }
}
