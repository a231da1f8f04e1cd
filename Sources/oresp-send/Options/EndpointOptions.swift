import Core

extension SendSettings {
  static var endpointOptions: [Option<Self>] {
    [
      .value(
        "path", nil, "PATH", help: "Call the endpoint PATH, such as /files or /models.",
        detail: """
          `PATH` is added to the base URL, and may have a query: `/files?limit=9`. The body is made from `-b` and the options that set
          members of it; there are no defaults. The answer is printed as it arrives, an event stream
          in whole events.
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
        "form", "F", "NAME=VALUE", help: "Add a field or a file to a form; repeatable.",
        detail: """
          A form has no other body, so a model is a field: `-F model=MODEL`. As with curl, `NAME=@FILE`
          sends a file, and `NAME=<FILE` its text as the value; `-` is standard input. Then `;type=TYPE` and `;filename=NAME` may follow. Type `@@` for a value
          that begins with `@`, and put a value in double quotes that contains these words or begins
          with `<`.
          """
      ) { settings, text throws(Failure) in settings.endpoint.form.append(try FormField(text)) }
      .reading { [(try? FormField($0))?.path].compactMap(\.self) }
      .with("path").without("batch", "pages", "request=GET"),
      .flag(
        "pages", nil, help: "Print the items of all pages of a list.",
        detail: "Each item is a line.",
        at: \.endpoint.takesPages
      ).with("path").without("batch"),
    ]
  }
}
