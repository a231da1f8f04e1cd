import Core

/// A fenced code block that becomes a file.
struct CodeBlock: Sendable {
  /// The rest of the line behind the opening fence.
  var info: [UInt8]
  var content: [UInt8] = []

  /// The file's name in two parts: as the block says, or else `block-` and `number`. Only the last
  /// part of a path counts, so that no name leads out of the folder.
  func fileName(_ number: Int) -> (stem: String, suffix: String) {
    let words = String(decoding: info, as: UTF8.self).split { $0.isWhitespace }
    let (language, path) = Self.parts(of: words.first ?? "")
    let named = Self.attribute(in: info) ?? path ?? words.dropFirst().first(where: Self.isPath)
    let last = named?.split { "/\\".contains($0) }.last ?? ""
    guard last.contains(where: { $0.isLetter || $0.isNumber }) else {
      return ("block-\(number)", Self.suffix(of: language))
    }
    let name = FileFolder.name(last.utf8)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }

  /// The language in `word`, the first behind a fence, as `py` or `{.py}`, and the path behind it
  /// in `py:src/a.py`.
  private static func parts(of word: Substring) -> (language: String, path: Substring?) {
    let word = word.drop { "{.".contains($0) }
    let language = word.prefix { !":{},".contains($0) }
    let rest = word[language.endIndex...]
    return (language.lowercased(), rest.first == ":" ? rest.dropFirst() : nil)
  }

  /// The value of the first attribute in `info` that names a file: `title="a.py"`, `path=a.py`.
  private static func attribute(in info: [UInt8]) -> Substring? {
    var rest = String(decoding: info, as: UTF8.self)[...]
    while let equals = rest.firstIndex(of: "=") {
      let name = rest[..<equals].split { $0.isWhitespace || "{,".contains($0) }.last ?? ""
      rest = rest[rest.index(after: equals)...]
      let quote = rest.first.flatMap { "\"'".contains($0) ? $0 : nil }
      if quote != nil { rest.removeFirst() }
      let value = rest.prefix { quote == nil ? !$0.isWhitespace && $0 != "}" : $0 != quote }
      rest = rest[value.endIndex...]
      if names.contains(name.lowercased()) { return value }
    }
    return nil
  }

  private static let names = ["title", "file", "filename", "name", "path"]

  /// Whether `word` alone names a file, as `src/a.py` does.
  private static func isPath(_ word: Substring) -> Bool {
    guard !word.contains("="), let dot = word.lastIndex(of: "."), dot != word.startIndex else {
      return false
    }
    let suffix = word[word.index(after: dot)...]
    return 1...8 ~= suffix.count && suffix.utf8.allSatisfy(ASCII.isLetterOrDigit)
      && suffix.contains { $0.isLetter }
  }

  /// The suffix of files in `language`: from the table, or else the word itself, as in `json`.
  private static func suffix(of language: String) -> String {
    let known = table.first { $0.languages.split(separator: " ").contains { $0 == language } }
    if let known { return known.suffix }
    let isSimple = 1...10 ~= language.utf8.count && language.utf8.allSatisfy(ASCII.isLetterOrDigit)
    return isSimple ? language : "txt"
  }

  /// Suffixes, and the languages that have other names.
  private static let table: [(suffix: String, languages: String)] = [
    ("adoc", "asciidoc"), ("asm", "assembly nasm"), ("bat", "batch cmd dos"), ("clj", "clojure"),
    ("cpp", "c++ cxx"), ("cs", "c# csharp"), ("erl", "erlang"), ("ex", "elixir"),
    ("f90", "fortran"),
    ("fs", "f# fsharp"), ("go", "golang"), ("hs", "haskell"), ("jl", "julia"), ("js", "javascript"),
    ("kt", "kotlin"), ("m", "matlab objectivec objective-c octave"), ("md", "markdown"),
    ("mk", "make makefile"), ("ml", "ocaml"), ("pas", "pascal"), ("pl", "perl"),
    ("ps1", "powershell pwsh"), ("proto", "protobuf"), ("py", "python python2 python3"),
    ("rb", "ruby"),
    ("rs", "rust"), ("sh", "bash fish ksh shell zsh"), ("tex", "latex"), ("tf", "hcl terraform"),
    ("ts", "typescript"), ("txt", "console plain plaintext shell-session text"), ("vb", "vbnet"),
    ("vim", "viml"), ("yaml", "yml"),
  ]
}
