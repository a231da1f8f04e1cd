/// The `reasoning_details` of an answer of Chat Completions, which its server wants back as they
/// were. Of
///
///     [{"type":"reasoning.text","index":0,"text":"Let me "}]
///     [{"type":"reasoning.text","index":0,"text":"see."}]
///     [{"type":"reasoning.text","index":0,"signature":"U0lH"}]
///
/// it makes `[{"type":"reasoning.text","index":0,"text":"Let me see.","signature":"U0lH"}]`.
struct ChatDetails {
  fileprivate struct Detail {
    var members: ChatItem.Members
    /// Texts that came in pieces.
    var texts: [(name: String, text: ChatText)] = []
  }

  fileprivate static let pieces: Set<String> = ["text", "summary", "data"]
  /// The most details back to the one that a piece goes on with.
  private static let most = 64

  private var details: [Detail] = []

  var isEmpty: Bool { details.isEmpty }

  var json: JSONValue {
    .array(
      details.map { detail in
        .object(detail.members + detail.texts.map { ($0.name, $0.text.json) })
      })
  }

  /// Adds the elements of one list, each to the one of the same type and index that came before.
  mutating func add(_ list: [Range<Int>], in message: Span<UInt8>) {
    let former = details.indices
    for place in list {
      guard case .object(let members)? = JSONValue(object: message.extracting(place)) else {
        continue
      }
      let known = former.suffix(Self.most).last { index in
        ["type", "index"].allSatisfy { name in
          details[index].members.first { $0.name == name }?.value.line
            == members.first { $0.name == name }?.value.line
        }
      }
      let index = known ?? details.count
      if known == nil { details.append(Detail(members: [])) }
      for (name, value) in members where !value.isNull { details[index].add(name, value) }
    }
  }
}

extension ChatDetails.Detail {
  fileprivate mutating func add(_ name: String, _ value: JSONValue) {
    if ChatDetails.pieces.contains(name), case .raw(let text) = value, text.count > 1,
      text[0] == ASCII.quote
    {
      let place = texts.firstIndex { $0.name == name } ?? texts.count
      if place == texts.count { texts.append((name, ChatText())) }
      texts[place].text.append(text.span.extracting(1..<text.count - 1))
    } else if let place = members.firstIndex(where: { $0.name == name }) {
      members[place].value = value
    } else {
      members.append((name, value))
    }
  }
}
