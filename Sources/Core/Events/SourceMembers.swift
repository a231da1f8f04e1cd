/// Where an answer tells of its sources, and what tells one source from another.
package enum SourceMembers {
  /// The members of an annotation or a source that can have its address; the first one counts.
  package static let address: [StaticString] = ["url", "file_id", "filename", "name"]

  /// The arrays of `item`, an output item, that list what a search consulted.
  package static func consulted(in item: Span<UInt8>) -> [Range<Int>] {
    [
      JSONChildren.value(of: "action", "sources", in: item),
      JSONChildren.value(of: "results", in: item),
    ].compactMap(\.self)
  }
}
