import Core

extension ToolKind {
  /// The kinds of tools that have a short form. A new kind is a row.
  static let table: [ToolKind] = [
    .init(
      type: "web_search", form: "web_search", help: "search the web",
      members: [
        .init("domains", at: "filters.allowed_domains", .list, "search these domains only"),
        .init("block", at: "filters.blocked_domains", .list, "leave these domains out"),
        .init(
          "live", at: "external_web_access", .flag, "search live pages; with false, an index only"),
        .init(
          "size", at: "search_context_size", .open(["low", "medium", "high"]),
          "how much context the search may use"),
        .init(
          "sources", at: "", .tag, "list the consulted sources in the answer",
          including: "web_search_call.action.sources"),
        .init("country", at: "user_location.country", .text, "two letters, such as DE"),
        .init("city", at: "user_location.city", .text, "a city"),
      ], defaults: [("user_location", ["type": "approximate"])]),
    .init(
      type: "file_search", form: "file_search=ID[,ID...]", help: "search vector stores",
      values: [.init("stores", at: "vector_store_ids", .list, "the stores")],
      members: [
        .init("max", at: "max_num_results", .literal("N"), "the highest number of results"),
        .init("filter", at: "filters", .json, "a filter on the attributes of files"),
        .init(
          "score", at: "ranking_options.score_threshold", .literal("N"),
          "drop results below this score"),
      ], neededExample: "vs_1"),
    .init(
      type: "code_interpreter", form: "code_interpreter[=CONTAINER]",
      help: "run Python in a container",
      values: [.init("container", .id, "one that is there")], members: container("container"),
      defaults: [("", ["container": ["type": "auto"]])] + containerTypes("container", "auto")),
    .init(
      type: "image_generation", form: "image_generation", help: "draw and change images",
      members: [
        .init("quality", .open(["low", "medium", "high", "auto"]), "how well it is drawn"),
        .init("size", .word, "the size, such as 1024x1536, or auto"),
        .init("format", at: "output_format", .open(["png", "webp", "jpeg"]), "the file's format"),
        .init("partial", at: "partial_images", .literal("N"), "how many drafts to stream"),
      ]),
    .init(
      type: "mcp", form: "mcp=LABEL[@URL]", help: "the tools of an MCP server",
      values: [
        .init("label", at: "server_label", .word, "what the model calls it"),
        .init("url", at: "server_url", .word, "where the server is"),
      ],
      members: [
        .init("connector", at: "connector_id", .word, "a connector in place of a URL"),
        .init("description", at: "server_description", .text, "what it is for"),
        .init("allow", at: "allowed_tools", .list, "these tools only"),
        .init(
          "approval", at: "require_approval", .open(["always", "never"]),
          "whether to ask before each call"),
        .init("auth-env", at: "authorization", .variable, "the variable that has the token"),
        .init("auth-file", at: "authorization", .file, "the file that has the token"),
        .init(
          "header-env", at: "headers", .variableMember, "a header with its value from a variable"),
      ], neededExample: "docs@https://mcp.example.com"),
    .init(
      type: "shell", form: "shell[=CONTAINER]", help: "run commands in a container or on your side",
      values: [
        .init(
          "container", at: "environment.container_id", .id, "one that is there",
          with: ("environment.type", "container_reference"))
      ],
      members: [
        .init(
          "hosted", at: "", .tag, "in a new container", with: ("environment.type", "container_auto")
        ),
        .init("local", at: "", .tag, "on your side", with: ("environment.type", "local")),
      ] + container("environment"), defaults: containerTypes("environment", "container_auto")),
    .init(
      type: "computer", form: "computer", help: "use a screen that you show and control"),
    .init(
      type: "function", form: "function=NAME[@FILE]", help: "call a function of yours",
      values: [
        .init("name", .word, "its name"),
        .init("parameters", at: "", .definition, "the JSON Schema of its parameters, or all of it"),
      ],
      members: [
        .init("description", .text, "what it does"), .init("strict", .flag, "keep to the schema"),
      ], defaults: [("", ["parameters": .null, "strict": .null])]),
    .init(
      type: "custom", form: "custom=NAME", help: "call a tool of yours that takes text",
      values: [.init("name", .word, "its name")],
      members: [
        .init("description", .text, "what it does"), grammar("lark"), grammar("regex"),
      ]),
    .init(
      type: "apply_patch", form: "apply_patch", help: "change files by patches that you apply"),
  ]
}

/// Members that several kinds of tools have.
extension ToolKind {
  private static func grammar(_ syntax: String) -> Member {
    .init(
      syntax, at: "format.definition", .text, "text of this grammar (@FILE)",
      with: ("format.type", "grammar"), ("format.syntax", syntax))
  }

  /// The members of a new container, which is the tool's member `name`.
  private static func container(_ name: String) -> [Member] {
    let policy = name + ".network_policy"
    return [
      .init("files", at: name + ".file_ids", .list, "files to put into it"),
      .init(
        "memory", at: name + ".memory_limit", .open(["1g", "4g", "16g", "64g"]),
        "how much memory it has"),
      .init(
        "offline", at: "", .tag, "without network access", with: (policy + ".type", "disabled")),
      .init(
        "domains", at: policy + ".allowed_domains", .list, "with access to these domains only"),
    ]
  }

  /// The types of the container in the member `name`, by default `type`, and of its network policy.
  private static func containerTypes(
    _ name: String, _ type: String
  ) -> [(path: String, members: JSONValue)] {
    [(name, ["type": .text(type)]), (name + ".network_policy", ["type": "allowlist"])]
  }
}
