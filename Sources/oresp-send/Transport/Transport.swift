import Core

/// Carries requests to a server, or acts as if it did.
protocol Transport {
  /// Sends `request` and gives the reply to `receiver` while it comes: the head once, then the
  /// body. A receiver that takes its time holds the server up. Returns what went wrong on the way,
  /// if anything did; throws what the receiver threw, and what keeps a request from being sent.
  func send(
    _ request: HTTPRequest, to receiver: any ReplyReceiver
  ) throws(Failure) -> TransportFault?
}

/// Takes the reply to one request.
protocol ReplyReceiver: AnyObject {
  /// Whether nobody takes the reply any more; a transport asks now and then, and stops.
  var isClosed: Bool { get }

  /// Whether the response has ended, by what was taken, whatever else may come.
  var hasEnd: Bool { get }

  func begin(_ head: ReplyHead)

  /// Takes the next bytes of the body; false when no more are wanted.
  func take(_ bytes: Span<UInt8>) throws(Failure) -> Bool

  /// Hands on what was taken: more may have to be waited for.
  func flush() throws(Failure)
}

/// What is to be sent.
struct HTTPRequest: Sendable {
  var method = "POST"
  var url: String
  /// Whole header lines, without their line ends.
  var headers: [String]
  var body: [UInt8]
  /// What is sent as a form, in the place of the body.
  var form: [FormPart] = []
  /// Whether the server is on this machine, where no proxy is asked.
  var isLocal: Bool
  /// Whether everybody on the way can read it.
  var isInTheClear = false
  /// What of it people can change.
  var origin = RequestOrigin()
  /// When all of it must be over, if ever (`Clock.steadyMilliseconds`).
  var deadline: Int?

  /// Its URL as it may be shown: a query may hold a secret.
  var openURL: String { String(url.prefix { $0 != "?" }) }

  /// Whether the member `name` of the body, or the field of the form, is true.
  func says(_ name: StaticString) -> Bool {
    let text = body.span
    guard form.isEmpty else { return field(name) == "true" }
    return JSONChildren.value(of: name, in: text).map { text.extracting($0).equals("true") }
      ?? false
  }

  /// The text of the member `name` of the body, or of the field of the form; empty when there is none.
  func text(_ name: StaticString) -> String {
    form.isEmpty ? JSONChildren.text(of: name, in: body.span) : field(name)
  }

  private func field(_ name: StaticString) -> String {
    let part = form.first { $0.field.kind == .value && $0.field.name == "\(name)" }
    return part?.field.text ?? ""
  }
}

/// What people have said for a request to be as it is.
struct RequestOrigin: Sendable {
  /// The variable or the option that says where the server is.
  var place = "OPENAI_BASE_URL"
  /// The options that set something in its body, and what each has set.
  var options: [(name: String, path: String)] = []

  /// The option that has set what the server calls `parameter`, or a part of it, or what it is a part
  /// of; the last of several.
  func option(of parameter: String) -> String? {
    options.last { option in
      let (short, long) =
        option.path.utf8.count < parameter.utf8.count
        ? (option.path, parameter) : (parameter, option.path)
      return !short.isEmpty && long.hasPrefix(short)
        && [nil, ".", "["].contains(long.dropFirst(short.count).first)
    }?.name
  }
}

/// Why no whole reply came: a name for programs, and what happened and what to do for people.
struct TransportFault: Sendable {
  var code: String
  var message: String
  var advice: String
  /// Whether the time of the whole run is over, so that nothing can be tried again.
  var endsRun = false

  init(_ code: String, _ message: String, advice: String) {
    (self.code, self.message, self.advice) = (code, message, advice)
  }
}

/// What a transport does. What went out has the key in it.
enum TransferSign {
  /// Anything, told in the transport's own words.
  case did(String)
  /// Headers of a request went out.
  case sent([UInt8])
  /// A line of the headers of a reply came, with its line end.
  case received([UInt8])
  /// A transfer is over.
  case ended(TransferFacts)
}

/// Watches a transport at work.
protocol TransferWatcher: AnyObject {
  func see(_ sign: TransferSign)
}

/// What one transfer came to. Times are in microseconds since it began, 0 for what did not happen.
struct TransferFacts: Sendable {
  /// The version of HTTP as it is written: `1.1`, `2`, `3`; empty when nothing came.
  var httpVersion = ""
  /// The number of the system's error that kept a connection from being made; 0 when none did.
  var systemError: Int32 = 0
  /// What a proxy answered when it was asked for a tunnel; 0 when none was.
  var proxyStatus = 0
  /// The bytes of the body that was sent.
  var sentBytes = 0
  /// The bytes of the body that came, as they came.
  var receivedBytes = 0
  var nameTime = 0
  var connectTime = 0
  var tlsTime = 0
  var firstByteTime = 0
  var totalTime = 0
}
