import Core

/// Writes the selected events of each response into a file of its own, and a line on a bad end that
/// is not selected; prints the paths of the files. A file is put in its place when the next
/// response begins in its slot, or the input ends. Events that come again of a response whose file
/// is closed get another file.
struct SplitFilter: EventFilter, ~Copyable {
  /// The file of a response: a class, as it cannot be copied.
  private final class File {
    let response: ResponseIdentity
    var bytes: [UInt8] = []
    var file: NewFile?
    var hasFailed = false

    init(_ response: ResponseIdentity) { self.response = response }

    /// The tag of its response, or the id, or the number.
    var stem: String {
      let name = response.tag.isEmpty ? response.id : response.tag
      return name.isEmpty ? String(response.number) : FileFolder.name(name)
    }
  }

  private static let writeSize = 64 << 10

  private var selected: SelectFilter
  private var folder: FileFolder
  private var files = PerResponse<File?>(nil)
  /// The response that was heard of last in each slot.
  private var responses = PerResponse<ResponseIdentity?>(nil)

  init(_ selected: SelectFilter, into folder: FileFolder) {
    (self.selected, self.folder) = (selected, folder)
  }

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output) {
    appendEnds(from: &output)
    responses[event.slot] = event.response
    if event.step.isFirst {
      finish(files[event.slot], into: &output)
      files[event.slot] = nil
    }
    let start = output.bytes.count
    selected.handle(event, line, into: &output)
    guard output.bytes.count > start else { return }
    let bytes = Array(output.bytes[start...])
    output.bytes.removeLast(bytes.count)
    append(bytes, in: event.slot, into: &output)
  }

  mutating func finish(into output: inout Output) { selected.finish(into: &output) }

  mutating func conclude(into output: inout Output) {
    appendEnds(from: &output)
    for file in files.all { finish(file, into: &output) }
  }

  var status: ExitStatus { selected.status }

  var ownEnds: OwnEnds { selected.ownEnds }

  var needsItems: Bool { selected.needsItems }

  private mutating func appendEnds(from output: inout Output) {
    guard !output.ends.isEmpty else { return }
    let ends = output.ends
    output.ends = []
    for end in ends { append(end.line + [ASCII.lf], in: end.slot, into: &output) }
  }

  /// Appends `bytes` to the file of the response that was heard of last in `slot`.
  private mutating func append(_ bytes: [UInt8], in slot: Int, into output: inout Output) {
    guard let response = responses[slot] else { return }
    let known = files[slot]
    let file = known?.response === response ? known ?? File(response) : File(response)
    file.bytes += bytes
    if known == nil { files[slot] = file }
    if file.bytes.count >= Self.writeSize { write(file, into: &output) }
    if files[slot] !== file { finish(file, into: &output) }
  }

  private mutating func write(_ file: File, into output: inout Output) {
    defer { file.bytes = [] }
    guard !file.hasFailed else { return }
    do throws(Failure) {
      if file.file == nil { file.file = try folder.create(file.stem, "ndjson") }
      let bytes = file.bytes
      try file.file?.write(bytes.span)
    } catch {
      fail(file, error, into: &output)
    }
  }

  private mutating func finish(_ file: File?, into output: inout Output) {
    guard let file else { return }
    write(file, into: &output)
    guard let new = file.file.take() else { return }
    let path = new.descriptor.name
    do throws(Failure) {
      try new.commit()
      output.append(line: Array(path.utf8).span)
    } catch {
      fail(file, error, into: &output)
    }
  }

  private func fail(_ file: File, _ failure: Failure, into output: inout Output) {
    file.file = nil
    file.hasFailed = true
    if let notice = failure.notice { output.notices.append(notice) }
  }
}
