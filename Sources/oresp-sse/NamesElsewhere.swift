import Core

extension SSETool {
  /// Names that other programs have for what this tool, or another of the toolkit, can do.
  static let elsewhere: [NameElsewhere] = [
    .init(
      "--json --ndjson --jsonl --decode --to",
      "the output without -r is one event a line, as JSON"),
    .init("--sse --encode", "-r prints an event stream"),
    .init("--timestamp --timestamps --time --ts", "--stamp adds the time of each event"),
    .init("--raw --data --data-only", "--envelope keeps the data of any event stream as it is"),
    .init("--chat --chat-completions", "Chat Completions are known by themselves"),
    .init("--validate --lint --strict", "--check reports faults"),
    .init("--type --event --filter --select -t", "oresp-events -t GLOB selects events"),
    .init("--merge --join", "oresp-events --merge joins the parts of a stream"),
    .init(
      "--timeline --svg --stats --count-by-type --reassemble --response --items --calls --usage",
      "oresp-events draws, counts and rebuilds: see its --help"),
    .init("--split", "oresp-events --split DIR writes a file for each response"),
    .init("--replay --pace --speed", "oresp-events --pace replays a stream with stamps"),
    .init("--progress --status", "oresp-events --status shows the progress"),
    .init("--lines", "the output is one event a line; head -n N prints the first N"),
    .init("--list", "oresp-events --types lists the types of events"),
    .init(
      "--strip-prefix", "sed 's/^[^{]*//' takes a prefix off each line of JSON"),
    .init("--text --plain", "oresp-text prints the text"),
    .init(
      "--choice --choices --n", "each choice is a response of its own: oresp-events --nth N"),
    .init("--comment --comments", "grep '^:' prints the comments of an event stream"),
    .init("--silent", "-q reports errors only"),
    .init("--follow -f", "tail -n +1 -f FILE | oresp-sse --until-end follows a file"),
    .init("--output -o", "a shell writes to a file: oresp-sse >FILE"),
  ]
}
