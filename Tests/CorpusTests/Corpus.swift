import Foundation

/// The folder of recordings that ORESP_CORPUS names.
enum Corpus {
  static func url(_ path: String) -> URL {
    let root = ProcessInfo.processInfo.environment["ORESP_CORPUS"] ?? ""
    return URL(fileURLWithPath: root, isDirectory: true).appendingPathComponent(path)
  }

  /// The files of `folder` whose names end so, each as its path in the corpus.
  static func files(_ folder: String, _ endings: String...) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url(folder).path)) ?? []
    return names.filter { name in endings.contains { name.hasSuffix($0) } }.sorted()
      .map { folder + "/" + $0 }
  }

  /// What the servers of others send, but for what was broken on purpose.
  static let peers = files("streams/peers", ".sse").filter { !broken.contains($0) }
  /// Streams that are cut, or have an event that is no JSON, or hold an error alone.
  static let broken = ["llmock-malformed-text", "llmock-truncate-text", "litellm-errors-text"]
    .map { "streams/peers/\($0).sse" }
  /// The recorded event streams, and those of the guide.
  static let eventStreams = files("streams", ".sse") + peers + files("api", ".sse")
  /// Streams that were recorded as events only.
  static let eventLines = files("streams", ".ndjson")
  /// Bodies of calls without streaming.
  static let responses = files("streams", ".response.json")
  /// Bodies of HTTP errors.
  static let errors = files("streams", ".error.json")
  static let all = eventStreams + eventLines + broken + responses + errors
}
