import Core

extension EventsTool {
  static var usageOptions: [Option<Settings>] {
    [
      .action(
        "usage", nil, help: "Print the token usage of each response.",
        detail: """
          One line each; see
          .Sx PRODUCTS .
          """
      ) { settings, isOn throws(Failure) in
        try settings.make(.usage, isOn, option: "--usage")
      },
      .action(
        "cost", nil, help: "Print what each response costs, and the sums.",
        detail: """
          One line each, and one at the end; see
          .Sx PRODUCTS .
          It takes
          .Fl -prices .
          """
      ) { settings, isOn throws(Failure) in
        try settings.make(.cost, isOn, option: "--cost")
      },
      .value("prices", nil, "FILE", .file, help: "Read the prices for --cost from FILE.") {
        settings, file throws(Failure) in settings.prices = file
      },
      .action(
        "stats", nil, help: "Print figures of each response: what came, and how fast.",
        detail: """
          One line each; see
          .Sx PRODUCTS .
          The times need events that
          .Ql oresp-sse \\-\\-stamp
          has stamped.
          """
      ) { settings, isOn throws(Failure) in
        try settings.make(.stats, isOn, option: "--stats")
      },
    ]
  }

  /// The filter that prints costs, with its prices read.
  static func costFilter(_ settings: Settings) throws(Failure) -> CostFilter {
    guard let prices = settings.prices else { throw .usage("--cost takes --prices=FILE") }
    return CostFilter(try PriceList(reading: prices))
  }
}
