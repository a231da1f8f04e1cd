import Core

extension EventsTool {
  /// Options of other programs for work that this tool, or another of the toolkit, can do.
  static let elsewhere: [NameElsewhere] = [
    .init("--filter --select --grep --event --event-type", "-t GLOB selects events by type"),
    .init("--exclude --invert --invert-match --not", "-T GLOB drops events by type"),
    .init("--limit --head --max -n", "-m N prints at most N events"),
    .init("--n --choice", "-m N prints at most N events, --nth N selects one response"),
    .init(
      "--lines", "the output is one event a line; -m N prints at most N, and -c counts them"),
    .init("--count-by-type --histogram --summary", "--stats counts the events of each type"),
    .init("--validate --lint --verify", "--check reports what is wrong with a stream"),
    .init("--tokens", "--usage prints the tokens of each response"),
    .init(
      "--price --pricing --budget", "--cost with --prices FILE prints what each response costs"),
    .init("--rebuild --reassemble --assemble --final --object", "-R prints the Response object"),
    .init("--tools --tool-calls --functions --function-calls", "--calls prints the calls of tools"),
    .init(
      "--waterfall --gantt --chart --svg",
      "--timeline draws the items over time, --timeline=svg as a picture"),
    .init(
      "--color --colour --colors --no-color",
      "bars have colours on a terminal, unless NO_COLOR is set"),
    .init("--label", "oresp-text --label prints the text of each response under its name"),
    .init("--delta --deltas", "-t output_text.delta prints the pieces of text"),
    .init("--stamp --tag --number --from", "oresp-sse has this option: put it in front"),
    .init("--progress", "--status reports progress"),
    .init(
      "--status-text --wording --labels",
      "--status=json gives each state with its facts, which jq puts into other words"),
    .init("--replay --speed", "--pace[=X] replays with the recorded timing"),
    .init("--join --concat", "--merge joins the parts of a stream"),
    .init(
      "--sources --links", "--citations prints sources as JSON, oresp-text --sources as text"),
    .init("--footnotes", "oresp-text -c footnotes prints the text and its sources"),
    .init("--json-schema --schema", "oresp-text -S FILE checks the answer by a schema"),
    .init("--list", "--types lists the types of events"),
    .init(
      "--time --times --timestamps",
      "oresp-sse --stamp adds the time of each event; --stats and --timeline read it"),
    .init(
      "--strip-prefix", "sed 's/^[^{]*//' takes a prefix off each line of JSON"),
    .init("--text --plain", "oresp-text prints the text"),
    .init("--sse --reverse -r", "oresp-sse -r prints an event stream"),
    .init("--pretty --indent", "oresp-events --exact ... | jq . prints each event on many lines"),
    .init(
      "--csv --tsv --table",
      "jq makes a table: oresp-events --usage | jq -r '[.model, .usage.total_tokens] | @csv'"),
    .init(
      "--json --jsonl --ndjson --raw --raw-output",
      "the output is one event a line, as JSON; --check=json reports as JSON"),
    .init("--follow -f", "tail -n +1 -f FILE | oresp-events --until-end follows a file"),
    .init("--output -o", "a shell writes to a file: oresp-events >FILE"),
  ]
}
