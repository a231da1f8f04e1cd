import Core

extension ToolKind {
  /// Every kind of tool that the API has, and those of other servers that go by its form.
  static let table: [ToolKind] = hosted + yours + searching

  private static let hosted: [ToolKind] = [
    ToolKind(
      "web_search", others: ["web_search_2025_08_26"], "search the web", .none,
      [
        ToolOption(
          "domains", "filters.allowed_domains", .list(most: nil), "search these domains only"),
        ToolOption(
          "block", "filters.blocked_domains", .list(most: nil), "leave these domains out"),
        ToolOption(
          "live", "external_web_access", .flag, "search live pages; with false, an index only"),
        searchSize,
      ] + location + [
        ToolOption("allowed_domains", "allowed_domains", .list(most: 5), "as xAI has it"),
        ToolOption("excluded_domains", "excluded_domains", .list(most: 5), "as xAI has it"),
        ToolOption(
          "enable_image_understanding", "enable_image_understanding", .flag, "as xAI has it"),
      ]),
    ToolKind(
      "web_search_preview", others: ["web_search_preview_2025_03_11"],
      "search the web, as it was before", .none,
      [
        searchSize,
        ToolOption(
          "content", "search_content_types", .list(most: nil), "what is searched: text, image"),
      ] + location),
    ToolKind(
      "file_search", "search vector stores",
      .single(
        ToolOption(
          "stores", "vector_store_ids", .list(most: nil), "the stores", isRequired: true)),
      [
        ToolOption("max", "max_num_results", .integer(1...50), "find so many at most"),
        ToolOption("filter", "filters", .json, "a filter on the attributes of files"),
        ToolOption(
          "ranker", "ranking_options.ranker", .open(["auto", "default-2024-11-15"]),
          "how results are ranked"),
        ToolOption(
          "score", "ranking_options.score_threshold", .number(0...1),
          "drop results below this score"),
        ToolOption(
          "embedding-weight", "ranking_options.hybrid_search.embedding_weight",
          .number(0...1_000_000), "how much meaning counts"),
        ToolOption(
          "text-weight", "ranking_options.hybrid_search.text_weight", .number(0...1_000_000),
          "how much words count"),
      ], together: ["embedding-weight", "text-weight"]),
    ToolKind(
      "code_interpreter", "run Python in a container",
      .single(ToolOption("container", "container", .word(longest: nil), "one that is there")),
      container("container", "auto") + [callers],
      defaults: [("container", .object([("type", .text("auto"))]))]),
    ToolKind(
      "image_generation", "draw and change images", .none,
      [
        ToolOption("model", "model", .word(longest: nil), "the model that draws"),
        ToolOption(
          "quality", "quality", .open(["low", "medium", "high", "auto"]), "how well it is drawn"),
        ToolOption(
          "size", "size", .word(longest: nil), "how large it is, as 1024x1536, or auto"),
        ToolOption("format", "output_format", .open(["png", "webp", "jpeg"]), "the file's format"),
        ToolOption("compression", "output_compression", .integer(0...100), "for webp and jpeg"),
        ToolOption("moderation", "moderation", .open(["auto", "low"]), "how strict"),
        ToolOption(
          "background", "background", .open(["transparent", "opaque", "auto"]),
          "transparent goes with png and webp"),
        ToolOption(
          "fidelity", "input_fidelity", .open(["high", "low"]), "how close to input images"),
        ToolOption("mask", "input_image_mask.file_id", .word(longest: nil), "a file's id"),
        ToolOption("mask-url", "input_image_mask.image_url", .text, "a mask by its URL"),
        ToolOption("partial", "partial_images", .integer(0...3), "stream so many drafts"),
        ToolOption("action", "action", .open(["generate", "edit", "auto"]), "new, or changed"),
      ]),
    ToolKind(
      "mcp", "the tools of an MCP server",
      .pair(
        ToolOption(
          "label", "server_label", .word(longest: nil), "what the model calls it",
          isRequired: true),
        ToolOption("url", "server_url", .url, "where the server is")),
      [
        ToolOption(
          "connector", "connector_id",
          .open([
            "connector_dropbox", "connector_gmail", "connector_googlecalendar",
            "connector_googledrive", "connector_microsoftteams", "connector_outlookcalendar",
            "connector_outlookemail", "connector_sharepoint",
          ]), "a connector in place of a URL"),
        ToolOption("tunnel", "tunnel_id", .word(longest: nil), "a tunnel in place of a URL"),
        ToolOption("description", "server_description", .text, "what it is for"),
        ToolOption("allow", "allowed_tools", .list(most: nil), "these tools only"),
        ToolOption(
          "allow-names", "allowed_tools.tool_names", .list(most: nil),
          "the same, beside allow-read-only"),
        ToolOption(
          "allow-read-only", "allowed_tools.read_only", .flag, "tools that change nothing only"),
        ToolOption(
          "approval", "require_approval", .open(["always", "never"]), "ask before each call"),
        ToolOption(
          "ask", "require_approval.always.tool_names", .list(most: nil), "ask for these"),
        ToolOption(
          "ask-read-only", "require_approval.always.read_only", .flag,
          "ask for those that change nothing"),
        ToolOption(
          "trust", "require_approval.never.tool_names", .list(most: nil),
          "do not ask for these"),
        ToolOption(
          "trust-read-only", "require_approval.never.read_only", .flag,
          "do not ask for those that change nothing"),
        ToolOption(
          "auth-env", "authorization", .secretVariable, "the variable that has the token"),
        ToolOption("auth-file", "authorization", .secretFile, "the file that has the token"),
        ToolOption(
          "header-env", "headers", .secretMember, "a header, its value from a variable"),
        deferred, callers,
      ], exactlyOne: ["url", "connector", "tunnel"]),
    ToolKind(
      "shell", "run commands, in a container or by you",
      .single(
        ToolOption(
          "container", "environment.container_id", .word(longest: nil), "one that is there",
          also: ("environment.type", "container_reference"))),
      [
        ToolOption(
          "hosted", "", .tag, "in a new container", also: ("environment.type", "container_auto")),
        ToolOption("local", "", .tag, "by you", also: ("environment.type", "local")),
      ] + container("environment", "container_auto") + [
        ToolOption(
          "skills", "environment.skills", .skills, "skills for the container",
          also: ("environment.type", "container_auto")),
        ToolOption(
          "local-skills", "environment.skills", .json, "an array of skills that you have",
          also: ("environment.type", "local")),
        callers,
      ]),
    ToolKind("computer", "use a screen that you show and steer"),
    ToolKind(
      "computer_use_preview", "the same, as it was before",
      .single(
        ToolOption(
          "environment", "environment", .open(["windows", "mac", "linux", "ubuntu", "browser"]),
          "what is shown", isRequired: true)),
      [
        ToolOption(
          "width", "display_width", .integer(1...1_000_000), "in pixels", isRequired: true),
        ToolOption(
          "height", "display_height", .integer(1...1_000_000), "in pixels", isRequired: true),
      ]),
    ToolKind("code_execution", "run Python (xAI)"),
    ToolKind("x_search", "search X (xAI)"),
  ]

