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
      .value(
        "log", nil, "FILE", .newFile, help: "Append a line about the run to FILE, as JSON.",
        detail: "`oresp-log(5)` lists the members of the line; many runs may share one file."
      ) { settings, path throws(Failure) in
        guard path != "-" else { throw .usage("standard output is the answer's; name a file") }
        settings.reply.logPath = path
      },
    ]
  }
}
