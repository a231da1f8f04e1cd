import Core

extension SendSettings {
  static var replyOptions: [Option<Self>] {
    [
      .value(
        "output", "o", "FILE", .newFile,
        help: "Write to FILE, and only if all went well.",
        detail: """
          The answer is written beside FILE and renamed when the exit status is 0. Otherwise an
          existing FILE stays as it was, and errors are reported on standard error only. A batch
          appends to FILE: see `oresp-batch(7)`.
          """
      ) { settings, path in settings.reply.path = path == "-" ? nil : path },
      copy(
        "tee", help: "Write the answer to FILE, too.",
        detail: "It is written as it arrives, before standard output; FILE is overwritten.",
        at: \.reply.teePath
      ).without("batch"),
      copy(
        "dump-header", "D", help: "Write the headers of every answer to FILE.",
        detail: """
          That includes failed attempts, but not the values of headers with secrets, such as
          `Set-Cookie`.
          """,
        at: \.reply.headersPath
      ).without("batch"),
      copy(
        "log", help: "Append a line about the run to FILE, as JSON.",
        detail: "`oresp-log(5)` lists the members of the line; many runs may share one file.",
        at: \.reply.logPath),
    ]
  }

  private static func copy(
    _ name: String, _ short: Character? = nil, help: String, detail: String,
    at place: WritableKeyPath<Self, String?>
  ) -> Option<Self> {
    .value(name, short, "FILE", .newFile, help: help, detail: detail) {
      settings, path throws(Failure) in
      guard path != "-" else { throw .usage("standard output is the answer's; name a file") }
      settings[keyPath: place] = path
    }
  }
}
