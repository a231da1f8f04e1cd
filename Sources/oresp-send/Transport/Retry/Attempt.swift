import Core

/// Takes one attempt's answer: passes a successful one on from its first byte, and keeps a refusal
/// until it is known whether another attempt is made.
final class Attempt: AnswerReceiver {
  /// How much is kept of a refusal.
  private static let limit = 1 << 20

  private let receiver: any AnswerReceiver
  private var head: AnswerHead?
  private var held: [UInt8] = []
  private var hasBegun = false

  init(_ receiver: any AnswerReceiver) { self.receiver = receiver }

  var isClosed: Bool { receiver.isClosed }

  func begin(_ head: AnswerHead) { self.head = head }

  func take(_ bytes: Span<UInt8>) throws(Failure) -> Bool {
    if head?.isSuccess == true {
      begin()
      return try receiver.take(bytes)
    }
    held.append(copying: bytes.extracting(first: Self.limit - held.count))
    return held.count < Self.limit
  }

  func flush() throws(Failure) {
    if hasBegun { try receiver.flush() }
  }

  /// Why the attempt failed before anything of it was passed on; `nil` when it did not, or too late.
  /// `fault` is how the transport ended it.
  func failure(_ fault: TransportFault?) -> FailedAttempt? {
    guard !hasBegun else { return nil }
    if let head, !head.isSuccess { return .refused(head, body: held) }
    return fault.map { .broken($0) }
  }

  /// Passes on what was kept.
  func passOn() throws(Failure) {
    begin()
    let bytes = held
    if !bytes.isEmpty { _ = try receiver.take(bytes.span) }
  }

  private func begin() {
    guard !hasBegun, let head else { return }
    hasBegun = true
    receiver.begin(head)
  }
}
