import CLibcurl
import Core

/// Serves libcurl's callbacks during one transfer: hands on the reply and watches for silence.
///
/// libcurl's own limit for a low speed counts the time that a slow reader takes, and counts a few
/// bytes of keepalive as silence; hence the watch here.
@safe final class CurlExchange {
  /// The longest time that a connection stays open after the end of the response.
  private static let lingerMilliseconds = 2000

  /// The buffer for libcurl's words on a failure.
  let errorText: UnsafeMutablePointer<CChar>
  private let receiver: any ReplyReceiver
  private let watchers: [any TransferWatcher]
  private let idleMilliseconds: Int
  private let clock: () -> Int
  private var head = ReplyHeadDecoder()
  private var lastSign: Int
  /// The time at which the end of the response was seen; `nil` before.
  private var lingersSince: Int?
  private var trailerSize = 0
  /// The most bytes of trailers; libcurl has the same limit for a head.
  private static let trailerLimit = 300 << 10

  /// The failure of the receiver; `nil` when it had none.
  private(set) var failure: Failure?
  /// Whether the receiver wanted no more, or the wait after the end of the response is over.
  private(set) var isStopped = false
  /// Whether the transfer was ended for silence.
  private(set) var isIdle = false
  /// Whether all headers of the reply have come.
  private(set) var hasHead = false

  init(
    _ receiver: any ReplyReceiver, watchers: [any TransferWatcher], _ settings: TransportSettings,
    clock: @escaping () -> Int = Clock.steadyMilliseconds
  ) {
    self.receiver = receiver
    self.watchers = watchers
    self.clock = clock
    idleMilliseconds = settings.idleMilliseconds
    lastSign = clock()
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

  @unsafe func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastSign = clock()
    let line = unsafe Array(bytes)
    show(.received(line))
    if hasHead { trailerSize += line.count }
    guard trailerSize <= Self.trailerLimit else { return unsafe Self.refused(bytes) }
    if let head = head.append(line.span) {
      hasHead = true
      receiver.begin(head)
    }
    return line.count
  }

  @unsafe func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    // HTTP 101, with another protocol behind it.
    guard hasHead else { return unsafe Self.refused(bytes) }
    do throws(Failure) {
      isStopped = try !receiver.receive(unsafe Span(_unsafeBytes: bytes))
    } catch {
      failure = error
    }
    // Read again: the receiver may have taken its time.
    lastSign = clock()
    return unsafe isStopped || failure != nil ? Self.refused(bytes) : bytes.count
  }

  /// A return value that ends the transfer: any count but the one of `bytes`, which may be 0.
  @unsafe private static func refused(_ bytes: UnsafeRawBufferPointer) -> Int { bytes.count + 1 }

  /// Hands on what was received by the time `now`, and looks whether the transfer goes on. Only an
  /// event stream is given up for its silence: the work on any other answer may take hours.
  func goesOn(at now: Int) -> Bool {
    isIdle =
      idleMilliseconds > 0 && receiver.isStreaming && now - lastSign >= idleMilliseconds
    do throws(Failure) {
      try receiver.flush()
    } catch {
      failure = error
    }
    let end = clock()
    // The time that receivers took is not the server's.
    lastSign += end - now
    lingersSince = receiver.hasEnd ? lingersSince ?? end : nil
    isStopped = lingersSince.map { end - $0 >= Self.lingerMilliseconds } ?? false
    return !isIdle && !isStopped && failure == nil
  }

  /// Shows the watchers a text of libcurl or a sent header; `kind` is a `curl_infotype`.
  @unsafe func show(_ kind: Int, _ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case clibcurl_shown_text: show(.log(unsafe String(decoding: bytes, as: UTF8.self)))
    case clibcurl_shown_header_out: show(.sent(unsafe Array(bytes)))
    default: break
    }
  }

  func show(_ sign: TransferSign) {
    for watcher in watchers { watcher.see(sign) }
  }
}
