import Core

extension SendSettings {
  static var logOption: Option<Self> {
    .value(
      "log", nil, "FILE", .newFile, help: "Append a line about the run to FILE, as JSON.",
      detail: "`oresp-log(5)` lists the members of the line; many runs may share one file."
    ) { settings, path throws(Failure) in
      guard path != "-" else { throw .usage("standard output is the answer's; name a file") }
      settings.logPath = path
    }
  }
}
