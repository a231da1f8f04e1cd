import Core

extension TextTool {
  /// Options of other programs, each with the way to do the same here.
  static let elsewhere: [NameElsewhere] = [
    .init("--text --raw --raw-output --plain -r", "the text is printed as it is"),
    .init(
      "--markdown --md --html",
      "the text is printed as the model wrote it; -c markdown makes links of citations"),
    .init(
      "--code --code-block --xl", "-x prints the code blocks; with --files DIR it writes files"),
    .init("--thinking --think", "--reasoning prints the reasoning, too"),
    .init("--image --images --audio --save", "--files DIR saves images and audio"),
    .init("--links --references --annotations", "-c footnotes lists the sources"),
    .init(
      "--format --output-format --response-format",
      "-j is for JSON, -S FILE for a schema, -c STYLE for citations"),
    .init("--usage --cost --tokens", "oresp-events --usage and --cost print them"),
    .init("--json-schema", "-S FILE prints only JSON that meets the schema in FILE"),
    .init("--footnotes", "-c footnotes marks the citations and lists the sources"),
    .init(
      "--wrap --width --columns --fold", "oresp-text ... | fmt -s -w 80 breaks long lines"),
    .init("--lines --head", "oresp-text ... | head -n N prints the first N lines"),
    .init(
      "--n --nth --choice",
      "oresp-events --nth N selects one response of several, --message N one message"),
    .init("--list", "-c help lists the styles, and --help=all all options"),
    .init("--time --timing", "oresp-events --stats prints the times of a stream with stamps"),
    .init(
      "--strip-prefix", "sed 's/^[^{]*//' takes a prefix off each line of JSON"),
    .init(
      "--timeline --svg --stats --merge --split --pace --replay --check",
      "oresp-events draws, counts, joins, splits, replays and checks: see its --help"),
    .init("--status --progress", "oresp-events --status reports progress"),
    .init(
      "--model --prompt --input -m -s",
      "oresp-send sends a request, and oresp-text reads its answer"),
    .init("--append --tee", "a shell appends to a file: >>FILE; tee FILE writes it, too"),
    .init("--phase", "--commentary prints messages that are marked as commentary, too"),
    .init("--silent", "-q reports errors only"),
    .init("--follow -f", "tail -n +1 -f FILE | oresp-text --until-end follows a file"),
  ]
}
