import Foundation

/// How long a test waits for what must come before it counts as hung.
package let hangGuardSeconds = 30.0

/// A value that threads share and wait on.
package final class Shared<Value>: @unchecked Sendable {
  private let condition = NSCondition()
  private var held: Value

  package init(_ value: Value) { held = value }

  package var value: Value { update { $0 } }

  /// Changes the value, and wakes up whoever waits on it.
  @discardableResult
  package func update<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return try change(&held)
  }

  /// Waits until the value is as `isReady` wants it; false when it never came to that.
  package func wait(until isReady: (Value) -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: hangGuardSeconds)
    condition.lock()
    defer { condition.unlock() }
    while !isReady(held) {
      if !condition.wait(until: deadline) { return isReady(held) }
    }
    return true
  }
}

/// A point that a thread does not pass before somebody opens it.
package final class Gate: Sendable {
  private let isOpen = Shared(false)
  private let awaited = Shared(false)

  package init() {}

  /// Whether anybody has come to the gate so far.
  package var isAwaited: Bool { awaited.value }

  package func open() { isOpen.update { $0 = true } }

  /// Waits until the gate is open; false when it never was.
  @discardableResult
  package func wait() -> Bool {
    awaited.update { $0 = true }
    return isOpen.wait { $0 }
  }
}
