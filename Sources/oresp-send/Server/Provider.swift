import Core

/// A server that `oresp-send` knows by name. A new server is a row of `table`.
struct Provider: Sendable {
  let name: String
  /// Its base URL. `{NAME}` in it is an environment variable, and `{NAME=URL}` has a default.
  let base: String
  /// The variable with its key.
  let keyVariable: String
  /// Whether requests without a key are sent, too.
  var worksWithoutKey = false
  /// Whether the header of a key is `api-key`, as for Azure.
  var takesAPIKey = false
  /// The variable with a token in place of a key, and the one with the default model.
  var tokenVariable: String?
  var modelVariable: String?
  /// Whether it has the Responses API, besides Chat Completions.
  var hasResponses = true
  /// Its name for the limit of output tokens in Chat Completions.
  var chatLimit = "max_completion_tokens"
  /// What differs from the reference, for `--provider=help`.
  let note: String
}

extension Provider {
  /// The note on servers that call themselves implementers of the neutral standard.
  private static let standard = "claims Open Responses"
  private static let onlyChat = "has Chat Completions only: --api=chat"

  static let openAI = Provider(
    name: "openai", base: "{OPENAI_BASE_URL=https://api.openai.com/v1}",
    keyVariable: "OPENAI_API_KEY", note: "the reference; \(standard)")

  static let azure = Provider(
    name: "azure", base: "{AZURE_OPENAI_ENDPOINT}/openai/v1", keyVariable: "AZURE_OPENAI_API_KEY",
    takesAPIKey: true, tokenVariable: "AZURE_OPENAI_AD_TOKEN",
    modelVariable: "AZURE_OPENAI_DEPLOYMENT",
    note: "the model is the deployment; OPENAI_API_VERSION, dated or preview, is sent")

  static let table: [Provider] = [
    openAI, azure,
    .init(
      name: "anthropic", base: "https://api.anthropic.com/v1", keyVariable: "ANTHROPIC_API_KEY",
      hasResponses: false, note: "\(onlyChat); ignores -S and --effort"),
    .init(
      name: "bedrock", base: "https://bedrock-mantle.{AWS_REGION}.api.aws/openai/v1",
      keyVariable: "AWS_BEARER_TOKEN_BEDROCK", note: "a message may come many times"),
    .init(
      name: "databricks", base: "{DATABRICKS_HOST}/serving-endpoints",
      keyVariable: "DATABRICKS_TOKEN", note: "its API is in beta"),
    .init(
      name: "deepseek", base: "https://api.deepseek.com/v1", keyVariable: "DEEPSEEK_API_KEY",
      chatLimit: "max_tokens", note: "has Chat Completions, too"),
    .init(
      name: "gemini", base: "https://generativelanguage.googleapis.com/v1beta/openai",
      keyVariable: "GEMINI_API_KEY", hasResponses: false, note: onlyChat),
    .init(
      name: "groq", base: "https://api.groq.com/openai/v1", keyVariable: "GROQ_API_KEY",
      note: "its API is in beta; no --previous, no stored responses"),
    .init(
      name: "huggingface", base: "https://router.huggingface.co/v1", keyVariable: "HF_TOKEN",
      note: "no --previous, no stored responses"),
    .init(
      name: "litellm", base: "{LITELLM_BASE_URL=http://localhost:4000/v1}",
      keyVariable: "LITELLM_API_KEY", worksWithoutKey: true,
      note: "a proxy; its limits depend on the model"),
    .init(
      name: "llama.cpp", base: "{LLAMA_BASE_URL=http://localhost:8080/v1}",
      keyVariable: "LLAMA_API_KEY", worksWithoutKey: true,
      note: "no stored responses, no --background"),
    .init(
      name: "lmstudio", base: "{LMSTUDIO_BASE_URL=http://localhost:1234/v1}",
      keyVariable: "LMSTUDIO_API_KEY", worksWithoutKey: true, chatLimit: "max_tokens",
      note: "keeps responses for --previous; \(standard)"),
    .init(
      name: "ollama", base: "{OLLAMA_BASE_URL=http://localhost:11434/v1}",
      keyVariable: "OLLAMA_API_KEY", worksWithoutKey: true, chatLimit: "max_tokens",
      note:
        "OLLAMA_HOST counts, too; no --previous, no stored responses, no --background; \(standard)"),
    .init(
      name: "openrouter", base: "https://openrouter.ai/api/v1", keyVariable: "OPENROUTER_API_KEY",
      note: "no --store, no --previous, no --background; \(standard)"),
    .init(
      name: "perplexity", base: "https://api.perplexity.ai/v1", keyVariable: "PERPLEXITY_API_KEY",
      note: "has its own items and events for searches"),
    .init(
      name: "transformers", base: "{TRANSFORMERS_BASE_URL=http://localhost:8000/v1}",
      keyVariable: "TRANSFORMERS_API_KEY", worksWithoutKey: true,
      note: "an answer cut short counts as completed"),
    .init(
      name: "vllm", base: "{VLLM_BASE_URL=http://localhost:8000/v1}", keyVariable: "VLLM_API_KEY",
      worksWithoutKey: true, note: "no --delete; --background and --get need its store"),
    .init(
      name: "xai", base: "https://api.x.ai/v1", keyVariable: "XAI_API_KEY",
      note: "keeps responses for 30 days"),
  ]

