import CLibcurl
import Core

/// A form for libcurl, which writes the boundaries between the fields and reads the files.
@safe final class CurlForm {
  let raw: OpaquePointer

  /// Makes the form of `parts` for a transfer by `handle`; `nil` when libcurl refuses it.
  init?(_ parts: [FormPart], for handle: borrowing CurlHandle) {
    guard let made = unsafe curl_mime_init(handle.raw) else { return nil }
    unsafe raw = made
    for part in parts {
      guard let raw = unsafe curl_mime_addpart(made) else { return nil }
      let content =
        if let bytes = part.bytes {
          unsafe bytes.withUnsafeBytes {
            unsafe curl_mime_data(raw, $0.bindMemory(to: CChar.self).baseAddress, $0.count)
          }
        } else {
          unsafe curl_mime_filedata(raw, (part.path ?? "").cString)
        }
      var codes = [content, unsafe curl_mime_name(raw, part.name.cString)]
      if let type = part.mediaType { codes.append(unsafe curl_mime_type(raw, type)) }
      if let name = part.fileName {
        codes.append(unsafe curl_mime_filename(raw, name.cString))
      }
      guard codes.allSatisfy({ $0 == 0 }) else { return nil }
    }
  }

  deinit { unsafe curl_mime_free(raw) }
}
