import Core

extension String {
  /// The text percent-encoded as one segment of a path or item of a query (RFC 3986, section 2.1).
  var percentEncoded: String {
    utf8.map { byte in
      if ASCII.isLetterOrDigit(byte) || "-._~".utf8.contains(byte) {
        return String(Unicode.Scalar(byte))
      }
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "%0" + digits : "%" + digits
    }.joined()
  }
}
