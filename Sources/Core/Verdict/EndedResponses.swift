/// The responses that ended last, so that an end that comes again is told from another end.
///
/// Of each it keeps three numbers, whatever the response was: the end is known again by its own
/// sequence number, or by a hash of all its bytes where it has none or its response has no id.
///
/// It is a class because `Judge` is copied before each event: an end is noted when nothing of it is
/// undone any more.
final class EndedResponses {
  /// The end of a response, or a line of a log, which is a response of its own.
  struct End {
    /// A hash of the tag and the id of the response.
    let response: Int
    /// The same of the id with which the response began: Azure's ends with another.
    var beginning: Int
    /// What tells this end from another of the same response.
    fileprivate let mark: Int
    /// The response's id; empty where the event has none.
    let id: String

    /// The end that the terminal event `line` of the stream `tag` tells.
    init(_ event: borrowing Event, _ line: Span<UInt8>, tag: [UInt8]) {
      id = event.text(of: "response", "id", in: line)
      let number = id.isEmpty ? nil : event.sequenceNumber(in: line)
      response = Self.name(id, tag)
      (beginning, mark) = (response, number ?? line.hash)
    }

    /// The end that is the line `line` of a log.
    init(logged line: Span<UInt8>) {
      (response, id) = (line.hash, "")
      (beginning, mark) = (response, 0)
    }

    /// What the response `id` of the stream `tag` is remembered by.
    static func name(_ id: String, _ tag: [UInt8]) -> Int {
      var hasher = Hasher()
      hasher.combine(tag)
      hasher.combine(id)
      return hasher.finalize()
    }

    /// Whether `former`, an end of the same response, is this one.
    func isSame(as former: End) -> Bool { mark == former.mark }
  }

  private static let most = 1024

  private var ends: [Int: End] = [:]
  /// The responses in `ends`: a ring, of which the next to be forgotten stands at `oldest`.
  private var order: [Int] = []
  private var oldest = 0
  private var told: Set<String> = []

  /// The end of the same response that came last; `nil` when it is not remembered.
  func former(of end: End) -> End? { ends[end.response] }

  func note(_ end: End) {
    guard ends.updateValue(end, forKey: end.response) == nil else { return }
    guard order.count == Self.most else { return order.append(end.response) }
    ends[order[oldest]] = nil
    order[oldest] = end.response
    oldest = (oldest + 1) % Self.most
  }

  /// Says once that `what` came twice, and how often it `counts`.
  func tell(_ what: String, counts: String, at place: Notice.Place, into output: inout Output) {
    guard told.insert(counts).inserted else { return }
    let why = "\(what) stands here twice, and counts \(counts)"
    output.notices.append(Notice(.warning, why, at: place))
  }
}

extension Span<UInt8> {
  /// A hash of all bytes, another one in each process.
  fileprivate var hash: Int {
    var hasher = Hasher()
    var index = 0
    while index + 8 <= count {
      hasher.combine(word(at: index))
      index += 8
    }
    for index in index..<count { hasher.combine(self[index]) }
    return hasher.finalize()
  }
}
