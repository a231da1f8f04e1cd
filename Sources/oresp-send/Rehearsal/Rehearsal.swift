/// How a rehearsed answer ends.
package enum Rehearsal: String, CaseIterable, Sendable {
  case completed, failed, incomplete, refusal, cut, error
  case http401 = "http-401"
  case http429 = "http-429"
  case slow
}
