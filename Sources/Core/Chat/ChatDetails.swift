/// The `reasoning_details` of an answer of Chat Completions, which its server wants back as they
/// were. Of
///
///     [{"type":"reasoning.text","index":0,"text":"Let me "}]
///     [{"type":"reasoning.text","index":0,"text":"see."}]
///     [{"type":"reasoning.text","index":0,"signature":"U0lH"}]
///
/// it makes `[{"type":"reasoning.text","index":0,"text":"Let me see.","signature":"U0lH"}]`.
struct ChatDetails {
  private struct Detail {
    var members: JSONValue = [:]
    /// Texts that come in pieces, without their quotes.
    var texts: [(name: String, text: [UInt8])] = []

    /// Appends a piece of the text called `name`.
    mutating func add(_ name: String, _ piece: ArraySlice<UInt8>) {
      if let known = texts.firstIndex(where: { $0.name == name }) {
        texts[known].text += piece
      } else {
        texts.append((name, Array(piece)))
      }
    }
  }

  /// The most details back to the one that a piece goes on with.
  private static let most = 64

  private var details: [Detail] = []

  var isEmpty: Bool { details.isEmpty }

  var json: JSONValue {
    .array(
      details.map { detail in
        let texts = detail.texts.map {
          ($0.name, JSONValue.raw([ASCII.quote] + $0.text + [ASCII.quote]))
        }
        return .object(detail.members.members + texts)
      })
  }

  /// Adds the elements of one list, each to the one of the same type and index that came before.
  mutating func add(_ list: [Range<Int>], in message: Span<UInt8>) {
    let former = details.indices
    for place in list {
      guard let detail = JSONValue(object: message.extracting(place)) else { continue }
      let known = former.suffix(Self.most).last { index in
        ["type", "index"].allSatisfy { details[index].members[$0]?.line == detail[$0]?.line }
      }
      if known == nil { details.append(Detail()) }
      let index = known ?? details.count - 1
      for (name, value) in detail.members where !value.isNull {
        if ["text", "summary", "data"].contains(name), value.string != nil {
          details[index].add(name, value.line.dropFirst().dropLast())
        } else {
          details[index].members[name] = value
        }
      }
    }
  }
}
