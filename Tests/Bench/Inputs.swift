import Foundation

/// The files that the tools are run on, made from a fixed seed.
struct Inputs {
  private let folder: TemporaryFolder
  /// The size that most rows are measured at, in megabytes.
  let megabytes: Int

  init(megabytes: Int) throws {
    folder = try TemporaryFolder()
    self.megabytes = megabytes
  }

  var lines: String { get throws { try file(.ndjson, megabytes) } }
  var stream: String { get throws { try file(.sse, megabytes) } }

  /// The same without images: text is all there is in most answers.
  var texts: String { get throws { try file(.ndjson, megabytes, hasImages: false) } }

  /// A file of so many megabytes; made once.
  func file(
    _ form: SampleEvents.Form, _ megabytes: Int, hasImages: Bool = true
  ) throws -> String {
    let path = "\(folder.path)/\(megabytes)\(hasImages ? "" : "-text").\(form.rawValue)"
    if access(path, R_OK) == 0 { return path }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError(path) }
    defer { close(descriptor) }
    var events = SampleEvents(form, seed: 1, hasImages: hasImages)
    var left = megabytes * 1_000_000
    while left > 0 {
      let bytes = events.next()
      guard SystemCall.write(bytes, to: descriptor) else { throw SystemError("write") }
      left -= bytes.count
    }
    return path
  }

  /// A response with `count` messages, as lines.
  func items(_ count: Int) throws -> String {
    var lines = [#"{"type":"response.created","response":{"id":"r"}}"#]
    for index in 0..<count {
      let place = #""output_index":\#(index),"item_id":"msg_\#(index)","content_index":0"#
      let part = #"{"type":"output_text","text":"text \#(index)"}"#
      let item = #""output_index":\#(index),"item":{"id":"msg_\#(index)","type":"message""#
      lines += [
        #"{"type":"response.output_item.added",\#(item),"content":[]}}"#,
        #"{"type":"response.content_part.added",\#(place),"part":{"type":"output_text","text":""}}"#,
        #"{"type":"response.output_text.delta",\#(place),"delta":"text \#(index)"}"#,
        #"{"type":"response.output_text.done",\#(place),"text":"text \#(index)"}"#,
        #"{"type":"response.content_part.done",\#(place),"part":\#(part)}"#,
        #"{"type":"response.output_item.done",\#(item),"content":[\#(part)]}}"#,
      ]
    }
    lines.append(#"{"type":"response.completed","response":{"id":"r","status":"completed"}}"#)
    return try folder.file("items.ndjson", lines.map { $0 + "\n" }.joined())
  }

  /// Removes a file that is not needed any more.
  func drop(_ form: SampleEvents.Form, _ megabytes: Int) {
    unlink("\(folder.path)/\(megabytes).\(form.rawValue)")
  }
}
