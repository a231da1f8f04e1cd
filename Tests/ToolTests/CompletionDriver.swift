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
    ["XDG_CONFIG_HOME": scripts.path, "DEMO_MODEL": "model-one"]
  }

  func removeFiles() { try? FileManager.default.removeItem(at: scripts) }

  /// What the shell offers for the last word of `line`: whole words, but behind `--name=` the value
  /// alone.
  func candidates(for line: String) throws -> Set<String> {
    let found =
      switch shell {
      case .bash: try bash(line)
      case .zsh: try zsh(line)
      case .fish: try fish(line)
      }
    return Set(found.map(Self.normalised).filter { !$0.isEmpty })
  }

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
  private func bash(_ line: String) throws -> [String] {
    let word = try wordCompletedByBash(line)
    let offered = try takeFound().filter { !$0.isEmpty }
    return offered.isEmpty && !line.hasSuffix(" " + word) ? [word] : offered
  }

  /// The last word of `line` after a tab. An interactive bash reads the line from a pipe with
  /// readline, and runs it; `setup` is run before.
  func wordCompletedByBash(_ line: String, setup: String = "") throws -> String {
    let function = "_" + page.name.replacingOccurrences(of: "-", with: "_")
    let input = """
      \(setup)
      source '\(scripts.path)/\(page.name).bash'
      report() { \(function) "$@"; printf '%s\\n' "${COMPREPLY[@]}" >>"$FOUND"; }
      complete -o default -F report \(page.name)
      \(page.name)() { printf '%s' "${@: -1}" >"$LAST"; }
      \(line)\t

      """
    let last = scripts.appending(path: "last")
    _ = try Program.run(
      "bash", ["--norc", "--noprofile", "-i"], in: directory, input: input,
      environment: environment.merging(["FOUND": found.path, "LAST": last.path]) { $1 })
    return try String(contentsOf: last, encoding: .utf8)
  }

  /// The file to which a shell writes what was found.
  private var found: URL { scripts.appending(path: "found") }

  private func takeFound() throws -> [String] {
    defer { try? FileManager.default.removeItem(at: found) }
    return try String(contentsOf: found, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// A zsh on a terminal of its own tells what was handed to its `compadd`.
  private func zsh(_ line: String) throws -> [String] {
    try Data(Self.zshSetup.utf8).write(to: scripts.appending(path: ".zshrc"))
    try Data().write(to: found)
    _ = try Program.run(
      "zsh", ["-fc", Self.zshDriver, "zsh", line], in: directory,
      environment: environment.merging(["ZDOTDIR": scripts.path, "FOUND": found.path]) { $1 })
    return try takeFound()
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
    complete-and-exit() {
      zle complete-word
      exit
    }
    zle -N complete-and-exit
    # Not the prompt: what is typed before the line editor has the terminal may be lost.
    zle-line-init() { print -n READY; }
    zle -N zle-line-init
    bindkey '^I' complete-and-exit

    """

  private static let zshDriver = """
    zmodload zsh/zpty
    zpty shell zsh -d -i
    zpty -r shell seen '*READY*'
    zpty -w -n shell "$1"$'\\t'
    while zpty -r shell seen; do :; done
    """

  private func fish(_ line: String) throws -> [String] {
    let script = scripts.appending(path: "\(page.name).fish").path
    let run = try Program.run(
      "fish", ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, line],
      in: directory, environment: environment)
    return run.output.split(separator: "\n").map { line in
      line.split(separator: "\t").first.map(String.init) ?? ""
    }
  }
}