  private static let yours: [ToolKind] = [
    ToolKind(
      "function", "call a function of yours",
      .pair(
        ToolOption("name", "name", .word(longest: nil), "its name", isRequired: true),
        ToolOption("parameters", "parameters", .jsonFile, "the JSON Schema of its parameters")),
      [
        ToolOption("description", "description", .text, "what it does"),
        ToolOption("strict", "strict", .flag, "keep to the schema"),
        ToolOption("output", "output_schema", .json, "the JSON Schema of its result"),
        deferred, callers, later,
      ], defaults: [("parameters", .null), ("strict", .null)]),
    ToolKind(
      "custom", "call a tool of yours that takes text",
      .single(ToolOption("name", "name", .word(longest: nil), "its name", isRequired: true)),
      [
        ToolOption("description", "description", .text, "what it does"),
        ToolOption("text", "", .tag, "any text", also: ("format.type", "text")),
        grammar("lark"), grammar("regex"), deferred, callers, later,
      ]),
    ToolKind("apply_patch", "change files by patches that you apply", .none, [callers]),
    ToolKind("local_shell", "run commands by you, as it was before"),
  ]

  private static let searching: [ToolKind] = [
    ToolKind(
      "namespace", "tools under one name",
      .single(ToolOption("name", "name", .word(longest: nil), "its name", isRequired: true)),
      [
        ToolOption("description", "description", .text, "what it is for", isRequired: true),
        ToolOption(
          "tools", "tools", .json, "an array of function and custom tools", isRequired: true),
      ]),
    ToolKind(
      "tool_search", "find tools that are deferred", .none,
      [
        ToolOption("execution", "execution", .open(["server", "client"]), "who searches"),
        ToolOption("description", "description", .text, "what it is for"),
        ToolOption("parameters", "parameters", .json, "the JSON Schema of a search by you"),
      ]),
    ToolKind("programmatic_tool_calling", "let the model write programs that call tools"),
  ]
}
