import Foundation

/// The folder of recordings that ORESP_CORPUS names.
enum Corpus {
  static func url(_ path: String) -> URL {
    let root = ProcessInfo.processInfo.environment["ORESP_CORPUS"] ?? ""
    return URL(fileURLWithPath: root, isDirectory: true).appendingPathComponent(path)
  }
}
