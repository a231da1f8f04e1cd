import Foundation
import ProcessSupport
import Testing

/// Scripts, loops and pipelines whose standard input is none of the sender's.
@Suite(.waiting) struct UnreadInputTests {
  private static let refusal =
    "oresp-send: standard input would be lost: - sends it, "
    + "</dev/null or ORESP_NO_STDIN=1 leaves it out\n"

  /// A script, what it is given, and what is asked.
  @Test(arguments: [
    ("while read -r word; do oresp-send $word; done <words", ["a", "b", "c"], ""),
    ("cat words | while read -r word; do oresp-send $word; done", ["c"], refusal + refusal),
    ("cat words | while read -r word; do oresp-send $word </dev/null; done", ["a", "b", "c"], ""),
    ("while read -r word <&3; do oresp-send $word; done 3<words", ["a", "b", "c"], ""),
    ("xargs -n 1 oresp-send <words", ["a", "b", "c"], ""),
    ("while read -r word; do oresp-send; done <words", ["b\nc\n"], ""),
    ("printf 'oresp-send a\necho more\n' | bash", [], refusal),
    ("printf 'oresp-send a </dev/null\necho more\n' | bash", ["a"], ""),
    ("printf 'oresp-send a\n' | ORESP_NO_STDIN=1 bash", ["a"], ""),
    ("oresp-send a <words", [], refusal),
    ("oresp-send a <<<b", [], refusal),
    ("printf -v text '%70000s' b; oresp-send a <<<\"$text\"", [], refusal),
    ("echo b | oresp-send a", [], refusal), ("true | oresp-send a", ["a"], ""),
    ("(sleep 3; echo b) | oresp-send a", [], refusal),
    ("ORESP_NO_STDIN=1 oresp-send a <words", ["a"], ""),
    ("oresp-send a </dev/null", ["a"], ""), ("oresp-send a <&-", ["a"], ""),
    ("mkfifo f; exec 4<>f; cat words >f; oresp-send a <f", [], refusal),
    ("mkfifo f; cat words >f & oresp-send a - b <f", ["a\na\nb\nc\nb"], ""),
    ("cat words | oresp-send a /dev/stdin", ["a\na\nb\nc\n"], ""),
  ])
  func `what a loop or a script reads is not sent, nor taken from it`(
    script: String, inputs: [String], told: String
  ) throws {
    let sender = try Sender(.stream(SampleStream.bytes))
    let folder = try TemporaryFolder()
    _ = try folder.file("words", "a\nb\nc\n")
    let run = try ToolProcess.bash(
      "cd \(folder.path); export ORESP_MODEL=m; { \(script); } | grep -v '^[de:]' | grep .",
      environment: sender.environment)
    #expect(run.errors == told)
    #expect(sender.server.requests.compactMap { $0.json["input"] as? String } == inputs)
  }

  @Test(arguments: [
    "oresp-send -m m Explain", "oresp-send --batch jobs", "oresp-send --path /x -X POST",
    "oresp-send -m m --count-tokens Explain",
  ])
  func `no key is asked for before bytes are refused, and nothing is sent`(
    command: String
  ) throws {
    let sender = try Sender(.stream(SampleStream.bytes))
    let folder = try TemporaryFolder()
    let jobs = #"{"custom_id":"a","body":{"model":"m"}}"#
    _ = try folder.file("jobs", jobs)
    let script =
      "cd \(folder.path); \(command) --done out --log log --api-key-cmd 'touch asked' <<<bytes"
    let run = try ToolProcess.bash(
      script.replacing(command.contains("--batch") ? "" : "--done out", with: ""),
      environment: sender.environment)
    #expect(run.outcome == .exited(2))
    #expect(run.errors == Self.refusal)
    #expect(sender.server.requests.isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == ["jobs"])
  }
}
