import Foundation

/// Where the tools under test are.
package enum Tools {
  /// The folder that `ORESP_TOOLS` names, or else the one that the tests were built into.
  package static let folder: String = {
    if let named = ProcessInfo.processInfo.environment["ORESP_TOOLS"] { return named }
    let bundles = CommandLine.arguments.filter { $0.contains(".xctest") }
    let executables = [Bundle.main.executablePath].compactMap { $0 } + bundles
    for path in executables {
      var folder = URL(fileURLWithPath: path)
      while folder.path != "/" {
        folder.deleteLastPathComponent()
        let tool = folder.appendingPathComponent("oresp-sse").path
        if FileManager.default.isExecutableFile(atPath: tool) { return folder.path }
      }
    }
    fatalError("the tools are not beside the tests, \(executables)")
  }()

  /// What the tools are given of the environment: none of the caller's settings.
  static var environment: [String: String] {
    ["PATH": "\(folder):\(systemPath)", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"]
  }

  /// Where `program` is: a tool or one of the system's; `nil` when it is not installed.
  package static func path(of program: String) -> String? {
    if program.contains("/") { return program }
    let folders = [folder] + systemPath.split(separator: ":").map(String.init)
    return folders.map { $0 + "/" + program }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static let systemPath =
    ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
}
