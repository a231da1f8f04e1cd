import Core

/// Gives what a relay passes on to its copies, and to where it goes, while the reply comes.
final class Delivery: ReplyReceiver {
  private var relay: ReplyRelay
  private var output = Output()
  private let sink: any ReplySink
  private let copies: [any ReplyCopy]

  init(to sink: any ReplySink, copies: [any ReplyCopy], _ relay: consuming ReplyRelay) {
    (self.sink, self.copies) = (sink, copies)
    self.relay = relay
  }

  var isClosed: Bool { sink.isClosed }

  var hasEnd: Bool { relay.hasEnd }

  /// Gets ready for the reply to `request`.
  func expect(replyTo request: HTTPRequest) { relay.request = request }

  func begin(_ head: ReplyHead) { relay.begin(head) }

  /// libcurl gives what one read brought in pieces of 16 kB. To write them together takes a sixth
  /// of the system calls, and as much less of the CPU time.
  func receive(_ bytes: Span<UInt8>) throws(Failure) -> Bool {
    let goesOn = relay.receive(bytes, into: &output)
    if output.bytes.count >= InputBuffer.readSize { try flush() }
    return goesOn
  }

  func flush() throws(Failure) {
    let facts = relay.facts
    for copy in copies { copy.write(&output, of: facts.head, facts.response) }
    try sink.write(&output, of: facts.head)
  }

  /// Why the attempt failed before anything of it was passed on; `nil` when it did not, or too
  /// late. `fault` is how the carrier ended it.
  func failure(_ fault: TransportFault?) -> FailedAttempt? { relay.failure(fault) }

  /// Forgets the attempt, for another is made.
  func restart() { relay.restart() }

  /// Notes why no further attempt is made.
  func giveUp(because why: String) { relay.unretried = why }

  /// What is still to come, and is to be asked for, behind a reply that ended by `fault`.
  func rest(_ fault: TransportFault?) throws(Failure) -> ResponseRest? {
    guard let rest = relay.rest(fault, into: &output) else { return nil }
    relay.held.endBlock(into: &output)
    try flush()
    return rest
  }

  /// Gets ready for the reply that brings `rest`.
  func goOn(with rest: ResponseRest) { relay.restart(asksForEvents: rest.asksForEvents) }

  /// Takes the end of the reply and why it ended, if not by itself. Returns the worst status that
  /// was told.
  func end(_ fault: TransportFault?) throws(Failure) -> ExitStatus {
    relay.finish(fault, into: &output)
    if let notice = relay.facts.response.reroute(from: relay.request.text("model")) {
      output.notices.append(notice)
    }
    try flush()
    return try sink.end()
  }
}

/// Where a reply goes.
protocol ReplySink: AnyObject {
  /// Whether nobody takes it any more.
  var isClosed: Bool { get }

  /// Takes the bytes and the notices of `output`, and empties it. `head` is the reply's, once it is
  /// known that no other is asked for.
  func write(_ output: inout Output, of head: ReplyHead?) throws(Failure)

  /// Takes the end. Returns the worst status that was told.
  func end() throws(Failure) -> ExitStatus
}

/// Writes a reply to standard output or a file, and tells its notices.
final class OutletSink: ReplySink {
  private var outlet: Outlet
  private var file: NewFile?
  private let notifier: Notifier

  /// It goes to the file that is to stand at `path`, if there is one.
  init(_ notifier: Notifier, to path: String?) throws(Failure) {
    self.notifier = notifier
    guard let path else {
      outlet = Outlet(notifier)
      return
    }
    let file = try NewFile(at: path)
    outlet = Outlet(notifier, to: file.descriptor)
    self.file = consume file
  }

  var isClosed: Bool { outlet.descriptor.hasNoReader }

  func write(_ output: inout Output, of head: ReplyHead?) throws(Failure) {
    try outlet.flush(&output, about: "answer")
  }

  func end() throws(Failure) -> ExitStatus {
    try outlet.close()
    return outlet.status
  }

  /// Puts the file in its place if the run ended well, with `status` 0.
  func commit(after status: ExitStatus) throws(Failure) {
    guard let file = file.take() else { return }
    try file.commit(after: status, notifier)
  }
}

extension Descriptor {
  /// Whether nobody reads what is written to it any more: the other end of the pipe or socket is
  /// closed.
  var hasNoReader: Bool {
    var state = pollfd(fd: number, events: 0, revents: 0)
    guard unsafe poll(&state, 1, 0) > 0 else { return false }
    return Int32(state.revents) & Int32(POLLERR | POLLHUP) != 0
  }
}
