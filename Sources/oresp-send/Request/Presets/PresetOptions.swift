import Core

extension SendTool {
  static var presetOptions: [Option<Settings>] {
    [
      .value(
        "preset", "P", "NAME", .file,
        help: "Begin with preset NAME, or the one in a file; repeatable.",
        detail: """
          A
          .Ar NAME
          with a slash or
          .Ql .json
          in it is that of a file.
          See
          .Sx Presets .
          """
      ) { settings, name throws(Failure) in
        if !PresetFolder.isFile(name) { try PresetFolder.check(name) }
        settings.request.presets.names.append(name)
      },
      .value(
        "save-preset", nil, "NAME", help: "Save what presets, body and options say, as NAME.",
        detail: """
          Nothing is sent.
          The
          .Ar PROMPT
          is not saved, nor is what else
          .Sx INPUT
          tells of, nor
          .Fl -previous ,
          nor are secrets, nor what is filled in where nothing was said.
          With
          .Fl n
          the preset is printed and not saved.
          """
      ) { settings, name throws(Failure) in
        try PresetFolder.check(name)
        guard !PresetFolder.isFile(name) else {
          throw .usage("a name has no slash and no .json, got \(name)")
        }
        settings.request.presets.savedName = name
      },
      .flag(
        "force", nil, help: "Let --save-preset replace a preset of that name.",
        at: \.request.presets.replaces),
    ]
  }
}
