import CLibcurl
import Core

/// Carries requests by the system's libcurl, over shared connections.
@safe final class CurlPool: Carrier {
  private let raw: UnsafeMutableRawPointer
  private let settings: TransportSettings
  /// The watchers of each transfer, and whether they also see libcurl's words and the sent headers.
  private let watchers: [any TransferWatcher]
  private let showsWork: Bool
  private var transfers: [UnsafeMutableRawPointer: (number: Int, transfer: CurlTransfer)] =
    unsafe [:]
  /// Requests that were not sent, since their deadline had passed.
  private var unsent: [Ended] = []

  init(
    _ settings: TransportSettings, watchers: [any TransferWatcher] = [], showsWork: Bool = false
  ) throws(Failure) {
    guard let made = unsafe curl_multi_init() else {
      throw .other("libcurl does not start", .usage)
    }
    unsafe raw = made
    (self.settings, self.watchers, self.showsWork) = (settings, watchers, showsWork)
  }

  deinit {
    for unsafe(handle, _) in unsafe transfers { unsafe curl_multi_remove_handle(raw, handle) }
    unsafe transfers.removeAll()
    unsafe curl_multi_cleanup(raw)
  }

  func begin(
    _ request: HTTPRequest, to receiver: any ReplyReceiver, number: Int
  ) throws(Failure) {
    let left = request.deadline.map { $0 - Clock.steadyMilliseconds() }
    if let left, left <= 0 {
      return unsent.append((number, .overTime(settings.totalMilliseconds)))
    }
    let transfer = try CurlTransfer(
      request, to: receiver, settings, watchers, showsWork: showsWork, within: left ?? 0)
    unsafe transfers[transfer.raw] = (number, transfer)
    try check(unsafe curl_multi_add_handle(raw, transfer.raw))
  }

  func goOn(_ milliseconds: Int, orUntilReadable input: Int32?) throws(Failure) -> [Ended] {
    if unsent.isEmpty {
      let wait = min(milliseconds, settings.watchMilliseconds)
      try check(unsafe clibcurl_multi_wait(raw, input ?? -1, Int32(clamping: wait)))
    }
    return try perform()
  }

  /// Moves what can be moved without a wait. Returns the transfers that have ended, by themselves or
  /// because they do not go on.
  private func perform() throws(Failure) -> [Ended] {
    var running: Int32 = 0
    try check(unsafe curl_multi_perform(raw, &running))
    var ended = unsent
    unsent = []
    var code: UInt32 = 0
    while let handle = unsafe clibcurl_multi_ended(raw, &code) {
      if let end = try unsafe end(handle, code) { ended.append(end) }
    }
    // All that has come is read, so that a silence by now is the server's.
    let now = Clock.steadyMilliseconds()
    for unsafe(handle, (_, transfer)) in unsafe transfers where !transfer.goesOn(at: now) {
      if let end = try unsafe end(handle, 0) { ended.append(end) }
    }
    return ended
  }

  /// Takes the transfer of `handle` down, which ended with libcurl's `code`.
  private func end(_ handle: UnsafeMutableRawPointer, _ code: UInt32) throws(Failure) -> Ended? {
    unsafe curl_multi_remove_handle(raw, handle)
    guard let (number, transfer) = unsafe transfers.removeValue(forKey: handle) else { return nil }
    return (number, try transfer.end(with: Int(code)))
  }

  private func check(_ code: Int32) throws(Failure) {
    guard code == clibcurl_multi_ok else {
      let words = unsafe curl_multi_strerror(code).map { unsafe String(cString: $0) }
      throw .other(words ?? "libcurl: code \(code)", .usage)
    }
  }
}
