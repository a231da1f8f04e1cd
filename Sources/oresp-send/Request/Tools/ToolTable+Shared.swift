import Core

/// Options that several kinds of tools have.
extension ToolKind {
  static let searchSize = ToolOption(
    "size", "search_context_size", .open(["low", "medium", "high"]), "how much of it is read")

  static let location: [ToolOption] = [
    place("country", "two letters, such as DE"), place("region", "a state or a district"),
    place("city", "a city"), place("timezone", "such as Europe/Berlin"),
  ]

  static let callers = ToolOption(
    "callers", "allowed_callers", .list(most: nil), "who calls it: direct, programmatic")

  static let deferred = ToolOption(
    "defer", "defer_loading", .flag, "hidden until tool_search finds it")

  static let later = ToolOption(
    "async", "async", .flag, "its result may come with a later request")

  private static func place(_ name: String, _ help: String) -> ToolOption {
    ToolOption(
      name, "user_location.\(name)", .text, help, also: ("user_location.type", "approximate"))
  }

  static func grammar(_ syntax: String) -> ToolOption {
    ToolOption(
      syntax, "format.definition", .text, "text of this grammar (@FILE)",
      also: ("format.type", "grammar"), ("format.syntax", syntax))
  }

  /// The options of a new container, whose object is the member `member` and of type `type`.
  static func container(_ member: String, _ type: String) -> [ToolOption] {
    let isNew = (path: "\(member).type", word: type)
    let policy = "\(member).network_policy"
    let isListed = (path: "\(policy).type", word: "allowlist")
    return [
      ToolOption(
        "files", "\(member).file_ids", .list(most: 50), "files put into it", also: isNew),
      ToolOption(
        "memory", "\(member).memory_limit", .open(["1g", "4g", "16g", "64g"]),
        "how much it has", also: isNew),
      ToolOption(
        "offline", "", .tag, "without network", also: isNew, (policy + ".type", "disabled")),
      ToolOption(
        "domains", "\(policy).allowed_domains", .list(most: nil), "with these domains only",
        also: isNew, isListed),
      ToolOption(
        "domain-secrets", "\(policy).domain_secrets", .secretJSONFile,
        "a file with an array of secrets for them", also: isNew, isListed),
    ]
  }
}
