import Core

/// When the next request of a batch may start: evenly spaced, and not before the server wants one,
/// whichever request it told that.
final class Pace {
  /// The time between two starts, in microseconds; 0 is none.
  private let spacing: Int
  private let world: World
  /// When the next may start, in microseconds, and before when none may, in milliseconds.
  private var next = 0
  private var end = 0

  init(spacing: Int, _ world: World) { (self.spacing, self.world) = (spacing, world) }

  /// When the next request may start (`World.steadyMilliseconds`).
  var opening: Int { max((next + 999) / 1000, end) }

  /// Takes note of a start.
  func noteStart() { next = max(next, world.steadyMilliseconds() * 1000) + spacing }

  /// Has no request start for so many milliseconds. Returns whether that is new.
  func hold(_ milliseconds: Int) -> Bool {
    let now = world.steadyMilliseconds()
    let wasHeld = end > now
    end = max(end, now + min(milliseconds, ReplyHead.longestDelay))
    return !wasHeld && end - now >= 1000
  }

  /// How many milliseconds the server wants nothing, by the headers of a reply; 0 when it does not
  /// say.
  func pause(askedBy head: ReplyHead) -> Int {
    let limits = JSONValue.object(RateLimits.members(of: head))
    let resets = ["requests", "tokens"].map { kind in
      guard case .integer(0)? = limits["remaining_" + kind],
        case .raw(let seconds)? = limits["reset_\(kind)_seconds"]
      else { return 0 }
      return JSONDecimal(seconds.span)?.scaledUp(by: 3, most: .max) ?? 0
    }
    let asked = RetryAfter.milliseconds(in: head, now: world.epochSeconds()) ?? 0
    return max(asked, resets.max() ?? 0)
  }
}
