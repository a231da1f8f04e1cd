/// The order in which a request that is made has its members: what it asks whom, what it says, what
/// may be used for it, how the answer is to be, and how it is carried out.
enum MemberOrder {
  private static let names = [
    "model", "instructions", "prompt", "previous_response_id", "conversation", "input", "tools",
    "tool_choice", "parallel_tool_calls", "max_tool_calls", "reasoning", "text",
    "max_output_tokens", "temperature", "top_p", "top_logprobs", "truncation",
    "context_management", "include", "store", "background", "service_tier", "prompt_cache_key",
    "prompt_cache_options", "safety_identifier", "metadata", "stream", "stream_options",
  ]

  /// Where `name` is to be inserted among `members`: before the first that comes after it, else at
  /// the end.
  static func place(of name: String, among members: [String]) -> Int {
    guard let rank = names.firstIndex(of: name) else { return members.count }
    let later = Set(names[(rank + 1)...])
    return members.firstIndex { later.contains($0) } ?? members.count
  }
}
