import Core

/// Writes the selected events of each response into a file of its own, with a line on a bad end that
/// is not selected, and events of no response into `rest.ndjson`; prints the paths of the files. A
/// file is put in its place when its response is over; what comes of it later is appended there.
struct SplitFilter: EventFilter, ~Copyable {
  /// The file of a response, or of none: a class, as it cannot be copied.
  private final class File {
    let stem: String
    var bytes: [UInt8] = []
    var file: NewFile?
    /// Its path once it is in its place.
    var path: String?
    var hasFailed = false

    init(_ stem: String) { self.stem = stem }
  }

  private static let writeSize = 64 << 10

  private var selected: SelectFilter
  private var folder: FileFolder
  private var files = PerResponse<File?>(nil)
  private var rest = File("rest")
  /// The files in their places of the last responses that are over, by their numbers.
  private var over: [Int: File] = [:]

  init(_ selected: SelectFilter, into folder: FileFolder) {
    (self.selected, self.folder) = (selected, folder)
  }

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output) {
    let start = output.bytes.count
    selected.handle(event, line, into: &output)
    guard output.bytes.count > start else { return }
    let bytes = Array(output.bytes[start...])
    output.bytes.removeLast(bytes.count)
    append(bytes, of: event.response, into: &output)
  }

  mutating func close(_ response: Response, into output: inout Output) {
    if let line = response.endLine {
      response.endLine = nil
      append(line + [ASCII.lf], of: response, into: &output)
    }
    guard let file = files.remove(response) else { return }
    finish(file, into: &output)
    remember(file, of: response)
  }

  mutating func finish(into output: inout Output) { selected.finish(into: &output) }

  mutating func conclude(into output: inout Output) {
    finish(rest, into: &output)
  }

  var status: ExitStatus { selected.status }

  var ownEnds: OwnEnds { selected.ownEnds }

  var needsItems: Bool { selected.needsItems }

  /// Appends `bytes` to the file of `response`; of `nil` to the file of events of no response.
  private mutating func append(_ bytes: [UInt8], of response: Response?, into output: inout Output)
  {
    let file = file(of: response)
    file.bytes += bytes
    if file.path != nil || file.bytes.count >= Self.writeSize { write(file, into: &output) }
    if let response, !response.isOpen, over[response.number] === file {
      finish(file, into: &output)
    }
  }

  private mutating func file(of response: Response?) -> File {
    guard let response else { return rest }
    if let known = over[response.number] ?? files[response] { return known }
    // The tag of the response, or the id, or the number.
    let name = response.tag.isEmpty ? response.id : response.tag
    let file = File(name.isEmpty ? String(response.number) : FileFolder.name(name))
    if response.isOpen { files[response] = file } else { remember(file, of: response) }
    return file
  }

  /// Remembers the file of a response that is over, as far as events may name it.
  private mutating func remember(_ file: File, of response: Response) {
    if over.count >= Responses.mostEnded { over = [:] }
    over[response.number] = file
  }

  private mutating func write(_ file: File, into output: inout Output) {
    defer { file.bytes = [] }
    guard !file.hasFailed, !file.bytes.isEmpty else { return }
    let bytes = file.bytes
    do throws(Failure) {
      if let path = file.path {
        var late = try Descriptor(writing: path, appends: true)
        try late.write(bytes.span)
        try late.close()
      } else {
        if file.file == nil { file.file = try folder.create(file.stem, "ndjson") }
        try file.file?.write(bytes.span)
      }
    } catch {
      fail(file, error, into: &output)
    }
  }

  private mutating func finish(_ file: File, into output: inout Output) {
    write(file, into: &output)
    guard let new = file.file.take() else { return }
    let path = new.descriptor.name
    do throws(Failure) {
      try new.commit()
      file.path = path
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
