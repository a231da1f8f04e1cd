package import Core

extension EventType {
  /// The type whose name is `name`; `nil` when the catalogue has none.
  package init?(_ name: StaticString) { self.init(Array(name.description.utf8).span) }
}
