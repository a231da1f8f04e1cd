import Core

extension ToolKind {
  /// The kinds of tools that have a short form. A new kind is a row.
  static let table: [ToolKind] = [
    .init(
      name: "web_search", others: ["web_search_2025_08_26"], help: "search the web",
      options: [
        .init("domains", at: "filters.allowed_domains", .list, "search these domains only"),
        .init("block", at: "filters.blocked_domains", .list, "leave these domains out"),
        .init(
          "live", at: "external_web_access", .flag, "search live pages; with false, an index only"),
        searchSize, sources,
      ] + location, choice: .amongOthers),
    .init(
      name: "file_search", help: "search vector stores",
      values: [
        .init(
          "stores", at: "vector_store_ids", .ids, "the stores", isRequired: true)
      ],
      options: [
        .init("max", at: "max_num_results", .integer, "the highest number of results"),
        .init("filter", at: "filters", .json, "a filter on the attributes of files"),
        .init(
          "ranker", at: "ranking_options.ranker", .open(["auto", "default-2024-11-15"]),
          "how results are ranked"),
        .init(
          "score", at: "ranking_options.score_threshold", .number, "drop results below this score"),
        .init(
          "embedding-weight", at: "ranking_options.hybrid_search.embedding_weight",
          .number, "the weight of the meaning"),
        .init(
          "text-weight", at: "ranking_options.hybrid_search.text_weight", .number,
          "the weight of the words"),
      ], together: ["embedding-weight", "text-weight"], choice: .alone),
    .init(
      name: "code_interpreter", help: "run Python in a container",
      values: [.init("container", .id, "one that is there")],
      options: container("container", "auto") + [callers],
      defaults: [("container", ["type": "auto"])], choice: .alone),
    .init(
      name: "image_generation", help: "draw and change images",
      options: [
        .init("model", .word, "the model that draws"),
        .init("quality", .open(["low", "medium", "high", "auto"]), "how well it is drawn"),
        .init("size", .word, "the size, such as 1024x1536, or auto"),
        .init("format", at: "output_format", .open(["png", "webp", "jpeg"]), "the file's format"),
        .init("compression", at: "output_compression", .integer, "for webp and jpeg"),
        .init("moderation", .open(["auto", "low"]), "how strict"),
        .init(
          "background", .open(["transparent", "opaque", "auto"]),
          "transparent goes with png and webp"),
        .init(
          "fidelity", at: "input_fidelity", .open(["high", "low"]), "how close to input images"),
        .init("mask", at: "input_image_mask.file_id", .word, "a mask by its file id"),
        .init("mask-url", at: "input_image_mask.image_url", .text, "a mask by its URL"),
        .init("partial", at: "partial_images", .integer, "how many drafts to stream"),
        .init("action", .open(["generate", "edit", "auto"]), "draw a new image, or change one"),
      ], choice: .alone),
    .init(
      name: "mcp", help: "the tools of an MCP server",
      values: [
        .init("label", at: "server_label", .word, "what the model calls it", isRequired: true),
        .init("url", at: "server_url", .url, "where the server is"),
      ],
      options: [
        .init(
          "connector", at: "connector_id",
          .open([
            "connector_dropbox", "connector_gmail", "connector_googlecalendar",
            "connector_googledrive", "connector_microsoftteams", "connector_outlookcalendar",
            "connector_outlookemail", "connector_sharepoint",
          ]), "a connector in place of a URL, for older models"),
        .init("tunnel", at: "tunnel_id", .word, "a tunnel in place of a URL"),
        .init("description", at: "server_description", .text, "what it is for"),
        .init("allow", at: "allowed_tools", .list, "these tools only"),
        .init(
          "allow-names", at: "allowed_tools.tool_names", .list,
          "the same, to use with allow-read-only"),
        .init(
          "allow-read-only", at: "allowed_tools.read_only", .flag, "only tools that change nothing"),
        .init(
          "approval", at: "require_approval", .open(["always", "never"]),
          "whether to ask before each call"),
        .init("ask", at: "require_approval.always.tool_names", .list, "ask before these tools"),
        .init(
          "ask-read-only", at: "require_approval.always.read_only", .flag,
          "ask before tools that change nothing"),
        .init(
          "trust", at: "require_approval.never.tool_names", .list, "do not ask before these tools"),
        .init(
          "trust-read-only", at: "require_approval.never.read_only", .flag,
          "do not ask before tools that change nothing"),
        .init("auth-env", at: "authorization", .secretVariable, "the variable that has the token"),
        .init(
          "auth-file", at: "authorization", .file(isSecret: true), "the file that has the token"),
        .init(
          "header-env", at: "headers", .secretMember, "a header with its value from a variable"),
        deferred, callers,
      ], exactlyOne: ["url", "connector", "tunnel"]),
    .init(
      name: "shell", help: "run commands in a container or on your side",
      values: [
        .init(
          "container", at: "environment.container_id", .id, "one that is there",
          implying: ("environment.type", "container_reference"))
      ],
      options: [
        .init(
          "hosted", at: "", .tag, "in a new container",
          implying: ("environment.type", "container_auto")
        ),
        .init("local", at: "", .tag, "on your side", implying: ("environment.type", "local")),
      ] + container("environment", "container_auto") + [
        .init(
          "skills", at: "environment.skills", .skills, "skills for the container",
          implying: ("environment.type", "container_auto")),
        .init(
          "local-skills", at: "environment.skills", .json, "an array of skills that you have",
          implying: ("environment.type", "local")),
        callers,
      ], choice: .alone),
    .init(
      name: "computer", help: "use a screen that you show and control", choice: .alone),
    .init(
      name: "function", help: "call a function of yours",
      values: [
        .init("name", .word, "its name", isRequired: true),
        .init("parameters", .file(isJSON: true), "the JSON Schema of its parameters, or all of it"),
      ],
      options: [
        .init("description", .text, "what it does"),
        .init("strict", .flag, "keep to the schema"),
        .init("output", at: "output_schema", .json, "the JSON Schema of its result"),
        deferred, callers, later,
      ], defaults: [("parameters", .null), ("strict", .null)], definition: "parameters"),
    .init(
      name: "custom", help: "call a tool of yours that takes text",
      values: [.init("name", .word, "its name", isRequired: true)],
      options: [
        .init("description", .text, "what it does"),
        .init("text", at: "", .tag, "any text", implying: ("format.type", "text")),
        grammar("lark"), grammar("regex"), deferred, callers, later,
      ], choice: .amongOthers),
    .init(
      name: "apply_patch", help: "change files by patches that you apply", options: [callers],
      choice: .alone),
  ]
}

