import Core

/// A preset that is to be saved.
struct Preset {
  /// The file's text: the members of the request, one a line.
  let text: [UInt8]
  /// The members that were left out, because they are secrets.
  let secrets: [String]

  /// The preset of `body`; what is secret in it by its name is left out.
  init(_ body: RequestBody) {
    var body = body
    secrets = SecretMembers.remove(from: &body) { _ in true }
    text = Self.lines(of: body)
  }

  private static func lines(of body: RequestBody) -> [UInt8] {
    var text: [UInt8] = [ASCII.openBrace]
    for (index, member) in body.members.enumerated() {
      text.append(index > 0 ? ",\n  " : "\n  ")
      text += JSONValue.text(member.name).line
      text.append(": ")
      member.value.write(into: &text)
    }
    text.append(body.members.isEmpty ? "}\n" : "\n}\n")
    return text
  }
}
