import Core

/// What is done with a response that the server has already.
struct Verb: Sendable {
  enum Kind: Sendable {
    case get, resume, cancel, delete, inputItems
  }

  let kind: Kind
  let option: String
  /// The id, perhaps with `:` and a number behind it, or `@` and a file that tells of it.
  let name: String

  /// The file that tells of the response. What is gone on with is mostly kept in one.
  func file(_ sources: RequestBuilder.Sources) -> String? {
    ToldID.file(name) ?? (kind == .resume && sources.isFile(name) ? name : nil)
  }

  /// The response that is meant, and what is known of it: of a file that `isContinued`, by its
  /// whole events.
  func response(
    _ sources: RequestBuilder.Sources, isContinued: Bool
  ) throws(Failure) -> ToldID {
    if let path = file(sources) {
      return try ToldID.response(in: try sources.text(path), isContinued: isContinued)
    }
    guard kind == .resume, let colon = name.lastIndex(of: ":") else {
      return ToldID(id: name)
    }
    let number = Array(name[name.index(after: colon)...].utf8)
    guard let last = JSONNumber.integer(number.span), last >= 0 else {
      throw .usage("\(option): expected ID, ID:NUMBER or @FILE, got \(name)")
    }
    return ToldID(id: String(name[..<colon]), last: last)
  }
}

/// What is done about a response that goes on behind its reply.
struct FollowSettings: Sendable {
  /// Whether a document is waited for until it is that of the end.
  var waits = false
  /// How long is waited between two requests for it, where the server names no time.
  var pollMilliseconds = 2000
  /// Whether the response is cancelled when a signal ends the run.
  var cancels = false
}