/// Options that several kinds of tools have.
extension ToolKind {
  static let searchSize = ToolOption(
    "size", at: "search_context_size", .open(["low", "medium", "high"]),
    "how much context the search may use")

  static let sources = ToolOption(
    "sources", at: "", .tag, "list the consulted sources in the answer",
    including: "web_search_call.action.sources")

  static let location: [ToolOption] = [
    place("country", "two letters, such as DE"), place("region", "a state or a district"),
    place("city", "a city"), place("timezone", "such as Europe/Berlin"),
  ]

  static let callers = ToolOption(
    "callers", at: "allowed_callers", .list, "who may call it: direct, programmatic")

  static let deferred = ToolOption(
    "defer", at: "defer_loading", .flag, "hidden until tool_search finds it")

  static let later = ToolOption("async", .flag, "its result may come with a later request")

  private static func place(_ name: String, _ help: String) -> ToolOption {
    ToolOption(
      name, at: "user_location.\(name)", .text, help,
      implying: ("user_location.type", "approximate"))
  }

  static func grammar(_ syntax: String) -> ToolOption {
    .init(
      syntax, at: "format.definition", .text, "text of this grammar (@FILE)",
      implying: ("format.type", "grammar"), ("format.syntax", syntax))
  }

  /// The options of a new container, which is the member `member`, an object of type `type`.
  static func container(_ member: String, _ type: String) -> [ToolOption] {
    let isNew = (path: "\(member).type", word: type)
    let policy = "\(member).network_policy"
    let isListed = (path: "\(policy).type", word: "allowlist")
    return [
      .init(
        "files", at: "\(member).file_ids", .ids, "files to put into it",
        implying: isNew),
      .init(
        "memory", at: "\(member).memory_limit", .open(["1g", "4g", "16g", "64g"]),
        "how much memory it has", implying: isNew),
      .init(
        "offline", at: "", .tag, "without network access", implying: isNew,
        (policy + ".type", "disabled")),
      .init(
        "domains", at: "\(policy).allowed_domains", .list, "with access to these domains only",
        implying: isNew, isListed),
      .init(
        "domain-secrets", at: "\(policy).domain_secrets", .file(isJSON: true, isSecret: true),
        "a file with an array of secrets for them", implying: isNew, isListed),
    ]
  }
}
