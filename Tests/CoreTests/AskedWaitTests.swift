import Testing

@testable import Core

@Suite struct AskedWaitTests {
  @Test(
    arguments: [
      ("Please try again in 6.4s.", 6400), ("Please try again in 20ms. Visit", 20),
      ("try again in 6m0s", 360_000), ("Try Again In 1h2m3s", 3_723_000),
      ("Please retry after 2 seconds.", 2000), ("Please retry in 36.6746s.", 36_675),
      ("try again after 1 minute 30 seconds", 90_000), ("retry after 1 hour", 3_600_000),
      ("try again in 2 days", 172_800_000), ("try again in 0s", 0),
      ("try again in a moment, or retry after 3 sec", 3000),
      ("try again in 99999999999h", nil), ("", nil), ("try again", nil),
      ("try again in", nil), ("try again in ", nil), ("try again in 5", nil),
      ("try again in 5 parsecs", nil), ("try again in ..s", nil), ("in 6s", nil),
    ] as [(String, Int?)])
  func `a wait is read out of the words of an error`(words: String, milliseconds: Int?) {
    let body = #"{"error":{"message":"\#(words)"}}"#
    #expect(APIError(in: Array(body.utf8).span).retryMilliseconds == milliseconds)
  }

  @Test(
    arguments: [
      (#"{"retry_after":60}"#, 60_000), (#"{"error":{"retry_after":"1.5","code":"c"}}"#, 1500),
      (#"{"error":{"message":"m","details":[{"retryDelay":"0.5s"},{"retryDelay":"9s"}]}}"#, 500),
      (#"{"error":{"details":{"retryDelay":"9s"}}}"#, nil), (#"{"error":{"details":[]}}"#, nil),
      (#"{"details":[1,"9s",null]}"#, nil), (#"{"retry_after":-1}"#, nil),
      (#"{"retry_after":null}"#, nil), (#"{"retry_after":1e99}"#, 1_000_000_000_000),
      (#"{"retry_after":3,"message":"try again in 5s"}"#, 3000),
    ] as [(String, Int?)])
  func `a wait is read out of the members of an error`(body: String, milliseconds: Int?) {
    #expect(APIError(in: Array(body.utf8).span).retryMilliseconds == milliseconds)
  }
}
