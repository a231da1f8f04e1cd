import Core

extension EventsTool {
  static var selectOptions: [Option<Settings>] {
    [
      .value(
        "type", "t", "GLOB", .oneOf(typeNames), help: "Keep events of type GLOB only; repeatable.",
        detail: """
          A leading
          .Ql response.\\&
          may be left out.
          In
          .Ar GLOB ,
          .Ql *
          stands for any run of characters,
          .Ql \\&?
          for any one,
          .Ql [a-z]
          for one of a set,
          .Ql [!a-z]
          for one outside it, and
          .Ql {a,b}
          for one of several texts.
          """
      ) { settings, glob throws(Failure) in
        try settings.types.keep(glob)
      },
      .value(
        "type-not", "T", "GLOB", .oneOf(typeNames),
        help: "Drop events of type GLOB; repeatable.",
        detail: """
          What
          .Fl T
          drops,
          .Fl t
          does not bring back.
          """
      ) { settings, glob throws(Failure) in
        try settings.types.drop(glob)
      },
    ]
  }

  /// The documented types, as short as they may be written.
  private static var typeNames: [String] {
    EventCatalogue.rows.filter { $0.standing == .official }.map {
      TypeSelection.short($0.name.description)
    }
  }
}
