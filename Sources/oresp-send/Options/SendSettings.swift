import Core

/// What the command line asks for.
struct SendSettings: CommonSettings {
  var notices = NoticeSettings()
  var isDryRun = false
  /// The `custom_id` of the batch line that `--dry-run` prints in place of the body.
  var customID: String?
  /// The list that is printed; nothing else is done then.
  var list: List?
  var rehearsal: Rehearsal?
  var transport = TransportSettings()
  var input = InputSettings()
  var request = RequestSettings()
  var access = AccessSettings()
  var retry = RetrySettings()
  /// The file for a line about each request; `nil` for none.
  var logPath: String?
  /// The request about an existing response; `nil` for a new one.
  var verb: Verb?
  var follow = FollowSettings()
  var endpoint = AnyEndpoint()
  var batch = BatchSettings()

  enum List { case tools, presets, providers }
}

extension SendSettings {
  static var options: [Option<Self>] {
    requestOptions.grouped("Request") + inputOptions.grouped("Prompt, files and items")
      + (Parameter.table + [Include.option]).grouped("Parameters")
      + toolOptions.grouped("Tools and the form of the answer")
      + setOptions.grouped("Presets and members")
      + responseOptions.grouped("Responses that go on")
      + endpointOptions.grouped("Other endpoints") + batchOptions.grouped("Many requests")
      + [rehearsalOption].grouped("Without sending")
      + serverOptions.grouped("Server and key")
      + [logOption].grouped("A record of the run")
      + transportOptions.grouped("Retries, timeouts and connection")
  }
}
