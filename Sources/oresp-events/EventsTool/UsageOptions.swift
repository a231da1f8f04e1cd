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
          The amount that the server says it charged counts, or else the prices of `--prices`.
          See `Sx PRODUCTS`.
          """),
      .value(
        "prices", nil, "FILE", .file, help: "Read the prices for --cost from FILE.",
        detail: """
          `FILE` is a JSON object such as `{"currency": "USD", "gpt-5": {"input": 1.25, "cached":
          0.125, "output": 10}}`: for a model, or a `GLOB`, the prices of a million tokens.
          See `Sx Cost`.
          """
      ) { settings, file throws(Failure) in settings.prices = file }.with("cost"),
      .product(
        "stats", nil, .stats, help: "Print counts and times of each response.",
        detail: """
          One line each; see `Sx PRODUCTS`.
          The times are the stamps of `oresp-sse --stamp`.
          """),
    ]
  }

  /// The filter of costs, with its prices read.
  static func costFilter(_ settings: Settings) throws(Failure) -> CostFilter {
    guard let prices = settings.prices else { return CostFilter(PriceList()) }
    return CostFilter(try PriceList(FileText(reading: prices)))
  }
}
