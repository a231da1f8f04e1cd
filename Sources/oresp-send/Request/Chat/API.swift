import Core

/// The API that an answer is asked for.
enum API: String, CaseIterable, Sendable {
  case responses, chat
}

extension SendTool {
  static var apiOption: Option<Settings> {
    .value(
      "api", nil, "API", .oneOf(API.allCases.map(\.rawValue)),
      help: "Choose the API: responses (default) or chat.",
      detail: """
        With `chat` the same options make a Chat Completions request, for a server that has no
        other API; `oresp-sse --from=chat` reads the answer. See `Sx CHAT COMPLETIONS`.
        """
    ) { settings, name throws(Failure) in
      guard let api = API(rawValue: name) else {
        throw .usage("expected responses or chat, got \(name)")
      }
      settings.api = api
    }
  }
}

extension SendTool.Settings {
  /// The place behind the base URL that a new request goes to.
  var newPath: String { api == .chat ? "/chat/completions" : bodyUse.path }

  /// Refuses to ask `provider` for what it has not.
  func checkAPI(_ provider: Provider) throws(Failure) {
    guard api == .responses, !provider.hasResponses, rehearsal == nil else { return }
    throw .usage(
      "\(provider.name) has Chat Completions only: ask with --api=chat, and put"
        + " oresp-sse --from=chat behind it")
  }
}
