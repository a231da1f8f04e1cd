import Core

/// One change of a request that the command line asks for.
package struct BodyEdit: Sendable {
  /// The option that asks for it, as it is told in messages.
  let option: String
  let path: BodyPath
  /// What is set; `nil` takes away what is there.
  let source: ValueSource?

  init(_ option: String, _ path: BodyPath, _ source: ValueSource?) {
    (self.option, self.path, self.source) = (option, path, source)
  }

  init(_ option: String, _ path: String, _ value: JSONValue) {
    self.init(option, BodyPath(members: path), .given(value))
  }
}

extension Failure {
  /// The file at `path`, which an option names, is not what it must be. Standard input is input
  /// also where an option names it.
  static func broken(_ path: String, _ why: String) -> Failure {
    let name = RequestBuilder.Sources.name(of: path)
    return .other("\(name): \(why)", path == "-" ? .badInput : .usage)
  }

  /// The same failure, told of `place`; what was told of a file or of input stays as it is.
  func of(_ place: String) -> Failure {
    if case .usage(let why) = self { .usage("\(place): \(why)") } else { self }
  }
}

/// Runs `work`; what it finds wrong with the usage is told of `place`.
func telling<Value>(
  of place: String, _ work: () throws(Failure) -> Value
) throws(Failure) -> Value {
  do throws(Failure) {
    return try work()
  } catch {
    throw error.of(place)
  }
}
