import Core

/// The curl command that sends a request as this tool would, once, for a shell.
///
/// The body comes to curl by a pipe and the key by a file that the shell makes, so that both stay out
/// of its arguments: those are of limited length, and everybody can read them.
struct CurlCommand {
  private let request: HTTPRequest
  private let settings: TransportSettings
  private let path: String?

  /// `request` has the name of the key's variable in the place of the key; `path` is that of the file
  /// that gets the answer, if one does.
  init(_ request: HTTPRequest, _ settings: TransportSettings, to path: String? = nil) {
    (self.request, self.settings, self.path) = (request, settings, path)
  }

  /// The command. Throws when a file that goes along cannot be read.
  func text() throws(Failure) -> String {
    var bytes: [UInt8] = []
    var reader = BodyReader(request.body)
    try reader.read(request.body.count, into: &bytes)
    let body = String(decoding: bytes, as: UTF8.self)
    let references = request.headerReferences
    let hidden = request.headers.filter { RequestHeader.isSecret(RequestHeader.name(of: $0)) }
    let secret = hidden + references.lines
    var lines = ["curl -q -gsSN -A \(Self.quoted(CurlTransport.userAgent))"]
    let time = settings.totalMilliseconds
    lines += settings.options(isLocal: request.isLocal, within: time).flatMap(\.words)
    let open = request.headers.filter { !hidden.contains($0) } + ["Expect:"]
    lines += (open + references.files.map { "@" + $0 }).map { "-H " + Self.quoted($0) }
    let hasBody = !body.isEmpty || !request.form.isEmpty
    if request.method == "GET", !hasBody {
      lines.append("-G")
    } else if request.method != "POST" || !hasBody {
      lines.append("-X \(Self.quoted(request.method))")
    }
    lines += request.form.map { "-F " + Self.quoted($0.field.curlText) }
    if !body.isEmpty { lines.append("--data-binary @-") }
    if let path { lines.append("-f -o \(Self.quoted(path))") }
    var last = Self.quoted(request.url)
    if !secret.isEmpty {
      lines.append("-H @/dev/fd/3")
      last += " 3<<END\n" + secret.map { $0 + "\n" }.joined() + "END"
    }
    lines.append(last)
    let command = lines.joined(separator: " \\\n  ") + "\n"
    return body.isEmpty ? command : "printf %s \(Self.quoted(body)) |\n" + command
  }

  /// `text` as one word of a shell, whatever is in it.
  static func quoted(_ text: String) -> String {
    // What means nothing to a shell needs no quotes.
    let isPlain = text.utf8.allSatisfy {
      ASCII.isLetterOrDigit($0) || "%+,-./:=@_".utf8.contains($0)
    }
    if isPlain, !text.isEmpty { return text }
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: #"'\''"#) + "'"
  }
}
