import Core

/// A request for an endpoint other than `/responses`.
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

  /// What the fields of the form send.
  func form(open: @escaping (String) throws(Failure) -> Descriptor) throws(Failure) -> [FormPart] {
    let loader = AttachmentLoader(open: open)
    return try form.map { field throws(Failure) in try field.part(loader) }
  }

  /// The place and the items of the query.
  var parts: (path: String, query: [String]) {
    let (place, items) = Typed.parts(of: path ?? "", at: "?")
    return (place, (items.map { [$0] } ?? []) + query)
  }
}
