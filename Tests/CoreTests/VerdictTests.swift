import Core
import TestSupport
import Testing

/// The judgements on a stream of lines, each as `status message`, and the worst status.
private func judge(_ lines: [String]) -> (told: [String], status: Int32) {
  var judge = Judge()
  var output = Output()
  for line in lines {
    let bytes = Array(line.utf8)
    var event = Event(of: bytes.span)
    judge.handle(&event, bytes.span, into: &output)
  }
  judge.finish(into: &output)
  let errors = output.notices.filter { $0.kind == .error }
  let told = errors.map { "\($0.status?.rawValue ?? -1) \($0.message)" }
  let status = errors.filter { !$0.countsLater }.compactMap(\.status).max() ?? .completed
  return (told, max(status, output.status).rawValue)
}

private let created = #"{"type":"response.created","response":{"id":"r1","status":"in_progress"}}"#
private let completed = #"{"type":"response.completed","response":{"status":"completed"}}"#
private let queued = #"{"type":"response.queued","response":{"id":"r1"}}"#
private let delta = #"{"type":"response.output_text.delta","delta":"a"}"#
private let cut = "5 the stream ended before the response did"

@Suite struct VerdictTests {
  @Test(
    arguments: [
      ([], [], 0), ([created, delta, completed], [], 0), ([delta], [], 0), ([completed], [], 0),
      ([created], [cut], 5), ([queued, delta], [cut], 5),
      ([#"{"type":"response.in_progress"}"#], [cut], 5),
      // It is about the connection.
      ([#"{"type":"response.connecting"}"#], [], 0),
      // A response.completed without an object, and older names.
      ([created, #"{"type":"response.completed","response_id":"r1"}"#], [], 0),
      ([created, #"{"type":"response.done","response":{"status":"completed"}}"#], [], 0),
      (
        [
          created,
          #"{"type":"response.done","response":{"status":"failed","error":{"code":"server_error"}}}"#,
        ],
        ["5 the response failed: server_error"], 5
      ),
      (
        [created, #"{"type":"response.done","response":{"status":"cancelled"}}"#],
        ["8 the response was cancelled"], 8
      ),
      ([created, #"{"type":"response.cancelled"}"#], ["8 the response was cancelled"], 8),
      // What is inside can only make it worse.
      (
        [
          created,
          #"{"type":"response.completed","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}"#,
        ],
        ["6 the response is incomplete: max_output_tokens"], 6
      ),
      (
        [created, #"{"type":"response.incomplete","response":{"incomplete_details":null}}"#],
        ["6 the response is incomplete: no reason given"], 6
      ),
      (
        [
          created,
          #"{"type":"response.failed","response":{"status":"completed","error":{"code":"invalid_prompt","message":"m"}}}"#,
        ],
        ["4 the response failed: invalid_prompt: m"], 4
      ),
      ([created, #"{"type":"response.failed"}"#], ["5 the response failed: no reason given"], 5),
      // An error and the failure that follows are one.
      (
        [
          created,
          #"{"type":"error","error":{"type":"insufficient_quota","code":"insufficient_quota","message":"m"}}"#,
          #"{"type":"response.failed","response":{"error":{"code":"insufficient_quota","message":"m"}}}"#,
        ],
        ["4 error: insufficient_quota: m"], 4
      ),
      // One failure, for good if one of the two says so.
      (
        [
          created, #"{"type":"error","code":"server_error","message":"m"}"#,
          #"{"type":"response.failed","response":{"error":{"code":"insufficient_quota"}}}"#,
        ],
        ["5 error: server_error: m"], 4
      ),
      (
        [
          created, #"{"type":"error","code":"rate_limit_exceeded","message":"m"}"#,
          #"{"type":"response.failed","response":{"error":{"code":"server_error"}}}"#,
        ],
        ["5 error: rate_limit_exceeded: m"], 5
      ),
      ([#"{"type":"error","message":"m"}"#], ["5 error: m"], 5),
      // The types of errors that Open Responses has.
      ([#"{"type":"error","error":{"type":"server_error"}}"#], ["5 error: server_error"], 5),
      ([#"{"type":"error","error":{"type":"model_error"}}"#], ["5 error: model_error"], 5),
      (
        [#"{"type":"error","error":{"type":"too_many_requests"}}"#],
        ["5 error: too_many_requests"], 5
      ),
      ([#"{"type":"error","error":{"type":"invalid_request"}}"#], ["4 error: invalid_request"], 4),
      ([#"{"type":"error","error":{"type":"not_found"}}"#], ["4 error: not_found"], 4),
      ([created, #"{"type":"error","message":"m"}"#, completed], ["5 error: m"], 5),
      ([created, #"{"type":"error","message":"m"}"#, created, completed], ["5 error: m"], 5),
      ([created, #"{"type":"error"}"#], ["5 error: no reason given"], 5),
      // A refusal, in events or in the object.
      (
        [created, #"{"type":"response.refusal.done","refusal":"No."}"#, completed],
        ["7 the model refused: No."], 7
      ),
      (
        [created, #"{"type":"response.refusal.delta","delta":"No"}"#, completed],
        ["7 the model refused"], 7
      ),
      (
        [
          #"{"type":"response.completed","response":{"output":[{"type":"reasoning"},{"type":"message","content":[{"type":"refusal","refusal":"No."}]}]}}"#
        ],
        ["7 the model refused: No."], 7
      ),
      (
        [
          created, #"{"type":"response.refusal.delta","delta":"No"}"#, completed, created,
          completed,
        ],
        ["7 the model refused"], 7
      ),
    ] as [([String], [String], Int32)])
  func `a stream is judged by how its responses ended`(
    lines: [String], told: [String], status: Int32
  ) {
    let got = judge(lines)
    #expect(got.told == told)
    #expect(got.status == status)
  }
}

@Suite struct APIErrorTests {
  @Test(
    arguments: [
      (
        #"{"error":{"message":"m","type":"invalid_request_error","param":null,"code":null}}"#, 4,
        "invalid_request_error: m"
      ),
      (
        #"{"error":{"message":"m","type":"rate_limit_error","code":"rate_limit_exceeded"}}"#, 5,
        "rate_limit_exceeded: m"
      ),
      (#"{"error":{"type":"insufficient_quota"},"status":429}"#, 4, "insufficient_quota"),
      (#"{"type":"error","status":429,"error":{"message":"m"}}"#, 5, "HTTP 429: m"),
      (#"{"type":"error","status":401,"error":{"code":"x"}}"#, 4, "x"),
      (
        #"{"type":"error","status":503,"error":{"code":"invalid_request_error"}}"#, 5,
        "invalid_request_error"
      ),
      (#"{"error":{"code":404,"message":"m"}}"#, 4, "404: m"),
      (#"{"error":{"code":500}}"#, 5, "500"),
      (#"{"code":"invalid-argument","error":"text"}"#, 4, "invalid-argument: text"),
      (#"{"detail":"text"}"#, 4, "text"), (#"{"error":"text"}"#, 5, "text"),
      (#"{"error":{"type":"server_error","code":null,"message":"m"}}"#, 5, "server_error: m"),
      (#"{"error":{"code":"model_not_found"}}"#, 4, "model_not_found"),
      (#"{"error":{"code":"failed_to_download_image"}}"#, 5, "failed_to_download_image"),
      (#"{"type":"error","code":"server_error","message":"m","param":null}"#, 5, "server_error: m"),
      (#"{"error":null}"#, 5, "no reason given"), ("{}", 5, "no reason given"),
      ("nonsense", 5, "no reason given"),
      (#"{"error":{"error":{"code":"model_not_found","message":"m"}}}"#, 4, "model_not_found: m"),
      (nested(100_000), 5, "no reason given"),
    ] as [(String, Int32, String)])
  func `an error is read in every shape that servers give it`(
    body: String, status: Int32, summary: String
  ) {
    let error = APIError(in: Array(body.utf8).span)
    #expect(error.status.rawValue == status)
    #expect(error.summary == summary)
  }

  private static func nested(_ depth: Int) -> String {
    let open = String(repeating: #"{"error":"#, count: depth)
    return open + #"{"code":"x"}"# + String(repeating: "}", count: depth)
  }

  @Test func `an HTTP status is for good or temporary`() {
    for status in [400, 401, 402, 403, 404, 413, 422, 301, 501, 505] {
      #expect(APIError.status(http: status) == .refusedForGood)
    }
    for status in [408, 409, 429, 500, 502, 503, 504, 506, 529] {
      #expect(APIError.status(http: status) == .temporary)
    }
  }
}
