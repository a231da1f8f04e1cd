/// Tells notices on stderr, in the form that was asked for.
package struct Notifier {
  private let tool: String
  private let settings: NoticeSettings
  private var change: (Notice) -> Notice = { $0 }

  package init(tool: String, settings: NoticeSettings) {
    self.tool = tool
    self.settings = settings
  }

  /// One that tells of each notice what `change` makes of it.
  package func changing(_ change: @escaping (Notice) -> Notice) -> Notifier {
    var other = self
    other.change = change
    return other
  }

  /// Tells `notice`, which is about `input`, if it is of a kind that is told. A stderr that cannot
  /// be written to changes nothing.
  package func tell(_ notice: Notice, about input: String? = nil) {
    guard settings.tells(notice.kind) else { return }
    let notice = change(notice)
    var line =
      settings.form == .json
      ? notice.json(tool: tool, input: input)
      : Array(notice.text(tool: tool, input: input).utf8)
    line.append(ASCII.lf)
    try? Descriptor(borrowing: 2, name: "stderr").write(line.span)
  }

  /// Tells why the tool cannot go on; a closed standard output is told to nobody.
  package func tell(_ failure: Failure) {
    if let notice = failure.notice { tell(notice) }
  }
}
