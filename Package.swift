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
  ]
)
