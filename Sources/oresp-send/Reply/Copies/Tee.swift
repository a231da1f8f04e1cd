import Core

/// Writes an answer to a file as it goes to standard output. A file that takes no more is told of
/// once, and the answer goes on.
final class Tee: AnswerCopy {
  private let file: Descriptor
  private var isBroken = false

  init(_ path: String) throws(Failure) { file = try Descriptor(writing: path) }

  func take(_ output: inout Output) {
    guard !isBroken, !output.bytes.isEmpty else { return }
    do throws(Failure) {
      try file.write(output.bytes.span)
    } catch {
      isBroken = true
      let notice = error.notice ?? Notice(.error, "\(file.name): nobody reads it", status: .usage)
      output.notices.append(notice)
    }
  }
}
