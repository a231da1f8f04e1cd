/// The folder that files are written into, and the names in it that this run has used.
package struct FileFolder {
  private let path: String
  private let replaces: Bool
  private var used: Set<String> = []
  /// The number for the next file of a name that is used, or a lower one.
  private var next: [String: Int] = [:]

  /// Makes the folder at `path`, and the folders around it, where they are missing. With `replaces`
  /// existing files are replaced.
  package init(_ path: String, replaces: Bool) throws(Failure) {
    try Folder.make(path)
    self.path = path.hasSuffix("/") ? path : path + "/"
    self.replaces = replaces
  }

  /// Creates the file `stem.fileExtension`, or `stem` where the extension is empty; where this run
  /// has made one of that name, `stem-2`, and so on.
  package mutating func create(_ stem: String, _ fileExtension: String) throws(Failure) -> NewFile {
    let suffix = fileExtension.isEmpty ? "" : "." + fileExtension
    var name = stem + suffix
    let first = name.lowercased()
    var number = next[first] ?? 2
    while !used.insert(name.lowercased()).inserted {
      name = "\(stem)-\(number)\(suffix)"
      number += 1
      next[first] = number
    }
    return try NewFile(at: path + name, existing: replaces ? .replaceItself : .keep)
  }

  /// `text` as a file's name that cannot lead out of its folder, nor look like an option: letters,
  /// digits, `_` and inner `-` and dots of ASCII stay, anything else becomes `_`; 100 characters at
  /// most.
  package static func name(_ text: some Sequence<UInt8>) -> String {
    var name: [UInt8] = []
    for byte in text.prefix(100) {
      let isKept =
        ASCII.isLetterOrDigit(byte)
        || [ASCII.minus, ASCII.point].contains(byte) && !name.isEmpty
      name.append(isKept ? byte : UInt8(ascii: "_"))
    }
    return String(decoding: name, as: UTF8.self)
  }
}