  /// The fields of its line in `--provider=help`.
  var fields: [String] { [name, base, keyVariable, note] }

  /// The provider `name`, or else the one in `ORESP_PROVIDER`. Without both it is Azure if only
  /// Azure's variables are set, and else OpenAI.
  static func named(_ name: String?, _ variable: (String) -> String?) throws(Failure) -> Provider {
    if let wanted = name ?? variable("ORESP_PROVIDER") {
      if let known = table.first(where: { $0.name == wanted.lowercased() }) { return known }
      let place = name == nil ? "ORESP_PROVIDER: " : ""
      let near = Core.hint(for: wanted, among: table.map(\.name))
      throw .usage("\(place)no provider \(wanted)\(near); --provider=help lists them")
    }
    guard variable("AZURE_OPENAI_ENDPOINT") != nil else { return openAI }
    let isOpenAI = ["OPENAI_BASE_URL", "OPENAI_API_KEY"].contains { variable($0) != nil }
    return isOpenAI ? openAI : azure
  }

  /// Its base URL, and the variable that has it, or else the provider's name.
  func base(_ variable: (String) -> String?) throws(Failure) -> (url: String, source: String) {
    guard let start = base[...].cut(at: "{"), let end = start.after.cut(at: "}") else {
      return (base, name)
    }
    let parts = end.before.cut(at: "=")
    let source = String(parts?.before ?? end.before)
    if name == "ollama", variable(source) == nil, let host = variable("OLLAMA_HOST") {
      return (Self.base(ofOllama: host), "OLLAMA_HOST")
    }
    guard var value = variable(source) ?? parts.map({ String($0.after) }) else {
      let model = modelVariable.map { ", and \($0), which names the model" } ?? ""
      throw .usage("\(name): set \(source), which says where it is" + model)
    }
    guard name == Self.azure.name else { return (start.before + value + end.after, source) }
    while value.hasSuffix("/") { value.removeLast() }
    // https://a.example and https://a.example/openai/v1 are the same server.
    let place = value[...].cut(at: "/openai") == nil ? value + "/openai" : value
    let newest = place.hasSuffix("/openai") ? place + "/v1" : place
    guard let version = variable("OPENAI_API_VERSION"), version != "v1" else {
      return (newest, source)
    }
    if ["preview", "latest"].contains(version) {
      return (newest + "?api-version=" + version, source)
    }
    guard version.first?.isNumber == true else {
      throw .usage("OPENAI_API_VERSION: expected a date, preview, latest or v1, got \(version)")
    }
    let folder = place.hasSuffix("/v1") ? String(place.dropLast(3)) : place
    return (folder + "?api-version=" + version.percentEncoded, source)
  }

  /// The base URL of Ollama by its own variable `OLLAMA_HOST`, such as `0.0.0.0`, which is
  /// `http://127.0.0.1:11434/v1`.
  private static func base(ofOllama host: String) -> String {
    let parts = host[...].cut(at: "://")
    var place = String(parts?.after ?? host[...])
    while place.hasSuffix("/") { place.removeLast() }
    let hasPort = place.split(separator: "]").last?.contains(":") == true && !place.hasSuffix("]")
    if place.hasPrefix("0.0.0.0") { place = "127.0.0.1" + place.dropFirst("0.0.0.0".count) }
    return "\(parts?.before ?? "http")://\(place)\(hasPort || parts != nil ? "" : ":11434")/v1"
  }

  /// The header with `key`. A token of Entra is a bearer token for Azure, too.
  func header(_ key: APIKey) -> String {
    takesAPIKey && !key.isToken ? "api-key: \(key.text)" : "Authorization: Bearer \(key.text)"
  }
}
