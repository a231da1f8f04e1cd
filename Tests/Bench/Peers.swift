import Foundation

/// The programs that the tools are compared with.
enum Peers {
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
