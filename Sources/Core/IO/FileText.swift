/// The text of a file that an option names. The message on a fault has its line and column.
package struct FileText: Sendable {
  /// The name of the file in messages; empty where they name it already.
  package let name: String
  package let bytes: [UInt8]
  private let status: ExitStatus

  /// `bytes` are the contents of the file `name`. A fault in them has `status`: wrong usage, but
  /// invalid input for standard input.
  package init(_ bytes: [UInt8], name: String, status: ExitStatus = .usage) {
    (self.bytes, self.name, self.status) = (bytes, name, status)
  }

  /// Reads the file at `path`.
  package init(reading path: String) throws(Failure) {
    self.init(try Descriptor(reading: path).readAll(), name: path)
  }

  /// Checks that the bytes are one JSON value in UTF-8.
  package func checkJSON() throws(Failure) {
    if let place = UTF8Repair.firstFault(in: bytes.span) { throw fault("not UTF-8", at: place) }
    var scan = JSONScan()
    if let expected = scan.fault(in: bytes.span) {
      throw fault("not JSON: \(expected)", at: scan.position)
    }
  }

  /// A member of a JSON object in the file: its name, and where its name and its value stand.
  package typealias Member = (name: String, place: Int, value: Range<Int>)

  /// The members of the JSON object at `start`, or of the whole file; `expected` is the message
  /// where something else stands. The file must be JSON.
  package func members(_ expected: String, at start: Int? = nil) throws(Failure) -> [Member] {
    let text = bytes.span
    let start = start ?? text.trimmed().lowerBound
    guard text[start] == ASCII.openBrace else { throw fault(expected, at: start) }
    var found: [Member] = []
    var members = JSONChildren(at: start)
    while let member = members.next(in: text) {
      let name = JSONString.text(inside: text.extracting(member.name))
      found.append((name, member.name.lowerBound, member.value))
    }
    return found
  }

  /// The failure for a fault, `why`, at the byte with the index `place`; `nil` when the whole file
  /// is at fault.
  package func fault(_ why: String, at place: Int? = nil) -> Failure {
    let name = name.isEmpty ? "" : name + ": "
    guard let place else { return .other(name + why, status) }
    let before = bytes[..<min(place, bytes.count)]
    let line = before.count { $0 == ASCII.lf } + 1
    let start = before.lastIndex(of: ASCII.lf).map { $0 + 1 } ?? 0
    let column = bytes.span.extracting(start..<before.count).nextColumn
    return .other("\(name)line \(line), column \(column): \(why)", status)
  }
}
