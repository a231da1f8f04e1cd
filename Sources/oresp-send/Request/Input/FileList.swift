import Core

/// Names of files with a NUL behind each, as `find -print0` prints them.
enum FileList {
  /// The names in `text`; `path` is where it is from.
  static func names(in text: [UInt8], path: String) throws(Failure) -> [String] {
    let source = RequestBuilder.Sources.name(of: path)
    var parts = text.split(separator: 0, omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    var names: [String] = []
    for (index, part) in parts.enumerated() {
      let place = "\(source): name \(index + 1)"
      guard !part.isEmpty else { throw .other("\(place): empty", .badInput) }
      guard UTF8Repair.isValid(Array(part).span) else {
        throw .other("\(place): not UTF-8", .badInput)
      }
      let name = String(decoding: part, as: UTF8.self)
      guard name != "-" || path != "-" else {
        throw .usage("\(place): - cannot be standard input, which the names come from")
      }
      names.append(name)
    }
    return names
  }
}
