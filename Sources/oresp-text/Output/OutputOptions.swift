import Core

/// Where the text goes, and what it may do there.
package struct OutputSettings: Sendable {
  /// The file that is written in place of standard output.
  package var path: String?
  package var appends = false
  package var keepsPartial = false
  /// The folder for files of the answer.
  package var folder: String?
  package var wantsPartialImages = false
  package var replacesFiles = false

  package init() {}
}

extension TextTool {
  /// The options that say where things go.
  static var outputOptions: [Option<Settings>] {
    [
      .value(
        "output", "o", "FILE", .file,
        help: "Write to FILE, which is put in place only if the response completed.",
        detail: """
          It is written beside FILE and renamed when the exit status is 0; otherwise what was at
          FILE stays as it was.
          """
      ) { settings, path in settings.output.path = path },
      .flag(
        "append", nil, help: "Append to FILE as the text comes, whatever becomes of it.",
        at: \.output.appends),
      .flag(
        "keep-partial", nil, help: "Put FILE in place whatever the exit status is.",
        at: \.output.keepsPartial),
      .value(
        "files", nil, "DIR", .file,
        help: "Write the images and the audio of the answer into DIR, and print their paths.",
        detail: """
          See
          .Sx FILES .
          """
      ) { settings, path in settings.output.folder = path },
      .flag(
        "partial-images", nil, help: "With --files, write images that are not finished yet, too.",
        at: \.output.wantsPartialImages),
      .flag(
        "force", nil, help: "With --files, replace files that are there.",
        at: \.output.replacesFiles),
    ]
  }
}
