import Core

/// Requests about an existing response.
extension Sending {
  func send(_ verb: Verb) throws(Failure) -> ExitStatus {
    try verb.refuse(
      settings.request.edits.compactMap { $0.source == nil ? nil : $0.path.names.first })
    guard operands.isEmpty else {
      throw .usage("\(verb.option) takes no prompt; got '\(operands.joined(separator: " "))'")
    }
    let streams = verb.kind.resumes || settings.request.streamChoice == true
    let ask = try self.ask()
    let wanted = try ask.patch.body()
    try verb.refuse(wanted.members.map(\.name))
    guard let locked = ask.server else {
      throw .usage("\(verb.option) has no body; -n -v shows what would be sent")
    }
    let path = verb.kind.resumes ? verb.file(sources) : nil
    let isContinued = path.flatMap { fileStatus($0) }?.isSame(as: notifier.stdout.status) == true
    let known = try verb.response(sources, isContinued: isContinued)
    if verb.kind.resumes, known.hasEnded {
      notifier.report(Notice(.status, "\(known.id) has ended: nothing is left to come"))
      return .completed
    }
    let server = try withKey(locked)
    let requests = ResponseRequests(server, like: wanted)
    let (request, plan) = verb.kind.ask(requests, known, streams, settings.follow.waits)
    if settings.isDryRun {
      show(request)
      return .completed
    }
    if let path, isContinued { cut(path, behind: known) }
    if path == nil, verb.kind.resumes, let told = written, told.id == known.id,
      told.last == known.last
    {
      cut("stdout", behind: told)
    }
    return try exchange(request, plan, requests)
  }

  /// The last response in the file that standard output appends to; `nil` when it is no such file.
  private var written: KnownResponse? {
    guard notifier.stdout.status?.isRegular == true else { return nil }
    let path = "/dev/fd/\(notifier.stdout.number)"
    return try? KnownResponse.last(in: try sources.text(path), isContinued: true)
  }

  /// Cuts the file of standard output, called `path` in the report, after its last whole event: off
  /// go the start of another event and the error that the toolkit added.
  private func cut(_ path: String, behind known: KnownResponse) {
    let count = (notifier.stdout.status.map { Int($0.st_size) } ?? 0) - known.end
    guard count > 0, notifier.stdout.cut(to: known.end) else { return }
    let place = known.last.map { "event \($0)" } ?? "the last event"
    notifier.report(Notice(.status, "\(path): \(count) bytes after \(place) are cut off"))
  }
}
