import Foundation

/// A certificate that is its own authority, made with openssl, as long as this value is there.
package final class Certificate {
  package static let isAvailable = Tools.path(of: "openssl") != nil

  package let path: String
  package let keyPath: String
  private let folder: TemporaryFolder

  /// It is for `names` only, such as `IP:127.0.0.1`, and out of date if `isExpired`.
  package init(names: [String], isExpired: Bool = false) throws {
    folder = try TemporaryFolder()
    keyPath = folder.path + "/key.pem"
    path = folder.path + "/certificate.pem"
    let script = """
      openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=oresp test' \
        -addext "subjectAltName=$1" -keyout "$2" -out "$3.request" &&
      openssl x509 -req -in "$3.request" -copy_extensions copy -days "$4" -signkey "$2" -out "$3"
      """
    let days = isExpired ? "-1" : "2"
    let made = try ToolProcess.bash(
      script, [names.joined(separator: ","), keyPath, path, days])
    guard made.outcome == .exited(0) else { throw Failed(reason: made.errors) }
  }

  private struct Failed: Error {
    let reason: String
  }
}
