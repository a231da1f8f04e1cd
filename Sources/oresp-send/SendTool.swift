package import Core

/// `oresp-send`: sends one request and gives its answer as it came.
package enum SendTool {
  /// What the command line asks for.
  package struct Settings: CommonSettings {
    package var notices = NoticeSettings()
    package var model: String?
    package var bodyPath: String?
    /// What `--[no-]stream` said, if it was given.
    package var streamChoice: Bool?
    package var isDryRun = false
    package var rehearsal: Rehearsal?
    package var transport = TransportSettings()
    package var input = InputSettings()
    package var request = RequestSettings()
    package var access = AccessSettings()
    package var retry = RetrySettings()
    package var reply = ReplySettings()
    /// Whether the curl command is printed instead.
    package var showsCurl = false

    package init() {}
  }

  package static var command: Command<Settings> {
    Command(
      "oresp-send", summary: "send a request to the Responses API and give its raw answer",
      operands: "[PROMPT]...", takesFiles: false, options: options, settings: Settings(),
      perform: { settings, prompt, notifier throws(Failure) in
        try Sending(settings, prompt, notifier).run()
      })
  }
}
