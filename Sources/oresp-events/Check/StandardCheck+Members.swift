import Core

/// The members that objects have by the schema of Open Responses (version 2026-04-24): items from
/// their beginning (items.tsp), errors (events.tsp) and Responses (responses.tsp).
extension StandardCheck {
  /// Members of the items of each type of the standard, beside the members that every item has.
  static let itemMembers: [String: MemberList] = [
    "message": MemberList("role:string, content:[ContentPart]"),
    "function_call": MemberList("call_id:string, name:string, arguments:string"),
    "function_call_output": MemberList("call_id:string, output:string|[InputContent]"),
    "reasoning": MemberList("summary:[ContentPart]"),
    "compaction": MemberList("encrypted_content:string"),
  ]

  static let errorMembers = MemberList(
    "type:string, code:string|null, message:string, param:string|null")

  static let members = MemberList(
    """
    id:string, object:string, created_at:integer, status:string, model:string, output:[Item],
    tools:[Tool], tool_choice:string|object, truncation:string, parallel_tool_calls:boolean,
    text:TextField, top_p:number, presence_penalty:number, frequency_penalty:number,
    top_logprobs:integer, temperature:number, store:boolean, background:boolean,
    service_tier:string, metadata:unknown, completed_at:integer|null,
    incomplete_details:object|null, previous_response_id:string|null, instructions:string|null,
    error:object|null, reasoning:object|null, usage:object|null, max_output_tokens:integer|null,
    max_tool_calls:integer|null, safety_identifier:string|null, prompt_cache_key:string|null
    """)

  /// Members of the answer to a compaction.
  static let compaction = MemberList(
    "id:string, object:string, output:[Item], created_at:integer, usage:Usage")

  /// An object in a Response: the names that lead to it, and its members where it is no null.
  struct Inner: Sendable {
    let path: [StaticString]
    let members: MemberList

    var name: String { path.map(\.description).joined(separator: ".") }

    fileprivate init(_ path: StaticString..., of list: StaticString) {
      (self.path, members) = (path, MemberList(list))
    }
  }

  static let innerMembers = [
    Inner("incomplete_details", of: "reason:string"),
    Inner("error", of: "code:string, message:string"),
    Inner(
      "usage",
      of: """
        input_tokens:integer, output_tokens:integer, total_tokens:integer,
        input_tokens_details:object, output_tokens_details:object
        """),
    Inner("usage", "input_tokens_details", of: "cached_tokens:integer"),
    Inner("usage", "output_tokens_details", of: "reasoning_tokens:integer"),
  ]
}
