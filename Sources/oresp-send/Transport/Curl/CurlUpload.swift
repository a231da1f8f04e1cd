import CLibcurl
import Core

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
