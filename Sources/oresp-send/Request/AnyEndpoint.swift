import Core

/// What is asked of another endpoint than that of responses.
struct AnyEndpoint: Sendable {
  /// Its place behind the base URL, perhaps with a query.
  var path: String?
  var method: String?
  /// Items of the query, as they stand in a URL.
  var query: [String] = []
  /// What is sent as a form, in the place of a body.
  var form: [FormField] = []
  /// Whether all pages of a list are wanted, an item a line.
  var takesPages = false

  /// Whether a request by `method` has a body.
  static func takesBody(_ method: String) -> Bool { ["POST", "PUT", "PATCH"].contains(method) }

  /// What comes of it. `waits` tells that its object is waited for.
  func form(waits: Bool) -> ReplyPlan.Form {
    if takesPages { return .page }
    if waits { return .object }
    let place = path?.prefix { $0 != "?" } ?? ""
    return place.hasSuffix("/content") ? .bytes : .document
  }

  /// The place and the items of the query.
  var parts: (path: String, query: [String]) {
    let (place, items) = Typed.parts(of: path ?? "", at: "?")
    return (place, (items.map { [$0] } ?? []) + query)
  }
}

extension SendTool {
  static var endpointOptions: [Option<Settings>] {
    [
      .value(
        "path", nil, "PATH", help: "Call the endpoint PATH, such as /files or /models.",
        detail: """
          `PATH` is added to the base URL. The body is that of `-b`, with what other options set in
          it; there are no defaults. The answer is printed as it arrives, an event stream in whole
          events. See `Sx OTHER ENDPOINTS`.
          """
      ) { settings, text throws(Failure) in
        guard text.hasPrefix("/"), !text.hasPrefix("//"),
          text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") })
        else { throw .usage("expected a path such as /files, got \(text)") }
        settings.endpoint.path = text
      }.without("api=chat"),
      .value(
        "request", "X", "METHOD", .oneOf(["GET", "POST", "DELETE", "PUT", "PATCH"]),
        help: "Use METHOD (default GET, or POST with a body)."
      ) { settings, method throws(Failure) in
        guard method != "HEAD", !method.isEmpty,
          method.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 })
        else { throw .usage("expected a method such as DELETE, got \(method)") }
        settings.endpoint.method = method
      }.with("path").without("batch"),
      .value(
        "query", nil, "NAME=VALUE", help: "Add NAME=VALUE to the query; repeatable.",
        detail: "Both are taken as they are, and encoded."
      ) { settings, text throws(Failure) in
        let (name, value) = Typed.parts(of: text, at: "=")
        guard let value, !name.isEmpty else { throw .usage("expected NAME=VALUE, got \(text)") }
        let item = Endpoint.encoded(name) + "=" + Endpoint.encoded(value)
        settings.endpoint.query.append(item)
      }.with("path").without("batch"),
      .value(
        "form", "F", "NAME=VALUE", help: "Add a field or a file to a form; repeatable.",
        detail: """
          As with curl, `NAME=@FILE` sends a file, and `NAME=<FILE` its text as the value; `-` is
          standard input. Then `;type=TYPE` and `;filename=NAME` may follow. A value that begins
          with `@` is typed with `@@`; one that contains these words, or begins with `<`, goes in
          double quotes.
          """
      ) { settings, text throws(Failure) in settings.endpoint.form.append(try FormField(text)) }
      .with("path").without("batch", "pages", "request=GET"),
      .flag(
        "pages", nil, help: "Print the items of all pages of a list, one a line.",
        at: \.endpoint.takesPages
      ).with("path").without("batch"),
    ]
  }
}
