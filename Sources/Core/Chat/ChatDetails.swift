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

    var json: JSONValue {
      .object(
        members.members + texts.map { ($0.name, .raw([ASCII.quote] + $0.text + [ASCII.quote])) })
    }
  }

  /// The most details back to the one that a piece goes on with.
  private static let most = 64

  private var details: [Detail] = []

  var isEmpty: Bool { details.isEmpty }
  var json: JSONValue { .array(details.map(\.json)) }

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
        guard ["text", "summary", "data"].contains(name), value.string != nil else {
          details[index].members[name] = value
          continue
        }
        let text = details[index].texts.firstIndex { $0.name == name }
        if text == nil { details[index].texts.append((name, [])) }
        let last = details[index].texts.count - 1
        details[index].texts[text ?? last].text += value.line.dropFirst().dropLast()
      }
    }
  }
}
