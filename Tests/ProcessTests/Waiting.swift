import Foundation
import Testing

extension Trait where Self == Waiting {
  /// Runs the tests of a suite, which spend their time waiting for processes, on four threads of
  /// their own. The pool has a thread for each processor, and tests that compute can use those
  /// meanwhile.
  static var waiting: Self { Self() }
}

struct Waiting: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard #available(macOS 15, *) else { return try await function() }
    try await withTaskExecutorPreference(Threads.shared) { try await function() }
  }
}

@available(macOS 15, *)
private final class Threads: TaskExecutor {
  static let shared = Threads()
  private let queue = OperationQueue()

  init() { queue.maxConcurrentOperationCount = 4 }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.addOperation { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
