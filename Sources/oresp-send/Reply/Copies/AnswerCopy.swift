import Core

/// Gets what standard output gets, before it does.
protocol AnswerCopy: AnyObject {
  func begin(_ head: AnswerHead)

  /// Takes what is about to be written and told, and may add what is to be told.
  func take(_ output: inout Output)
}

extension AnswerCopy {
  func begin(_ head: AnswerHead) {}
}
