import CLibcurl
import Core

/// What libcurl calls back while one transfer runs: hands the reply on and watches for silence.
///
/// libcurl's own watch on a low speed counts the time in which a slow reader holds the reply up,
/// and takes a few bytes of keepalive for none; hence one here.
@safe final class CurlExchange {
  /// Where libcurl puts its words on a failure.
  let errorText: UnsafeMutablePointer<CChar>

  private let receiver: any ReplyReceiver
  private let watchers: [any TransferWatcher]
  private let idleMilliseconds: Int
  private var head = ReplyHeadDecoder()
  private var lastSign = Clock.steadyMilliseconds()
  /// When it was looked whether anybody takes the reply.
  private var lastLook = 0
  private var uploaded = 0

  /// Why the receiver could take no more.
  private(set) var failure: Failure?
  /// Whether the receiver wanted no more.
  private(set) var isStopped = false
  /// Whether the transfer was ended for silence.
  private(set) var isIdle = false

  init(
    _ receiver: any ReplyReceiver, watchers: [any TransferWatcher], idleMilliseconds: Int
  ) {
    self.receiver = receiver
    self.watchers = watchers
    self.idleMilliseconds = idleMilliseconds
    unsafe errorText = .allocate(capacity: Int(clibcurl_error_size))
    unsafe errorText.initialize(repeating: 0, count: Int(clibcurl_error_size))
  }

  deinit { unsafe errorText.deallocate() }

  /// libcurl's words on the failure; empty when it has none.
  var words: String { unsafe String(cString: errorText) }

  @unsafe static func at(_ context: UnsafeMutableRawPointer?) -> CurlExchange {
    // `CurlHandle.attach` gave libcurl this very pointer.
    unsafe Unmanaged<CurlExchange>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }

  @unsafe func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastSign = Clock.steadyMilliseconds()
    let line = unsafe Array(bytes)
    for watcher in watchers { watcher.received(header: line.span) }
    if let head = head.take(line.span) { receiver.begin(head) }
    return line.count
  }

  @unsafe func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    do throws(Failure) {
      isStopped = try !receiver.take(unsafe Span(_unsafeBytes: bytes))
    } catch {
      failure = error
    }
    // Read again: the receiver may have taken its time.
    lastSign = Clock.steadyMilliseconds()
    // Any other count than that of the bytes ends the transfer; for none that must not be 0.
    return isStopped || failure != nil ? bytes.count + 1 : bytes.count
  }

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
    isIdle = idleMilliseconds > 0 && now - lastSign >= idleMilliseconds
    return !isIdle && failure == nil
  }

  /// Shows the watchers a piece of what libcurl does, of one of its kinds.
  @unsafe func show(_ kind: Int, _ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case clibcurl_shown_text:
      let words = unsafe String(decoding: bytes, as: UTF8.self)
      for watcher in watchers { watcher.did(words) }
    case clibcurl_shown_header_out:
      for watcher in watchers { watcher.sent(unsafe Span(_unsafeBytes: bytes)) }
    default: break
    }
  }
}

/// What libcurl calls back for the body of the request while one transfer runs.
@safe final class CurlUpload {
  /// How many bytes the body has.
  let count: Int
  /// Why the body could not be read.
  private(set) var failure: Failure?

  private var reader: BodyReader
  private var piece: [UInt8] = []

  init(_ body: BodyContent) {
    count = body.count
    reader = BodyReader(body)
  }

  @unsafe static func at(_ context: UnsafeMutableRawPointer?) -> CurlUpload {
    // `CurlHandle.perform` gave libcurl this very pointer.
    unsafe Unmanaged<CurlUpload>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }

  /// Fills `room` as far as there are bytes, and returns how many they are.
  @unsafe func read(into room: UnsafeMutableRawBufferPointer) -> Int {
    piece.removeAll(keepingCapacity: true)
    do throws(Failure) {
      try reader.read(room.count, into: &piece)
    } catch {
      failure = error
      return clibcurl_read_abort
    }
    unsafe room.copyBytes(from: piece)
    return piece.count
  }

  /// Has the body begin anew at byte `offset`; false when it cannot be read.
  func seek(to offset: Int) -> Bool {
    do throws(Failure) {
      try reader.seek(to: offset)
      return true
    } catch {
      failure = error
      return false
    }
  }
}
