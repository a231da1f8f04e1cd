import Core

/// Where an event belongs, as its line tells.
struct StreamPlace {
  var number: Int?
  /// The id of its response as it is spelled; `nil` when the line names none.
  var responseID: [UInt8]?
  /// Whether it is one of the toolkit's own, such as tells of a connection that broke.
  var isSynthetic = false

  init(_ line: Span<UInt8>) {
    var members = JSONChildren()
    while let member = members.next(in: line) {
      let name = line.extracting(member.name)
      let value = line.extracting(member.value)
      if JSONChildren.isName(name, "sequence_number") {
        number = number ?? JSONNumber.integer(value)
      } else if JSONChildren.isName(name, "response_id") {
        take(id: value)
      } else if JSONChildren.isName(name, "response") {
        if let id = JSONChildren.value(of: "id", in: value) { take(id: value.extracting(id)) }
      } else if JSONChildren.isName(name, "oresp") {
        isSynthetic = JSONChildren.value(of: "synthetic", in: value) != nil
      }
    }
  }

  private mutating func take(id: Span<UInt8>) {
    guard responseID == nil, id.count > 2, id[0] == ASCII.quote else { return }
    responseID = [UInt8](copying: id)
  }
}
