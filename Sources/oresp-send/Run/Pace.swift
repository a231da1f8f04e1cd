import Core

/// Times the starts of a run's requests: evenly spaced, and none while the server wants a pause,
/// whichever request it asked for that.
final class Pace {
  /// The least time between two starts, in microseconds; 0 is none.
  private let spacing: Int
  private let world: World
  /// The earliest start by `spacing`, in microseconds, and the end of a pause, in milliseconds.
  private var next = 0
  private var end = 0

  init(spacing: Int, _ world: World) { (self.spacing, self.world) = (spacing, world) }

  /// The time at which the next request may start (`World.steadyMilliseconds`).
  var opening: Int { max((next + 999) / 1000, end) }

  /// Notes a start.
  func noteStart() { next = max(next, world.steadyMilliseconds() * 1000) + spacing }

  /// Holds all starts for `milliseconds`.
  func hold(_ milliseconds: Int) { end = max(end, world.steadyMilliseconds() + milliseconds) }
}
