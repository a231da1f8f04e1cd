// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

func filter(_ name: String) -> Target {
  .executableTarget(name: name, dependencies: ["Core"], swiftSettings: strict)
}

/// Tests call the system directly, so they do without the check for unsafe calls.
let relaxed = strict.dropFirst()

/// The built tools, run as processes.
let processTests: [Target] = [
  .target(
    name: "ProcessSupport", path: "Tests/ProcessSupport", swiftSettings: Array(relaxed)),
  .testTarget(
    name: "ProcessTests", dependencies: ["ProcessSupport"], swiftSettings: Array(relaxed)),
]

/// The recorded streams that the environment variable names; without it there is no such target.
let corpusTests: [Target] =
  Context.environment["ORESP_CORPUS"] == nil
  ? []
  : [
    .testTarget(
      name: "CorpusTests", dependencies: ["ProcessSupport"], swiftSettings: Array(relaxed))
  ]

let package = Package(
  name: "oresp",
  platforms: [.macOS(.v13)],
  products: ["oresp-send", "oresp-sse", "oresp-events", "oresp-text"].map {
    .executable(name: $0, targets: [$0])
  },
  dependencies: [],
  targets: [
    .target(name: "Core", swiftSettings: strict),
    .target(
      name: "CLibcurl",
      linkerSettings: [
        .linkedLibrary(":libcurl.so.4", .when(platforms: [.linux])),
        .linkedLibrary("curl", .when(platforms: [.macOS])),
      ]),
    .executableTarget(
      name: "oresp-send", dependencies: ["Core", "CLibcurl"], swiftSettings: strict),
    filter("oresp-sse"),
    filter("oresp-events"),
    filter("oresp-text"),
  ] + processTests + corpusTests
)
