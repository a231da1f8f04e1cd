package import Core

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

/// Runs the filter from its inputs to where the text goes.
enum TextOutput {
  /// Pumps `filter`; gives the worst status of all that was told.
  static func run<F: Filter & ~Copyable>(
    _ filter: consuming F, _ settings: OutputSettings, from files: [String], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    guard let path = settings.path, path != "-" else {
      return try pump(filter, from: files, with: notifier)
    }
    for name in files.isEmpty ? ["-"] : files {
      guard !NewFile.isSame(path, name == "-" ? "/dev/stdin" : name) else {
        throw .usage("-o: \(path) is input, too")
      }
    }
    guard !settings.appends else {
      var file = try Descriptor(writing: path, appends: true)
      let status = try pump(filter, from: files, to: file, with: notifier)
      try file.close()
      return status
    }
    let file = try NewFile(at: path)
    let status = try pump(filter, from: files, to: file.descriptor, with: notifier)
    if status == .completed, !settings.keepsPartial, settings.folder == nil, file.isEmpty {
      let why = "\(path): not written: the answer has no text"
      notifier.report(Notice(.error, why, status: .negative))
      return .negative
    }
    try file.commit(after: settings.keepsPartial ? .completed : status, notifier)
    return status
  }
}

extension NewFile {
  /// Whether `path` and `other` lead to one regular file, which writing to one of them would change
  /// under whoever reads the other.
  package static func isSame(_ path: String, _ other: String) -> Bool {
    guard let mine = fileStatus(path), let theirs = fileStatus(other) else { return false }
    return mine.isRegular && mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino
  }
}
