import Core

/// Requests about a response that there is already.
extension Sending {
  func send(_ verb: Verb) throws(Failure) -> ExitStatus {
    let wanted = try builder.unfilled()
    let strange = wanted.members.first {
      !["include", "stream", "stream_options"].contains($0.name)
    }
    guard strange == nil, !hasPrompt else {
      let what = "no " + (strange?.name ?? "PROMPT")
      throw .usage("\(verb.option) asks for an existing response, and takes \(what)")
    }
    guard !settings.isDryRun || settings.notices.tells(.summary) else {
      throw .usage("\(verb.option) has no body; -n -v shows what would be sent")
    }
    let locked = try server("GET", ResponseRequests.path("id"))
    let path = verb.kind == .resume ? verb.file(sources) : nil
    let isContinued = path.flatMap { fileStatus($0) }?.isSame(as: notifier.stdout.status) == true
    let known = try verb.response(sources, isContinued: isContinued)
    if verb.kind == .resume, known.hasEnded {
      notifier.tell(Notice(.status, "\(known.id) has ended: nothing is left to come"))
      return .completed
    }
    let server = try locked.unlocked(notifier, isShown: settings.isDryRun)
    let requests = ResponseRequests(server, like: wanted.bytes)
    let (request, plan) = try ask(verb.kind, known, requests)
    if settings.isDryRun {
      show(request)
      return .completed
    }
    if let path, isContinued { cut(path, behind: known) }
    if path == nil, verb.kind == .resume, let told = written, told.id == known.id,
      told.last == known.last
    {
      cut("stdout", behind: told)
    }
    return try exchange(request, plan, requests)
  }

  /// The response that a file tells of to whose end standard output goes.
  private var written: ToldID? {
    guard notifier.stdout.status?.isRegular == true else { return nil }
    let path = "/dev/fd/\(notifier.stdout.number)"
    return try? ToldID.response(in: try sources.text(path), isContinued: true)
  }

  /// Takes away what stands behind the last whole event of the file at `path`, to which standard
  /// output goes: the start of another, and the error that told of the end.
  private func cut(_ path: String, behind known: ToldID) {
    let count = (notifier.stdout.status.map { Int($0.st_size) } ?? 0) - known.end
    guard count > 0, notifier.stdout.cut(to: known.end) else { return }
    let place = known.last.map { "event \($0)" } ?? "the last event"
    notifier.tell(Notice(.status, "\(path): \(count) bytes after \(place) are cut off"))
  }

  /// What is asked of the response that is `known`, and what that is to bring.
  private func ask(
    _ kind: Verb.Kind, _ known: ToldID, _ requests: ResponseRequests
  ) throws(Failure) -> (HTTPRequest, ReplyPlan) {
    let (id, last, waits) = (known.id, known.last, settings.follow.waits)
    let resuming = ReplyPlan(isBackground: true, id: id, resumes: true, last: last)
    return switch kind {
    case .resume: (try requests.events(id, after: last), resuming)
    case .get where settings.request.streamChoice == true:
      (try requests.events(id, after: nil), ReplyPlan(isBackground: true, id: id, resumes: true))
    case .get:
      (try requests.response(id), ReplyPlan(isBackground: waits, waits: waits, id: id))
    case .cancel: (try requests.cancel(id), ReplyPlan(form: .document))
    case .delete: (try requests.delete(id), ReplyPlan(form: .document))
    case .inputItems: (try requests.inputItems(id), ReplyPlan(form: .page))
    }
  }
}
