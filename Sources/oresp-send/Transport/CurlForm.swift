import CLibcurl
import Core

/// A form as libcurl sends it: libcurl writes what stands between the fields, and asks for the bytes
/// of each while they go out.
@safe final class CurlForm {
  let raw: OpaquePointer
  private let readers: [FormReader]

  /// The form of `parts` for a transfer by `handle`; `nil` when libcurl takes it not.
  init?(_ parts: [FormPart], for handle: borrowing CurlHandle) {
    guard let made = unsafe curl_mime_init(handle.raw) else { return nil }
    unsafe raw = made
    readers = parts.map { FormReader($0.source) }
    for (part, reader) in zip(parts, readers) {
      guard let raw = unsafe curl_mime_addpart(made) else { return nil }
      let field = part.field
      let context = unsafe Unmanaged.passUnretained(reader).toOpaque()
      var codes = [
        unsafe curl_mime_name(raw, field.name.cString),
        unsafe curl_mime_data_cb(
          raw, Int64(part.source.count), readField, seekField, nil, context),
      ]
      if let type = field.mediaType { codes.append(unsafe curl_mime_type(raw, type)) }
      if let name = field.toldFileName {
        codes.append(unsafe curl_mime_filename(raw, name.cString))
      }
      guard codes.allSatisfy({ $0 == 0 }) else { return nil }
    }
  }

  deinit { unsafe curl_mime_free(raw) }

  /// Why a field could not be read, if one could not.
  var failure: Failure? { readers.lazy.compactMap(\.failure).first }
}

/// Gives the bytes of one field.
@safe private final class FormReader {
  private let source: BodySource
  private var reader: SourceReader
  private var piece: ArraySlice<UInt8> = []
  private(set) var failure: Failure?

  init(_ source: BodySource) {
    self.source = source
    reader = SourceReader(source)
  }

  @unsafe static func at(_ context: UnsafeMutableRawPointer?) -> FormReader {
    // `CurlForm` gave libcurl this very pointer, and holds the reader.
    unsafe Unmanaged<FormReader>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }

  /// Fills `room` as far as there are bytes, and returns how many they are.
  @unsafe func read(into room: UnsafeMutableRawBufferPointer) -> Int {
    do throws(Failure) {
      if piece.isEmpty { piece = try reader.next()[...] }
    } catch {
      failure = error
      return clibcurl_read_abort
    }
    let part = piece.prefix(room.count)
    unsafe room.copyBytes(from: part)
    piece = piece.dropFirst(part.count)
    return part.count
  }

  /// Begins anew; libcurl goes nowhere else.
  func seek(to offset: Int) -> Bool {
    reader = SourceReader(source)
    piece = []
    return offset == 0
  }
}

private let readField: clibcurl_source = { bytes, size, count, context in
  unsafe FormReader.at(context).read(
    into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

private let seekField: clibcurl_seek = { context, offset, _ in
  unsafe FormReader.at(context).seek(to: Int(offset)) ? 0 : 1
}
