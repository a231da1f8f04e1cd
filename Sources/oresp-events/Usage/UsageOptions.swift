import Core

extension EventsTool {
  static var usageOptions: [Option<Settings>] {
    [
      .product(
        "usage", nil, .usage, help: "Print the token usage of each response.",
        detail: """
          One line each; see `Sx PRODUCTS`.
          """),
      .product(
        "cost", nil, .cost, help: "Print the cost of each response, and the sums.",
        detail: """
          It needs `--prices`; see `Sx PRODUCTS`.
          """),
      .value("prices", nil, "FILE", .file, help: "Read the prices for --cost from FILE.") {
        settings, file throws(Failure) in settings.prices = file
      }.with("cost"),
      .product(
        "stats", nil, .stats, help: "Print counts and times of each response.",
        detail: """
          One line each; see `Sx PRODUCTS`.
          The times need events that `oresp-sse --stamp` has stamped.
          """),
    ]
  }

  /// The filter that prints costs, with its prices read.
  static func costFilter(_ settings: Settings) throws(Failure) -> CostFilter {
    guard let prices = settings.prices else { throw .usage("--cost takes --prices=FILE") }
    return CostFilter(try PriceList(FileText(reading: prices)))
  }
}
