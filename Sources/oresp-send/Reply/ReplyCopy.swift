import Core

/// Gets what standard output gets, before it does.
protocol ReplyCopy: AnyObject {
  /// Takes what is about to be written and told, and may add what is to be told. `head` is the
  /// reply's, once it is known that no other is asked for; `response` is what its events told so far.
  func take(_ output: inout Output, of head: ReplyHead?, _ response: ResponseFacts)
}

/// What the events of a reply tell of its response. Of several responses the last counts.
struct ResponseFacts {
  private(set) var id = ""
  private(set) var model = ""
  private(set) var status = ""
  private(set) var usage: JSONValue?

  /// Reads `line`, an event on the state of a response.
  mutating func read(_ line: Span<UInt8>) {
    id = JSONChildren.text(of: "response", "id", in: line)
    model = JSONChildren.text(of: "response", "model", in: line)
    status = JSONChildren.text(of: "response", "status", in: line)
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
  private let file: Descriptor
  private var isBroken = false

  init(_ path: String) throws(Failure) { file = try Descriptor(writing: path) }

  func take(_ output: inout Output, of head: ReplyHead?, _ response: ResponseFacts) {
    guard !isBroken, !output.bytes.isEmpty else { return }
    do throws(Failure) {
      try file.write(output.bytes.span)
    } catch {
      isBroken = true
      let notice = error.notice ?? Notice(.error, "\(file.name): nobody reads it", status: .usage)
      output.notices.append(notice)
    }
  }
}

/// Writes the headers of every reply to a file, as they come but for secrets.
final class HeaderDump: TransferWatcher {
  private let file: Descriptor
  private let redaction: Redaction
  private let tell: (Notice) -> Void
  /// Whether the file took not all.
  private(set) var isBroken = false

  init(
    _ path: String, _ redaction: Redaction, tell: @escaping (Notice) -> Void
  ) throws(Failure) {
    file = try Descriptor(writing: path)
    self.redaction = redaction
    self.tell = tell
  }

  func received(header line: Span<UInt8>) {
    guard !isBroken else { return }
    do throws(Failure) {
      let shown = redaction.of([UInt8](copying: line))
      try file.write(shown.span)
    } catch {
      isBroken = true
      if let notice = error.notice { tell(notice) }
    }
  }
}

/// Tells what goes over the wire, but for bodies and secrets: lines that begin with `*` for what the
/// transport does, `>` for what is sent and `<` for what comes.
final class WireTrace: TransferWatcher {
  private let tell: (Notice) -> Void

  /// `tell` takes secrets out wherever else they stand.
  init(tell: @escaping (Notice) -> Void) { self.tell = tell }

  func did(_ words: String) {
    show("*", words) { line in
      // Of HTTP/2 the transport tells the headers in its own words.
      let isSecret = line.lowercased()[...].cut(at: "authorization:") != nil
      return isSecret ? "authorization: [secret]" : Redaction.userInfo(line)
    }
  }

  func sent(_ headers: Span<UInt8>) { show(">", String(decoding: headers), Redaction.header) }

  func received(header line: Span<UInt8>) {
    show("<", String(decoding: line), Redaction.header)
  }

  func ended(_ facts: TransferFacts) {
    let time = Seconds.text(milliseconds: facts.totalTime / 1000)
    show("*", "sent \(facts.sentBytes) bytes, received \(facts.receivedBytes), in \(time) s") { $0 }
  }

  private func show(_ mark: String, _ text: String, _ change: (String) -> String) {
    for line in text.split(whereSeparator: \.isNewline) {
      tell(Notice(.summary, mark + " " + change(String(line))))
    }
  }
}
