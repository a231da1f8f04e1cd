// swift-tools-version: 6.2

import PackageDescription

/// The settings of code that runs processes and serves sockets: it calls the system directly, and
/// so does without the check for unsafe calls.
let relaxed: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The settings of all other code.
let strict = [.strictMemorySafety()] + relaxed

/// A filter needs nothing of the system but its calls: without a dynamic loader it starts in half
/// the time.
func filter(_ name: String) -> Target {
  .executableTarget(
    name: name, dependencies: ["Core"], swiftSettings: strict,
    linkerSettings: [
      .unsafeFlags(
        ["-static-executable", "-use-ld=lld"],
        .when(platforms: [.linux], configuration: .release))
    ])
}

/// The tests that read recordings of other people's streams, from the folder that ORESP_CORPUS
/// names.
let corpusTests: [Target] =
  Context.environment["ORESP_CORPUS"] == nil
  ? []
  : [
    .testTarget(
      name: "CorpusTests",
      dependencies: [
        "Core", "TestSupport", "ProcessSupport", "oresp-send", "oresp-sse", "oresp-events",
        "oresp-text",
      ],
      swiftSettings: strict)
  ]

let package = Package(
  name: "oresp",
  platforms: [.macOS(.v13)],
  products: ["oresp-send", "oresp-sse", "oresp-events", "oresp-text"].map {
    .executable(name: $0, targets: [$0])
  },
  dependencies: [],
  targets: [
    .target(name: "CScan"),
    .target(name: "CProcess"),
    .target(name: "Core", dependencies: ["CProcess", "CScan"], swiftSettings: strict),
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
    .target(
      name: "TestSupport", dependencies: ["Core", "ProcessSupport"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .target(name: "ProcessSupport", path: "Tests/ProcessSupport", swiftSettings: relaxed),
    .target(
      name: "Manuals", dependencies: ["Core"], path: "Tests/Generator", swiftSettings: strict),
    .testTarget(
      name: "CoreTests", dependencies: ["Core", "TestSupport", "ProcessSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ToolTests",
      dependencies: [
        "Core", "Manuals", "TestSupport", "ProcessSupport", "oresp-send", "oresp-sse",
        "oresp-events", "oresp-text",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ProcessTests", dependencies: ["ProcessSupport", "TestSupport"], swiftSettings: strict),
  ] + corpusTests
)
