import Core

/// Where else a reply, and what is known of it, goes.
struct ReplySettings: Sendable {
  /// The file that gets what standard output gets.
  var teePath: String?
  /// The file that gets the headers.
  var headersPath: String?
  /// The file that gets a line about the run.
  var logPath: String?
}

extension SendTool {
  static var replyOptions: [Option<Settings>] {
    [
      .value(
        "tee", nil, "FILE", .file, help: "Write to FILE, too, what goes to standard output.",
        detail: """
          As it comes, and before standard output gets it; what was in FILE is gone.
          """
      ) { settings, path throws(Failure) in
        settings.reply.teePath = try file(path)
      },
      .value(
        "dump-header", "D", "FILE", .file, help: "Write the headers of every answer to FILE.",
        detail: "Those of redirects and of failed attempts are among them."
      ) { settings, path throws(Failure) in
        settings.reply.headersPath = try file(path)
      },
      .value(
        "log", nil, "FILE", .file, help: "Add a line about the run to FILE, as JSON.",
        detail: "The section `Sx LOG` has its members; many runs may share one file."
      ) { settings, path throws(Failure) in
        settings.reply.logPath = try file(path)
      },
    ]
  }

  private static func file(_ path: String) throws(Failure) -> String {
    guard path != "-" else { throw .usage("standard output is the answer's; name a file") }
    return path
  }
}
