import CLibcurl
import Core

/// What libcurl calls back while one transfer runs: gives it the body of the request, hands the
/// reply on and watches for silence.
///
/// libcurl's own watch on a low speed counts the time in which a slow reader holds the reply up,
/// and takes a few bytes of keepalive for none; hence one here.
@safe final class CurlExchange {
  /// How long the server may leave the line open once the response has ended.
  private static let lingerMilliseconds = 2000

  /// Where libcurl puts its words on a failure.
  let errorText: UnsafeMutablePointer<CChar>
  /// How many bytes the body of the request has.
  var bodySize: Int { body.count }

  private let body: [UInt8]
  /// How much of the body was given.
  private var sent = 0
  private let receiver: any ReplyReceiver
  private let watchers: [any TransferWatcher]
  private let idleMilliseconds: Int
  private var head = ReplyHeadDecoder()
  private var lastSign = Clock.steadyMilliseconds()
  /// When the end of the response was seen, if it was.
  private var end: Int?
  /// When it was looked whether anybody takes the reply.
  private var lastLook = 0
  private var uploaded = 0
  private var trailerSize = 0
  /// How much of trailers is taken: as much as libcurl takes of a head.
  private static let trailerLimit = 300 << 10

  /// Why the receiver could take no more.
  private(set) var failure: Failure?
  /// Whether the receiver wanted no more, or the response has ended and nothing more is waited for.
  private(set) var isStopped = false
  /// Whether the transfer was ended for silence.
  private(set) var isIdle = false
  /// How much of a reply came.
  private(set) var progress = ReplyProgress.nothing

  init(
    _ body: [UInt8], _ receiver: any ReplyReceiver, watchers: [any TransferWatcher],
    _ settings: TransportSettings
  ) {
    self.body = body
    (self.receiver, self.watchers) = (receiver, watchers)
    idleMilliseconds = settings.idleMilliseconds
    unsafe errorText = .allocate(capacity: Int(clibcurl_error_size))
    unsafe errorText.initialize(repeating: 0, count: Int(clibcurl_error_size))
  }

  deinit { unsafe errorText.deallocate() }

  /// libcurl's words on the failure; empty when it has none.
  var words: String { unsafe String(cString: errorText) }

  @unsafe static func at(_ context: UnsafeMutableRawPointer?) -> CurlExchange {
    // `CurlHandle.prepare` gave libcurl this very pointer.
    unsafe Unmanaged<CurlExchange>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }

  /// Fills `room` with the body as far as there are bytes, and returns how many they are.
  @unsafe func readBody(into room: UnsafeMutableRawBufferPointer) -> Int {
    let piece = body[sent...].prefix(room.count)
    unsafe room.copyBytes(from: piece)
    sent += piece.count
    return piece.count
  }

  /// Has the body begin anew at byte `offset`; false when it has none.
  func seekBody(to offset: Int) -> Bool {
    sent = min(max(offset, 0), body.count)
    return sent == offset
  }

  @unsafe func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastSign = Clock.steadyMilliseconds()
    let line = unsafe Array(bytes)
    show(.received(line))
    if progress >= .head { trailerSize += line.count }
    guard trailerSize <= Self.trailerLimit else { return unsafe Self.refused(bytes) }
    progress = max(progress, .headers)
    if let head = head.append(line.span) {
      progress = .head
      receiver.begin(head)
    }
    return line.count
  }

  @unsafe func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    // HTTP 101, with another protocol behind it.
    guard progress >= .head else { return unsafe Self.refused(bytes) }
    if progress == .head { progress = .body }
    do throws(Failure) {
      isStopped = try !receiver.receive(unsafe Span(_unsafeBytes: bytes))
    } catch {
      failure = error
    }
    // Read again: the receiver may have taken its time.
    lastSign = Clock.steadyMilliseconds()
    return unsafe isStopped || failure != nil ? Self.refused(bytes) : bytes.count
  }

  /// What ends the transfer: any other count than that of `bytes`, which may be 0.
  @unsafe private static func refused(_ bytes: UnsafeRawBufferPointer) -> Int { bytes.count + 1 }

  /// Whether the transfer may go on, with `uploaded` bytes of the request sent. libcurl asks each
  /// time before it waits.
  func goesOn(uploaded: Int) -> Bool {
    let start = Clock.steadyMilliseconds()
    do throws(Failure) {
      try receiver.flush()
    } catch {
      failure = error
      return false
    }
    let now = Clock.steadyMilliseconds()
    // The time that the receiver took is not the server's.
    lastSign += now - start
    if uploaded != self.uploaded { (self.uploaded, lastSign) = (uploaded, now) }
    if now - lastLook >= 200 {
      lastLook = now
      if receiver.isClosed { failure = .closedOutput }
    }
    end = receiver.hasEnd ? end ?? now : nil
    isStopped = end.map { now - $0 >= Self.lingerMilliseconds } ?? false
    isIdle = idleMilliseconds > 0 && now - lastSign >= idleMilliseconds
    return !isIdle && !isStopped && failure == nil
  }

  /// Shows the watchers a piece of what libcurl does, of one of its kinds.
  @unsafe func show(_ kind: Int, _ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case clibcurl_shown_text: show(.did(unsafe String(decoding: bytes, as: UTF8.self)))
    case clibcurl_shown_header_out: show(.sent(unsafe Array(bytes)))
    default: break
    }
  }

  func show(_ sign: TransferSign) {
    for watcher in watchers { watcher.see(sign) }
  }
}
