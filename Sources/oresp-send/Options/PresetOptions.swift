import Core

extension SendSettings {
  static var presetOptions: [Option<Self>] {
    [
      .value(
        "preset", "P", "NAME", .configuration("oresp/presets"),
        help: "Start from the preset NAME, or a file; repeatable.",
        detail: """
          A `NAME` with a slash or `.json` in it is a file. `-P help` lists the presets. Without this
          option, `ORESP_PRESET` names the preset of any new request: see `Sx ENVIRONMENT`. See `Sx
          Presets`.
          """
      ) { settings, name throws(Failure) in
        if name == "help" {
          settings.list = .presets
          return
        }
        guard !name.isEmpty else { throw .usage("expected a name") }
        try settings.request.add(
          Edit("--preset", BodyPath([]), .preset(name), .merge, rank: .preset))
      }
    ]
  }
}
