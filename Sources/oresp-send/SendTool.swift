import Core

/// `oresp-send`: sends one request and gives its answer as it came.
enum SendTool {
  /// What the command line asks for.
  struct Settings: CommonSettings {
    var notices = NoticeSettings()
    var model: String?
    var bodyPath: String?
    /// What `--[no-]stream` said, if it was given.
    var streamChoice: Bool?
    var isDryRun = false
    var rehearsal: Rehearsal?
    var transport = TransportSettings()
    var input = InputSettings()
    var request = RequestSettings()
    var access = AccessSettings()
    var retry = RetrySettings()
    var reply = ReplySettings()
    /// Whether the curl command is printed instead.
    var showsCurl = false
  }

  static var command: Command<Settings> {
    Command(
      "oresp-send", summary: "send a request to the Responses API and give its raw answer",
      operands: "[PROMPT]...", takesFiles: false, options: options, settings: Settings(),
      perform: { settings, prompt, notifier throws(Failure) in
        try Sending(settings, prompt, notifier).run()
      })
  }
}
