package import Core

/// Feeds each of `inputs` to a filter as an input of its own, in one read. Pauses are not kept.
package func feed<F: Filter & ~Copyable>(_ filter: consuming F, inputs: [String]) -> Outcome {
  var input = InputBuffer()
  var output = Output()
  for text in inputs {
    input.reset()
    input.append(Array(text.utf8).span)
    filter.handle(&input, into: &output)
    filter.endInput(&input, into: &output)
  }
  var status = filter.finish(into: &output)
  for notice in output.notices { status = max(status, notice.status ?? .completed) }
  let told = output.notices.filter { $0.kind != .summary }
  return Outcome(
    String(decoding: output.bytes, as: UTF8.self), status,
    told.map { String($0.text(tool: "", input: "in").dropFirst(2)) })
}
