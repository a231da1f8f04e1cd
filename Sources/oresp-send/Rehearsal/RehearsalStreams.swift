/// The made-up answers of a rehearsal: an event a line, as `oresp-sse` prints it, but for its number.
///
/// A name behind `$` stands for what differs: `$START` and `$REST` for members that a Response has in
/// all its events, with the items that were done in its `output`; `$MARK` for the end of the ids of
/// items; `$BACKGROUND` for what the request says. A line with `$PIECE` is repeated for each piece.
enum RehearsalStreams {
  /// The beginning of a response.
  private static let start = #"""
    {"type":"response.created","response":{$START,"status":"in_progress","background":$BACKGROUND,"error":null,"incomplete_details":null,$REST,"usage":null}}
    {"type":"response.in_progress","response":{$START,"status":"in_progress","background":$BACKGROUND,"error":null,"incomplete_details":null,$REST,"usage":null}}

    """#

  /// A web search behind it, and the beginning of a text.
  private static let search =
    start + #"""
      {"type":"response.output_item.added","output_index":0,"item":{"id":"ws_$MARK","type":"web_search_call","status":"in_progress"}}
      {"type":"response.web_search_call.in_progress","output_index":0,"item_id":"ws_$MARK"}
      {"type":"response.web_search_call.searching","output_index":0,"item_id":"ws_$MARK"}
      {"type":"response.web_search_call.completed","output_index":0,"item_id":"ws_$MARK"}
      {"type":"response.output_item.done","output_index":0,"item":{"id":"ws_$MARK","type":"web_search_call","status":"completed","action":{"type":"search","query":"how to rehearse a request","queries":["how to rehearse a request"],"sources":[{"type":"url","url":"https://example.org/rehearsal"},{"type":"url","url":"https://example.com/characters?lang=de"}]}}}
      {"type":"response.output_item.added","output_index":1,"item":{"id":"msg_$MARK","type":"message","status":"in_progress","role":"assistant","content":[]}}
      {"type":"response.content_part.added","item_id":"msg_$MARK","output_index":1,"content_index":0,"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":"This answer","logprobs":[]}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":" is a rehearsal","logprobs":[]}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":":","logprobs":[]}

      """#

  /// More of the text.
  private static let answer =
    search + #"""
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":" no model","logprobs":[]}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":" was asked","logprobs":[]}

      """#

  /// More of the text, with a citation.
  private static let citation =
    answer + #"""
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":" for it ","logprobs":[]}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":"([example.org](https://example.org/rehearsal))","logprobs":[]}
      {"type":"response.output_text.annotation.added","item_id":"msg_$MARK","output_index":1,"content_index":0,"annotation_index":0,"annotation":{"type":"url_citation","start_index":54,"end_index":100,"title":"Rehearsing","url":"https://example.org/rehearsal"}}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":".\n\n","logprobs":[]}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":"It has","logprobs":[]}

      """#

  /// A web search, and a text that cites what was found.
  static let completed =
    citation + #"""
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":" a “naïve”","logprobs":[]}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":" café","logprobs":[]}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":", 東京","logprobs":[]}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":" and a 🚆","logprobs":[]}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":" in it ","logprobs":[]}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":"([example.com](https://example.com/characters?lang=de))","logprobs":[]}
      {"type":"response.output_text.annotation.added","item_id":"msg_$MARK","output_index":1,"content_index":0,"annotation_index":1,"annotation":{"type":"url_citation","start_index":143,"end_index":198,"title":"Zeichen – 文字","url":"https://example.com/characters?lang=de"}}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":", as","logprobs":[]}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":" answers","logprobs":[]}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":" do","logprobs":[]}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":1,"content_index":0,"delta":".","logprobs":[]}
      {"type":"response.output_text.done","item_id":"msg_$MARK","output_index":1,"content_index":0,"text":"This answer is a rehearsal: no model was asked for it ([example.org](https://example.org/rehearsal)).\n\nIt has a “naïve” café, 東京 and a 🚆 in it ([example.com](https://example.com/characters?lang=de)), as answers do.","logprobs":[]}
      {"type":"response.content_part.done","item_id":"msg_$MARK","output_index":1,"content_index":0,"part":{"type":"output_text","text":"This answer is a rehearsal: no model was asked for it ([example.org](https://example.org/rehearsal)).\n\nIt has a “naïve” café, 東京 and a 🚆 in it ([example.com](https://example.com/characters?lang=de)), as answers do.","annotations":[{"type":"url_citation","start_index":54,"end_index":100,"title":"Rehearsing","url":"https://example.org/rehearsal"},{"type":"url_citation","start_index":143,"end_index":198,"title":"Zeichen – 文字","url":"https://example.com/characters?lang=de"}],"logprobs":[]}}
      {"type":"response.output_item.done","output_index":1,"item":{"id":"msg_$MARK","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"This answer is a rehearsal: no model was asked for it ([example.org](https://example.org/rehearsal)).\n\nIt has a “naïve” café, 東京 and a 🚆 in it ([example.com](https://example.com/characters?lang=de)), as answers do.","annotations":[{"type":"url_citation","start_index":54,"end_index":100,"title":"Rehearsing","url":"https://example.org/rehearsal"},{"type":"url_citation","start_index":143,"end_index":198,"title":"Zeichen – 文字","url":"https://example.com/characters?lang=de"}],"logprobs":[]}]}}
      {"type":"response.completed","response":{$START,"status":"completed","background":$BACKGROUND,"error":null,"incomplete_details":null,$REST,"usage":{"input_tokens":312,"input_tokens_details":{"cached_tokens":0},"output_tokens":64,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":376}}}
      """#

  /// A failure at the server, behind the start of a text.
  static let failed =
    search + #"""
      {"type":"response.output_text.done","item_id":"msg_$MARK","output_index":1,"content_index":0,"text":"This answer is a rehearsal:","logprobs":[]}
      {"type":"response.content_part.done","item_id":"msg_$MARK","output_index":1,"content_index":0,"part":{"type":"output_text","text":"This answer is a rehearsal:","annotations":[],"logprobs":[]}}
      {"type":"response.output_item.done","output_index":1,"item":{"id":"msg_$MARK","type":"message","status":"incomplete","role":"assistant","content":[{"type":"output_text","text":"This answer is a rehearsal:","annotations":[],"logprobs":[]}]}}
      {"type":"response.failed","response":{$START,"status":"failed","background":$BACKGROUND,"error":{"code":"server_error","message":"The server had an error while processing your request."},"incomplete_details":null,$REST,"usage":null}}
      """#

  /// A text that reaches its limit.
  static let incomplete =
    citation + #"""
      {"type":"response.output_text.done","item_id":"msg_$MARK","output_index":1,"content_index":0,"text":"This answer is a rehearsal: no model was asked for it ([example.org](https://example.org/rehearsal)).\n\nIt has","logprobs":[]}
      {"type":"response.content_part.done","item_id":"msg_$MARK","output_index":1,"content_index":0,"part":{"type":"output_text","text":"This answer is a rehearsal: no model was asked for it ([example.org](https://example.org/rehearsal)).\n\nIt has","annotations":[{"type":"url_citation","start_index":54,"end_index":100,"title":"Rehearsing","url":"https://example.org/rehearsal"}],"logprobs":[]}}
      {"type":"response.output_item.done","output_index":1,"item":{"id":"msg_$MARK","type":"message","status":"incomplete","role":"assistant","content":[{"type":"output_text","text":"This answer is a rehearsal: no model was asked for it ([example.org](https://example.org/rehearsal)).\n\nIt has","annotations":[{"type":"url_citation","start_index":54,"end_index":100,"title":"Rehearsing","url":"https://example.org/rehearsal"}],"logprobs":[]}]}}
      {"type":"response.incomplete","response":{$START,"status":"incomplete","background":$BACKGROUND,"error":null,"incomplete_details":{"reason":"max_output_tokens"},$REST,"usage":{"input_tokens":312,"input_tokens_details":{"cached_tokens":0},"output_tokens":64,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":376}}}
      """#

  /// A refusal.
  static let refusal =
    start + #"""
      {"type":"response.output_item.added","output_index":0,"item":{"id":"msg_$MARK","type":"message","status":"in_progress","role":"assistant","content":[]}}
      {"type":"response.content_part.added","item_id":"msg_$MARK","output_index":0,"content_index":0,"part":{"type":"refusal","refusal":""}}
      {"type":"response.refusal.delta","item_id":"msg_$MARK","output_index":0,"content_index":0,"delta":"I'm sorry"}
      {"type":"response.refusal.delta","item_id":"msg_$MARK","output_index":0,"content_index":0,"delta":", but I"}
      {"type":"response.refusal.delta","item_id":"msg_$MARK","output_index":0,"content_index":0,"delta":" can't help"}
      {"type":"response.refusal.delta","item_id":"msg_$MARK","output_index":0,"content_index":0,"delta":" with that."}
      {"type":"response.refusal.done","item_id":"msg_$MARK","output_index":0,"content_index":0,"refusal":"I'm sorry, but I can't help with that."}
      {"type":"response.content_part.done","item_id":"msg_$MARK","output_index":0,"content_index":0,"part":{"type":"refusal","refusal":"I'm sorry, but I can't help with that."}}
      {"type":"response.output_item.done","output_index":0,"item":{"id":"msg_$MARK","type":"message","status":"completed","role":"assistant","content":[{"type":"refusal","refusal":"I'm sorry, but I can't help with that."}]}}
      {"type":"response.completed","response":{$START,"status":"completed","background":$BACKGROUND,"error":null,"incomplete_details":null,$REST,"usage":{"input_tokens":312,"input_tokens_details":{"cached_tokens":0},"output_tokens":64,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":376}}}
      """#

  /// A text that is cancelled.
  static let cancelled =
    answer + #"""
      {"type":"response.output_text.done","item_id":"msg_$MARK","output_index":1,"content_index":0,"text":"This answer is a rehearsal: no model was asked","logprobs":[]}
      {"type":"response.content_part.done","item_id":"msg_$MARK","output_index":1,"content_index":0,"part":{"type":"output_text","text":"This answer is a rehearsal: no model was asked","annotations":[],"logprobs":[]}}
      {"type":"response.output_item.done","output_index":1,"item":{"id":"msg_$MARK","type":"message","status":"incomplete","role":"assistant","content":[{"type":"output_text","text":"This answer is a rehearsal: no model was asked","annotations":[],"logprobs":[]}]}}
      {"type":"response.cancelled","response":{$START,"status":"cancelled","background":$BACKGROUND,"error":null,"incomplete_details":null,$REST,"usage":null}}
      """#

  /// A quota that is used up.
  static let error =
    start + #"""
      {"type":"error","error":{"type":"insufficient_quota","code":"insufficient_quota","message":"You exceeded your current quota, please check your plan.","param":null}}
      {"type":"response.failed","response":{$START,"status":"failed","background":$BACKGROUND,"error":{"code":"insufficient_quota","message":"You exceeded your current quota, please check your plan."},"incomplete_details":null,$REST,"usage":null}}
      """#

  /// The JSON `$TEXT`, in pieces.
  static let json =
    start + #"""
      {"type":"response.output_item.added","output_index":0,"item":{"id":"msg_$MARK","type":"message","status":"in_progress","role":"assistant","content":[]}}
      {"type":"response.content_part.added","item_id":"msg_$MARK","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}}
      {"type":"response.output_text.delta","item_id":"msg_$MARK","output_index":0,"content_index":0,"delta":$PIECE,"logprobs":[]}
      {"type":"response.output_text.done","item_id":"msg_$MARK","output_index":0,"content_index":0,"text":$TEXT,"logprobs":[]}
      {"type":"response.content_part.done","item_id":"msg_$MARK","output_index":0,"content_index":0,"part":{"type":"output_text","text":$TEXT,"annotations":[],"logprobs":[]}}
      {"type":"response.output_item.done","output_index":0,"item":{"id":"msg_$MARK","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":$TEXT,"annotations":[],"logprobs":[]}]}}
      {"type":"response.completed","response":{$START,"status":"completed","background":$BACKGROUND,"error":null,"incomplete_details":null,$REST,"usage":{"input_tokens":312,"input_tokens_details":{"cached_tokens":0},"output_tokens":64,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":376}}}
      """#

  /// A call of the function `$NAME` with the arguments `$TEXT`, in pieces.
  static let call =
    start + #"""
      {"type":"response.output_item.added","output_index":0,"item":{"id":"fc_$MARK","type":"function_call","status":"in_progress","call_id":"call_$MARK","name":$NAME,"arguments":""}}
      {"type":"response.function_call_arguments.delta","item_id":"fc_$MARK","output_index":0,"delta":$PIECE}
      {"type":"response.function_call_arguments.done","item_id":"fc_$MARK","output_index":0,"arguments":$TEXT}
      {"type":"response.output_item.done","output_index":0,"item":{"id":"fc_$MARK","type":"function_call","status":"completed","call_id":"call_$MARK","name":$NAME,"arguments":$TEXT}}
      {"type":"response.completed","response":{$START,"status":"completed","background":$BACKGROUND,"error":null,"incomplete_details":null,$REST,"usage":{"input_tokens":312,"input_tokens_details":{"cached_tokens":0},"output_tokens":64,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":376}}}
      """#
}
