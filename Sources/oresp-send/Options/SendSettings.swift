import Core

/// What the command line asks for.
struct SendSettings: CommonSettings {
  var notices = NoticeSettings()
  var isDryRun = false
  /// The name in a batch of the request that is printed, if it is to be a line of one.
  var customID: String?
  /// What is printed in place of all else.
  var list: List?
  var rehearsal: Rehearsal?
  var transport = TransportSettings()
  var input = InputSettings()
  var request = RequestSettings()
  var access = AccessSettings()
  var retry = RetrySettings()
  var reply = ReplySettings()
  /// What is asked of a response that is there, if no new one is asked for.
  var verb: Verb?
  var follow = FollowSettings()
  var endpoint = AnyEndpoint()
  var batch = BatchSettings()
}

extension SendSettings {
  /// What the tool can list.
  enum List { case tools, presets, providers }

  /// The place behind the base URL that a new request goes to.
  var newPath: String { request.api == .chat ? "/chat/completions" : request.use.path }

  /// The provider that is asked; `variable` gives the value of an environment variable.
  func provider(_ variable: (String) -> String?) throws(Failure) -> Provider {
    try Provider.named(access.provider, variable)
  }

  /// What makes the body that is asked for, with the words of `prompt`.
  func builder(
    _ prompt: [String], _ sources: Sources
  ) throws(Failure) -> RequestBuilder {
    RequestBuilder(request, input, prompt, sources, try provider(sources.variable))
  }

  /// Refuses to ask `provider` for what it has not.
  func checkAPI(_ provider: Provider) throws(Failure) {
    guard request.api == .responses, !provider.hasResponses, rehearsal == nil else { return }
    throw .usage(
      "\(provider.name) has Chat Completions only: ask with --api=chat, and put"
        + " oresp-sse after it")
  }
}

extension SendSettings {
  static var options: [Option<Self>] {
    requestOptions.grouped("Request") + inputOptions.grouped("Prompt, files and items")
      + (Parameter.table + [Include.option]).grouped("Parameters")
      + (toolOptions + schemaOptions).grouped("Tools and the form of the answer")
      + (presetOptions + setOptions).grouped("Presets and members")
      + responseOptions.grouped("Responses that go on")
      + endpointOptions.grouped("Other endpoints") + batchOptions.grouped("Many requests")
      + [rehearsalOption].grouped("Without sending")
      + serverOptions.grouped("Server and key")
      + replyOptions.grouped("Where the answer goes")
      + (retryOptions + transportOptions).grouped("Retries, timeouts and connection")
  }
}
