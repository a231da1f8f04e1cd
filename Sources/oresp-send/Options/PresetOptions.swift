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
        if !PresetFolder.isFile(name) { try PresetFolder.check(name) }
        settings.request.presets.names.append(name)
      },
      .value(
        "save-preset", nil, "NAME", help: "Save presets, body and options as the preset NAME.",
        detail: """
          Nothing is sent. Only options that set members of the body are saved. The `PROMPT`, other
          input (see `Sx INPUT`), `--previous`, secrets and defaults are not. With `-n` the preset is
          printed, not saved.
          """
      ) { settings, name throws(Failure) in
        try PresetFolder.check(name)
        guard !PresetFolder.isFile(name), name != "help" else {
          throw .usage("expected a name without a slash and .json, and not help, got \(name)")
        }
        settings.request.presets.savedName = name
      }.without("batch"),
      .flag(
        "force", nil, help: "Let --save-preset replace a preset.",
        at: \.request.presets.replaces
      ).with("save-preset"),
    ]
  }
}
