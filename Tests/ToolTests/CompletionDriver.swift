import Core
import Foundation
import Manuals
import ProcessSupport

/// Has a real shell complete a command line by the script that `Completions` makes.
struct CompletionDriver {
  let page: CommandPage
  let shell: Completions.Shell
  /// A directory that has one file, `my file.sse`, and in which the shell runs.
  private let directory: URL
  private let scripts: URL

  init(_ page: CommandPage, _ shell: Completions.Shell) throws {
    (self.page, self.shell) = (page, shell)
    scripts = URL(filePath: TemporaryFolder.parent).appending(path: UUID().uuidString)
    directory = scripts.appending(path: "files")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data().write(to: directory.appending(path: "my file.sse"))
    let presets = scripts.appending(path: "oresp/presets")
    try FileManager.default.createDirectory(at: presets, withIntermediateDirectories: true)
    for name in ["long.json", "terse.json", "notes.txt"] {
      try Data().write(to: presets.appending(path: name))
    }
    let script = scripts.appending(path: Completions.fileName(for: page, in: shell))
    try Data(Completions.script(for: page, in: shell).utf8).write(to: script)
  }

  private var environment: [String: String] {
    ["HOME": scripts.path, "XDG_CONFIG_HOME": scripts.path, "DEMO_MODEL": "model-one"]
  }

  func removeFiles() { try? FileManager.default.removeItem(at: scripts) }

  /// What the shell, started once, offers for the last word of each line: whole words, but behind
  /// `--name=` the value alone.
  func candidates(for lines: [String]) throws -> [Set<String>] {
    let found =
      switch shell {
      case .bash: try bash(lines)
      case .zsh: try zsh(lines)
      case .fish: try fish(lines)
      }
    return found.map { words in Set(words.map(Self.normalised).filter { !$0.isEmpty }) }
  }

  func candidates(for line: String) throws -> Set<String> { try candidates(for: [line])[0] }

  private static func normalised(_ word: String) -> String {
    var word = word.replacingOccurrences(of: "\\", with: "").trimmingCharacters(in: .whitespaces)
    if word.hasSuffix("=") { word.removeLast() }
    // Some shells give what stands before a file or a further word, too.
    if let mark = word.lastIndex(where: { "@,".contains($0) }) {
      return String(word[word.index(after: mark)...])
    }
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return word }
    return String(word[word.index(after: equals)...])
  }

  /// Where the function finds nothing, what readline makes of the last word counts.
  private func bash(_ lines: [String]) throws -> [[String]] {
    let words = try wordsCompletedByBash(lines)
    let found = try takeFound(lines.count)
    return lines.indices.map { index in
      let offered = found[index].filter { !$0.isEmpty }
      return offered.isEmpty && !lines[index].hasSuffix(" " + words[index])
        ? [words[index]] : offered
    }
  }

  /// The last word of each line after a tab. An interactive bash reads the lines from a pipe with
  /// readline, and runs them; `setup` is run before.
  func wordsCompletedByBash(_ lines: [String], setup: String = "") throws -> [String] {
    let function = "_" + page.name.replacingOccurrences(of: "-", with: "_")
    let input = """
      \(setup)
      source '\(scripts.path)/\(page.name).bash'
      report() { \(function) "$@"; printf '%s\\n' "${COMPREPLY[@]}" >>"$FOUND"; }
      complete -o default -F report \(page.name)
      \(page.name)() { printf '%s\\036' "${@: -1}" >>"$LAST"; printf '\\036\\n' >>"$FOUND"; }
      \(lines.map { $0 + "\t\n" }.joined())

      """
    let last = scripts.appending(path: "last")
    defer { try? FileManager.default.removeItem(at: last) }
    _ = try Program.run(
      "bash", ["--norc", "--noprofile", "-i"], in: directory, input: input,
      environment: environment.merging(["FOUND": found.path, "LAST": last.path]) { $1 })
    return Self.records(try String(contentsOf: last, encoding: .utf8), lines.count)
  }

  /// The file to which a shell writes what was found, with a record separator behind each line's.
  private var found: URL { scripts.appending(path: "found") }

  private func takeFound(_ count: Int) throws -> [[String]] {
    defer { try? FileManager.default.removeItem(at: found) }
    return Self.records(try String(contentsOf: found, encoding: .utf8), count).map {
      $0.split(separator: "\n").map(String.init)
    }
  }

  /// The first `count` records of `text`.
  private static func records(_ text: String, _ count: Int) -> [String] {
    let records = text.components(separatedBy: "\u{1E}")
    return (0..<count).map { $0 < records.count ? records[$0] : "no record \($0)" }
  }

  /// A zsh on a terminal of its own tells what was handed to its `compadd`.
  private func zsh(_ lines: [String]) throws -> [[String]] {
    try Data(Self.zshSetup.utf8).write(to: scripts.appending(path: ".zshrc"))
    try Data().write(to: found)
    _ = try Program.run(
      "zsh", ["-fc", Self.zshDriver, "zsh"] + lines, in: directory,
      environment: environment.merging(["ZDOTDIR": scripts.path, "FOUND": found.path]) { $1 })
    return try takeFound(lines.count)
  }

  private static let zshSetup = """
    PROMPT=
    # Many matches must not make it ask whether to show them.
    unsetopt auto_list auto_menu
    fpath=($ZDOTDIR $fpath)
    autoload -Uz compinit
    compinit -u -D
    compadd() {
      if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
        local -a hits
        builtin compadd -A hits "$@"
        print -rl -- $hits >>$FOUND
      fi
      builtin compadd "$@"
    }
    complete-and-drop() {
      zle complete-word
      print -r -- $'\\036' >>$FOUND
      zle send-break
    }
    zle -N complete-and-drop
    # Not the prompt: what is typed before the line editor has the terminal may be lost.
    zle-line-init() { print -n READY; }
    zle -N zle-line-init
    bindkey '^I' complete-and-drop

    """

  private static let zshDriver = """
    zmodload zsh/zpty
    zpty shell zsh -d -i
    for line; do
      zpty -r shell seen '*READY*'
      zpty -w -n shell "$line"$'\\t'
    done
    zpty -r shell seen '*READY*'
    zpty -d shell
    """

  private func fish(_ lines: [String]) throws -> [[String]] {
    let script = scripts.appending(path: "\(page.name).fish").path
    let each = "source $argv[1]; for line in $argv[2..]; complete -C $line; echo \\x1e; end"
    let run = try Program.run(
      "fish", ["--no-config", "-c", each, script] + lines, in: directory,
      environment: environment)
    return Self.records(run.output, lines.count).map { words in
      words.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }
  }
}
