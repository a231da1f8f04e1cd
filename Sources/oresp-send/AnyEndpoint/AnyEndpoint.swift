import Core

/// A request for an endpoint other than `/responses`.
struct AnyEndpoint: Sendable {
  /// Its path under the base URL, perhaps with a query.
  var path: String?
  var method: String?
  /// The form that is sent in place of a body; empty for none.
  var form: [FormField] = []
  /// Whether all pages of a list are printed, one item a line.
  var takesPages = false

  /// Whether a request by `method` has a body.
  static func takesBody(_ method: String) -> Bool { ["POST", "PUT", "PATCH"].contains(method) }

  /// The form of its reply.
  var replyForm: ReplyPlan.Form {
    if takesPages { return .page }
    let place = path?.prefix { $0 != "?" } ?? ""
    return place.hasSuffix("/content") ? .bytes : .document
  }

  /// The parts that the fields of the form send.
  func form(open: @escaping (String) throws(Failure) -> Descriptor) throws(Failure) -> [FormPart] {
    let loader = AttachmentLoader(open: open)
    return try form.map { field throws(Failure) in try field.part(loader) }
  }

  /// The path, and the items of its query.
  var parts: (path: String, query: [String]) {
    let (place, items) = Typed.parts(of: path ?? "", at: "?")
    return (place, items.map { [$0] } ?? [])
  }
}
