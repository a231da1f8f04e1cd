import Core

/// What no option can check alone.
extension RequestSettings {
  /// Checks before anything is read.
  func check() throws(Failure) {
    if schema.path == nil, schema.name != nil || schema.isStrict != nil {
      throw .usage("\(schema.name == nil ? "--strict" : "--schema-name") goes with --schema only")
    }
    if schema.path != nil, uses("--json") {
      throw .usage("--schema and --json exclude each other")
    }
    if presets.replaces, presets.savedName == nil {
      throw .usage("--force goes with --save-preset only")
    }
  }

  /// Checks `body`, which all options have made, for what options asked for.
  func check(_ body: RequestBody) throws(Failure) {
    if uses("--conversation"), body.says("previous_response_id") {
      throw .usage("--conversation and a previous_response_id exclude each other")
    }
    if uses("--obfuscation"), !body.says("stream") || body.isFalse("stream") {
      throw .usage("--obfuscation goes with a stream only")
    }
    if uses("--var"), body.value(at: BodyPath(members: "prompt.id")) == nil {
      throw .usage("--var goes with a prompt template: give --prompt ID")
    }
    let pairs = body.value(at: BodyPath(members: "metadata"))?.opened.members?.count ?? 0
    if uses("--metadata"), pairs > Metadata.mostPairs {
      throw .usage("--metadata: expected \(Metadata.mostPairs) pairs at most, got \(pairs)")
    }
  }

  private func uses(_ option: String) -> Bool { parameters.contains { $0.option == option } }

  /// Whether `--set`, `--set-str` or `--unset` is about the member `name`.
  func edits(_ name: String) -> Bool {
    edits.contains { edit in
      if case .member(name)? = edit.path.steps.first { true } else { false }
    }
  }
}
