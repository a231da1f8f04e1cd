import Foundation

/// nginx in front of a loopback server, at a Unix socket.
package final class Nginx {
  package static let isAvailable = Tools.path(of: "nginx") != nil

  /// The socket that it listens at.
  package let socket: String
  private let folder: TemporaryFolder
  private let process: ToolProcess

  /// Brings what comes to `port`; `directives` are added to those of the location. With
  /// `certificate` it speaks TLS and HTTP/2.
  package init(
    to port: Int, _ directives: [String], certificate: Certificate? = nil
  ) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    socket = folder.path + "/socket"
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder.path)/\($0);" }
    let tls = certificate.map {
      "ssl_certificate \($0.path); ssl_certificate_key \($0.keyPath);"
    }
    let configuration = """
      daemon off;
      master_process off;
      pid \(folder.path)/pid;
      error_log stderr notice;
      events {}
      http {
        access_log off;
        \(temporary.joined(separator: " "))
        server {
          listen unix:\(socket)\(certificate == nil ? "" : " ssl http2");
          \(tls ?? "")
          location / {
            proxy_pass http://127.0.0.1:\(port);
            proxy_http_version 1.1;
            \(directives.map { $0 + ";" }.joined(separator: " "))
          }
        }
      }

      """
    let file = try folder.file("nginx.conf", configuration)
    process = try ToolProcess("nginx", ["-p", folder.path, "-c", file, "-e", "stderr"])
    let told = process.errors { $0.contains("getrlimit(RLIMIT_NOFILE)") }
    guard told.contains("getrlimit(RLIMIT_NOFILE)") else { throw Failed(reason: told) }
  }

  private struct Failed: Error {
    let reason: String
  }
}
