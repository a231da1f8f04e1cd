/// Makes streams of events like those that servers send, the same ones from the same seed: mostly
/// small deltas, some whole objects, now and then an image of a megabyte, a tenth of the words not
/// ASCII. The responses are whole and complete.
package struct SampleEvents {
  /// What stands around the JSON of an event.
  package enum Form: String, Sendable {
    /// `event:` and `data:` lines, and a blank line.
    case sse
    /// The JSON and an LF.
    case ndjson
  }

  private let form: Form
  private let hasImages: Bool
  private var random: UInt64
  private var sequence = 0
  private var responses = 0
  private var output: [UInt8] = []

  package init(_ form: Form, seed: UInt64, hasImages: Bool = true) {
    (self.form, random, self.hasImages) = (form, seed, hasImages)
  }

  /// The events of the next response, some 200 kB of them.
  package mutating func next() -> [UInt8] {
    output.removeAll(keepingCapacity: true)
    (sequence, responses) = (0, responses + 1)
    let id = "resp_" + identifier()
    emit("response.created", #""response":{"id":"\#(id)","status":"in_progress","output":[]}"#)
    emit("response.in_progress", #""response":{"id":"\#(id)","status":"in_progress"}"#)
    var items = [message(0)]
    if hasImages, responses % 40 == 0 { items.append(image(1)) }
    let list = items.joined(separator: ",")
    emit(
      "response.completed",
      #""response":{"id":"\#(id)","status":"completed","output":[\#(list)],"usage":{"input_tokens":9,"output_tokens":999,"total_tokens":1008}}"#
    )
    return output
  }

  /// A message of some 800 words; the item at its end.
  private mutating func message(_ index: Int) -> String {
    let id = "msg_" + identifier()
    let place = #""item_id":"\#(id)","output_index":\#(index),"content_index":0"#
    let opened = #"{"id":"\#(id)","type":"message","role":"assistant","status":"in_progress"}"#
    emit("response.output_item.added", #""output_index":\#(index),"item":\#(opened)"#)
    emit("response.content_part.added", #"\#(place),"part":{"type":"output_text","text":""}"#)
    var text = ""
    for _ in 0..<600 + below(400) {
      let word = self.word()
      text += word
      let padding = identifier().prefix(below(12))
      emit(
        "response.output_text.delta",
        #"\#(place),"delta":"\#(word)","logprobs":[],"obfuscation":"\#(padding)""#)
    }
    emit("response.output_text.done", #"\#(place),"text":"\#(text)","logprobs":[]"#)
    let part = #"{"type":"output_text","text":"\#(text)","annotations":[]}"#
    emit("response.content_part.done", #"\#(place),"part":\#(part)"#)
    let item =
      #"{"id":"\#(id)","type":"message","role":"assistant","status":"completed","content":[\#(part)]}"#
    emit("response.output_item.done", #""output_index":\#(index),"item":\#(item)"#)
    return item
  }

  /// An image of a megabyte, shown once while it is made; the item at its end, without the picture.
  private mutating func image(_ index: Int) -> String {
    let id = "ig_" + identifier()
    let picture = String(
      decoding: (0..<1 << 17).flatMap { _ in identifier().utf8.prefix(8) }, as: UTF8.self)
    emit(
      "response.image_generation_call.partial_image",
      #""item_id":"\#(id)","output_index":\#(index),"partial_image_index":0,"partial_image_b64":"\#(picture)""#
    )
    emit(
      "response.output_item.done",
      #""output_index":\#(index),"item":{"id":"\#(id)","type":"image_generation_call","status":"completed","result":"\#(picture)"}"#
    )
    return #"{"id":"\#(id)","type":"image_generation_call","status":"completed","result":null}"#
  }

  private mutating func emit(_ type: String, _ members: String) {
    if form == .sse { output += Array("event: \(type)\ndata: ".utf8) }
    output += Array(#"{"type":"\#(type)","sequence_number":\#(sequence),\#(members)}"#.utf8)
    output += Array((form == .sse ? "\n\n" : "\n").utf8)
    sequence += 1
  }

  /// A word with the space before it, as it stands in a JSON string.
  private mutating func word() -> String {
    let words = [
      " the", " of", " water", " because", ".", ",", " light", " is", " to", " scattered", "\\n\\n",
      " **Note**", " \\\"blue\\\"", " wave", "length", " and", " in", " sky", " seen", " from",
    ]
    let others = [" naïve", " 東京", "は青い", " Übergröße", " 🚆", " \\u00e9t\\u00e9", " —"]
    return below(10) == 0 ? others[below(others.count)] : words[below(words.count)]
  }

  private mutating func identifier() -> String {
    let digits = Array("0123456789abcdefghijklmnopqrstuv".utf8)
    var bits = number()
    return String(
      decoding: (0..<12).map { _ in
        defer { bits >>= 5 }
        return digits[Int(bits & 31)]
      }, as: UTF8.self)
  }

  private mutating func below(_ limit: Int) -> Int { Int(number() >> 33) % limit }

  /// SplitMix64.
  private mutating func number() -> UInt64 {
    random &+= 0x9E37_79B9_7F4A_7C15
    var mixed = random
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
