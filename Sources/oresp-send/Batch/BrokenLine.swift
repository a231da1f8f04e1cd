import Core

/// A line of a batch that is no request, or of which none can be made.
struct BrokenLine: Sendable {
  /// The number of the line in its file, from 1, and its name; `nil` for none.
  private let number: Int
  private let customID: [UInt8]?
  /// The error, with its place.
  var notice: Notice

  /// `why` it is no request; `input` is the name of its file.
  init(_ number: Int, _ customID: [UInt8]?, _ why: String, of input: String) {
    (self.number, self.customID) = (number, customID)
    notice = Notice(.error, "line \(number): \(why)", status: .badInput)
    notice.input = input
  }

  /// Its result. A later run tries the line again.
  var result: [UInt8] {
    let error: JSONValue = ["code": "invalid_line", "message": "\(notice.message)"]
    return BatchLine.result(number, nil, customID: customID, error: error)
  }

  /// Its event, tagged with its name; with a mark, if it was `told`.
  func event(told: Int?) -> [UInt8] {
    let data = EventLine.marking(FailureEvent(invalidLine: notice.message).data.span, told: told)
    var line: [UInt8] = []
    let facts = customID.map { [(name: "request", value: JSONValue.string($0))] } ?? []
    EventLine.append(data.span, facts: facts, to: &line)
    return line
  }
}
