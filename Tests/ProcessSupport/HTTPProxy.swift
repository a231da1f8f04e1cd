import Foundation

/// An HTTP proxy on 127.0.0.1: tinyproxy.
package final class HTTPProxy {
  package static let isAvailable = Tools.path(of: "tinyproxy") != nil

  package let port: Int
  private let folder: TemporaryFolder
  private let process: ToolProcess

  /// `directives` are added to its configuration.
  package init(_ directives: [String] = []) throws {
    folder = try TemporaryFolder()
    // It cannot be told to choose a port; one that was free may be taken the next moment.
    var failure = ""
    for _ in 0..<10 {
      let port = try Self.freePort()
      let lines =
        ["Port \(port)", "Listen 127.0.0.1", "Timeout 600", "LogLevel Info"] + directives
      let file = try folder.file("tinyproxy.conf", lines.map { $0 + "\n" }.joined())
      let process = try ToolProcess("tinyproxy", ["-d", "-c", file])
      let told = process.output { $0.contains("Accepting connections") }
      if told.contains("Accepting connections") {
        (self.port, self.process) = (port, process)
        return
      }
      failure = told + process.finish().errors
    }
    throw Failed(reason: failure)
  }

  /// What it said when it has said what `isReady` wants.
  package func told(until isReady: (String) -> Bool) -> String { process.output(until: isReady) }

  private static func freePort() throws -> Int {
    let (descriptor, port) = try Socket.bindLoopback()
    close(descriptor)
    return port
  }

  private struct Failed: Error {
    let reason: String
  }
}
