import Core

/// What the schema of Open Responses gives each object (version 2026-04-24): items from their
/// beginning (items.tsp), errors (events.tsp) and Responses (responses.tsp).
extension StandardCheck {
  /// What an item of each type of the standard has, besides what all have.
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

  /// What the answer to a compaction has.
  static let compaction = MemberList(
    "id:string, object:string, output:[Item], created_at:integer, usage:Usage")

  /// An object in a Response, what it must have where it is no null, and what leads to it.
  struct Inner: Sendable {
    let path: String
    let name: StaticString
    let member: StaticString?
    let members: MemberList

    fileprivate init(_ name: StaticString, _ member: StaticString? = nil, of list: StaticString) {
      (self.name, self.member, members) = (name, member, MemberList(list))
      path = name.description + (member.map { ".\($0)" } ?? "")
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
