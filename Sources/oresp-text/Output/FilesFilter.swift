import Core

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
    files.handle(event, line, into: &output)
    printPaths(into: &output)
  }

  mutating func finish(into output: inout Output) {
    files.finish(into: &output)
    printPaths(into: &output)
    answer.finish(into: &output)
  }

  private mutating func printPaths(into output: inout Output) {
    for path in files.takePaths() { answer.print(path: path, into: &output) }
  }
}
