import Foundation
import ProcessSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test, or a suite, for the reason `lack` where `condition` does not hold. How many are
  /// skipped is told at the end of the run.
  static func needs(
    _ condition: @autoclosure @escaping @Sendable () -> Bool, _ lack: String
  ) -> Self {
    .enabled(Comment(rawValue: lack)) {
      let isMet = condition()
      if !isMet { Skipped.note(lack) }
      return isMet
    }
  }
}

private enum Skipped {
  private static let lacks = Shared<[String]>([])

  static func note(_ lack: String) {
    lacks.update { lacks in
      if lacks.isEmpty {
        atexit {
          let reasons = Set(Skipped.lacks.value).sorted().joined(separator: "; ")
          let told = "skipped: \(Skipped.lacks.value.count) tests or suites: \(reasons)\n"
          FileHandle.standardError.write(Data(told.utf8))
        }
      }
      lacks.append(lack)
    }
  }
}
