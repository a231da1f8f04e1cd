import Foundation

/// Where the tools under test are.
package enum Tools {
  /// The folder that `ORESP_TOOLS` names, or else the one that the tests were built into.
  package static let folder: String = {
    guard let named = ProcessInfo.processInfo.environment["ORESP_TOOLS"] else {
      guard let besideTests else { fail("the tools are not beside the tests") }
      return besideTests
    }
    let folder = URL(filePath: named).path
    // The bench may measure older ones.
    if besideTests != nil, let lack = lack(of: folder) {
      fail("\(lack): swift build -c release --static-swift-stdlib")
    }
    return folder
  }()

  /// The path of a tool that loads libraries as it starts, as the static ones do not.
  package static func dynamic(_ name: String) -> String { (besideTests ?? folder) + "/" + name }

  /// The folder that the tests were built into; `nil` where something else runs than the tests.
  private static let besideTests: String? = {
    let bundles = CommandLine.arguments.filter { $0.contains(".xctest") }
    for path in [Bundle.main.executablePath].compactMap({ $0 }) + bundles {
      var folder = URL(fileURLWithPath: path)
      while folder.path != "/" {
        folder.deleteLastPathComponent()
        let tool = folder.appendingPathComponent("oresp-sse").path
        if FileManager.default.isExecutableFile(atPath: tool) { return folder.path }
      }
    }
    return nil
  }()

  /// Which tool of `folder` is missing, or older than what it is made of. A build that comes to the
  /// same code leaves a tool as it is, but not the folder of the module.
  private static func lack(of folder: String) -> String? {
    for name in ["oresp-send", "oresp-sse", "oresp-events", "oresp-text"] {
      guard let built = changed(folder + "/" + name) else { return "\(folder) has no \(name)" }
      let sources = FileManager.default.enumerator(atPath: root + "/Sources")
      while let file = sources?.nextObject() as? String {
        let module = file.prefix { $0 != "/" }
        guard !module.hasPrefix("oresp-") || module == name,
          let time = changed(root + "/Sources/" + file, only: .typeRegular), time > built
        else { continue }
        let made = changed("\(folder)/\(module.replacing("-", with: "_")).build")
        if time > made ?? built { return "\(folder)/\(name) is older than Sources/\(file)" }
      }
    }
    return nil
  }

  /// When the file at `path` was changed.
  private static func changed(_ path: String, only type: FileAttributeType? = nil) -> Date? {
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    guard type == nil || facts?[.type] as? FileAttributeType == type else { return nil }
    return facts?[.modificationDate] as? Date
  }

  /// The folder of the package.
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private static func fail(_ why: String) -> Never {
    FileHandle.standardError.write(Data("ORESP_TOOLS: \(why)\n".utf8))
    exit(2)
  }

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
