import Core

/// Finds words of a command line that are read in one way and were likely meant in another.
struct LikelyMeant {
  let settings: SendSettings
  let prompt: [String]
  let isFile: (String) -> Bool

  /// The way in which an option reads its value.
  private enum Reading { case id, text, file }

  /// A warning for each such word.
  var notes: [String] {
    values.compactMap { option, value, reading in
      guard let value else { return nil }
      return note(option, value, reading)
    } + outcome + prompt.compactMap(note)
  }

  /// Options whose value may be a file's name spelled wrong; the value is `nil` when none is given.
  private var values: [(option: String, value: String?, reading: Reading)] {
    let (request, input) = (settings.request, settings.input)
    // `--resume FILE` reads a file without an `@` before its name.
    let verb = settings.verb.flatMap { $0.kind.resumes ? nil : $0 }
    let edits = (request.parameters + request.edits).compactMap { edit in
      Self.readings[edit.option].map { (edit.option, edit.value?.given, $0) }
    }
    let items = input.items.map { item -> (String, String?, Reading) in
      switch item {
      case .items(let path): ("--items", path, .file)
      case .outputs(let path): ("--outputs", path, .file)
      }
    }
    return [("--previous", input.previous, .id), (verb?.option ?? "", verb?.name, .id)] + edits
      + [("-b", request.bodyPath, .file), ("-S", request.schema.path, .file)] + items
  }

  private static let readings: [String: Reading] = [
    "--instructions": .text, "--set-str": .text,
  ]

  private func note(_ option: String, _ value: String, _ reading: Reading) -> String? {
    guard reading == .file else {
      guard isFile(value) else { return nil }
      let what = reading == .id ? "read as an id" : "read as a text"
      return "\(option): \(value) is \(what); @\(value) is the file"
    }
    let file = String(value.dropFirst())
    guard value.hasPrefix("@"), !isFile(value), isFile(file) else { return nil }
    return "\(option): no file \(value) exists; name \(file) without @"
  }

  /// The warning for an outcome behind `--rehearse`, without `=` between them.
  private var outcome: [String] {
    guard settings.rehearsal?.isPlain == true, let word = prompt.first,
      Rehearsal.Outcome(rawValue: word) != nil
    else { return [] }
    return ["\(word) is read as a word of the prompt; --rehearse=\(word) plays it"]
  }

  /// The warning for a word of the prompt. A word without `.` or `/` is looked at only beside `-f`.
  private func note(_ word: String) -> String? {
    let isNamed = word.contains(".") || word.contains("/") || !settings.input.attachments.isEmpty
    let name = word.hasPrefix("@") ? String(word.dropFirst()) : word
    guard isNamed, isFile(name) else { return nil }
    return "\(word) is read as a word of the prompt; -f \(name) sends the file"
  }
}
