import Foundation

/// The programs that the tools are compared with.
enum Peers {
  /// What filters JSON: those of this system, and more kinds of jq in the folder ORESP_PEERS.
  static var filters: [String] {
    let folder = ProcessInfo.processInfo.environment["ORESP_PEERS"] ?? ""
    let more = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return ["jq"] + more.filter { $0.hasPrefix("jq-") }.sorted() + ["gojq", "jaq"]
  }

  /// `program` with its version.
  static func called(_ program: String) -> String {
    let version = version(of: program)
    return "`\(program)`" + (version.isEmpty ? "" : " " + version)
  }

  /// Whether `python3` has the official SDK.
  static var hasSDK: Bool {
    (try? Measure.run(Candidate("python3", "-c", "import openai; print(1)")).output) ?? 0 > 0
  }

  /// The version that `program` tells; empty when it is not found.
  static func version(of program: String) -> String {
    guard let path = Tools.path(of: program) else { return "" }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["--version"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return "" }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let words = text.split { !$0.isNumber && $0 != "." }
    return words.first { $0.contains(".") }.map(String.init) ?? ""
  }
}
