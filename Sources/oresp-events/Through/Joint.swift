import Core

/// What stood at the end of an input and may be made good by a later one: an event that was cut
/// off, or an error that tells of the connection that broke.
struct Joint {
  /// The event and its line, as far as they came out of the input.
  var event: Event?
  var line: [UInt8] = []
  /// What the reader told of it.
  var notices: [Notice] = []
  /// The number of the input, from 1, and where its response stood.
  var input: Int
  var response: Int
  var last: Int?
  var hadEnded: Bool

  /// Whether an event numbered `number` of response `response` is the one that was cut off, or shows
  /// that none is missing.
  func isMended(by number: Int?, of response: Int, hasPassed: Bool) -> Bool {
    guard let number else { return false }
    guard let last else { return number == 0 }
    if hadEnded { return hasPassed ? number == 0 : response == self.response && number == last }
    return hasPassed && response == self.response && number == last + 1
  }

  /// What is told of it when it is mended.
  var mended: Notice {
    let what = notices.isEmpty ? "ends with an error" : "ends inside an event"
    return Notice(.warning, "input \(input) \(what), which a later input makes good")
  }

  /// What is told of it when it is not: where it was, in words, since its input is over.
  var told: [Notice] {
    notices.map { notice in
      var told = notice
      told.place = nil
      let line = notice.place.map { ", line \($0.line), byte \($0.byte)" } ?? ""
      told.message = "input \(input)\(line): \(notice.message)"
      return told
    }
  }
}
