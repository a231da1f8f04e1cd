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
      return try pump(filter, from: files, telling: notifier)
    }
    for name in files.isEmpty ? ["-"] : files {
      guard !NewFile.isSame(path, name == "-" ? "/dev/stdin" : name) else {
        throw .usage("-o: \(path) is input, too")
      }
    }
    guard !settings.appends else {
      var file = try Descriptor(writing: path, appends: true)
      let status = try pump(filter, from: files, to: file, telling: notifier)
      try file.close()
      return status
    }
    let file = try NewFile(at: path)
    let status = try pump(filter, from: files, to: file.descriptor, telling: notifier)
    try file.commit(after: settings.keepsPartial ? .completed : status, notifier)
    return status
  }
}

/// Prints the answer and writes its files, whose paths are printed as texts of their own.
struct FilesFilter: EventFilter, ~Copyable {
  private var answer: AnswerFilter
  private var files: ProducedFiles

  init(_ answer: AnswerFilter, _ files: consuming ProducedFiles) {
    self.answer = answer
    self.files = files
  }

  mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    answer.handle(event, line, into: &output)
    writeBlocks(into: &output)
    files.handle(event, line, into: &output)
    printPaths(into: &output)
  }

  mutating func finish(into output: inout Output) {
    files.finish(into: &output)
    printPaths(into: &output)
    answer.finish(into: &output)
    writeBlocks(into: &output)
    printPaths(into: &output)
  }

  private mutating func writeBlocks(into output: inout Output) {
    for block in answer.takeBlocks() { files.write(block, into: &output) }
  }

  private mutating func printPaths(into output: inout Output) {
    for path in files.takePaths() { answer.print(path: path, into: &output) }
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
