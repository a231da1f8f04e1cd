import Core

/// What was likely meant by words of a command line that are taken as they stand.
struct LikelyMeant {
  private let settings: SendSettings
  private let prompt: [String]
  private let isFile: (String) -> Bool

  init(_ settings: SendSettings, _ prompt: [String], isFile: @escaping (String) -> Bool) {
    (self.settings, self.prompt, self.isFile) = (settings, prompt, isFile)
  }

  /// What is told of them, one of each.
  var notes: [String] {
    let ids = ([("--previous", settings.input.previous), verb] + conversations).compactMap {
      option, id in
      id.flatMap { isFile($0) ? "\(option): \($0) is read as an id; @\($0) is the file" : nil }
    }
    let taken = texts.compactMap { option, text in
      isFile(text) ? "\(option): \(text) is taken as a text; @\(text) is the file" : nil
    }
    return ids + taken + templates + files.compactMap(note(_:_:)) + prompt.compactMap(note)
  }

  private var templates: [String] {
    settings.request.parameters.filter { $0.option == "--prompt" }.compactMap { edit in
      guard case .given(let value)? = edit.source, let id = value.opened["id"]?.text,
        !id.hasPrefix("pmpt_")
      else { return nil }
      return "--prompt: the id of a stored prompt begins with pmpt_, got \(id); "
        + "a prompt in words stands after the options"
    }
  }

  /// The id of `--resume` may be a file's name without more ado.
  private var verb: (String, String?) {
    (settings.verb?.option ?? "", settings.verb?.kind.resumes == true ? nil : settings.verb?.name)
  }

  private var conversations: [(String, String?)] {
    settings.request.parameters.filter { $0.option == "--conversation" }.map {
      ($0.option, $0.source?.given)
    }
  }

  /// The texts of options that take `@FILE` as well.
  private var texts: [(option: String, text: String)] {
    let edits = settings.request.parameters + settings.request.edits
    let named = edits.filter { ["--instructions", "--var", "--set-str"].contains($0.option) }
      .map { ($0.option, $0.source) }
    let outputs = settings.input.items.compactMap { item -> (String, ValueSource?)? in
      if case .output(_, let source) = item { ("--tool-output", source) } else { nil }
    }
    return (named + outputs).compactMap { option, source in
      source?.given.map { (option, $0) }
    }
  }

  /// The files of options that take nothing else.
  private var files: [(option: String, name: String)] {
    [("-b", settings.request.bodyPath), ("-S", settings.request.schema.path)]
      .compactMap { option, name in name.map { (option, $0) } }
      + settings.input.attachments.filter(\.isList).map { ("--files0-from", $0.name) }
      + settings.input.items.compactMap { item in
        switch item {
        case .items(let path): ("--items", path)
        case .outputs(let path): ("--outputs", path)
        case .output: nil
        }
      }
  }

  /// What is told of a file that has an `@` before its name, as other options have it.
  private func note(_ option: String, _ name: String) -> String? {
    let file = String(name.dropFirst())
    guard name.hasPrefix("@"), !isFile(name), isFile(file) else { return nil }
    return "\(option): no \(name) is there; \(file) is the file, named without @"
  }

  /// What is told of a word of the prompt. A word that could be any is only told of beside files.
  private func note(_ word: String) -> String? {
    let isNamed = word.contains(".") || word.contains("/") || !settings.input.attachments.isEmpty
    let name = word.hasPrefix("@") ? String(word.dropFirst()) : word
    guard isNamed, isFile(name) else { return nil }
    return "\(word) is taken as a word of the prompt; -f \(name) sends the file"
  }
}
