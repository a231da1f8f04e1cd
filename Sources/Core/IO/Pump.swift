/// Bytes in, bytes out: the work of a tool, without any descriptor. `pump` drives it.
package protocol Filter: ~Copyable {
  /// Handles as many of the unused bytes of `input` as it can.
  mutating func handle(_ input: inout InputBuffer, into output: inout Output)

  /// Handles the rest of `input`, which has ended; another input may follow.
  mutating func endInput(_ input: inout InputBuffer, into output: inout Output)

  /// Ends the last input. Returns the status of whatever no notice reports.
  mutating func finish(into output: inout Output) -> ExitStatus

  /// The notice of something that the whole input lacks, for the end, if all of it could be read.
  var complaint: Notice? { get }

  /// Does the work that was put off until `Output.wakeAt`, if no input came before.
  mutating func wake(into output: inout Output)
}

extension Filter where Self: ~Copyable {
  package mutating func wake(into output: inout Output) {}
}

/// Moves bytes through `filter`: from each of `paths` in turn (`-`, or no path at all, is standard
/// input) to standard output. The output of a read is written before the next read, and before its
/// notices.
///
/// A file that cannot be read is reported and skipped. Returns the worst status of all.
package func pump<F: Filter & ~Copyable>(
  _ filter: consuming F, from paths: [String], with notifier: Notifier
) throws(Failure) -> ExitStatus {
  var stdout = notifier.stdout
  let status = try pump(filter, from: paths, to: stdout, with: notifier)
  try stdout.close()
  return status
}

/// The same, to `stdout` in place of standard output; it stays open.
package func pump<F: Filter & ~Copyable>(
  _ filter: consuming F, from paths: [String], to stdout: borrowing Descriptor,
  with notifier: Notifier
) throws(Failure) -> ExitStatus {
  try notifier.refuse(paths, ifWrittenTo: stdout)
  var output = Output(notifier)
  var outlet = Outlet(notifier, to: stdout)
  var input = InputBuffer()
  var hasFailed = false
  filter.wake(into: &output)
  for path in paths.isEmpty ? ["-"] : paths {
    if output.isOver { break }
    input.reset()
    output.inputName = paths.count > 1 ? (Descriptor.isStdin(path) ? "stdin" : path) : nil
    let failure = try pump(
      &filter, from: path, notifier, &input, &output, to: &outlet)
    guard let failure else { continue }
    if let notice = failure.notice { outlet.report(notice) }
    hasFailed = true
  }
  output.inputName = nil
  let path = paths.first ?? "-"
  let isStdin = Descriptor.isStdin(path)
  let status = filter.finish(into: &output)
  // A notice that is as bad said already what is wrong with the input.
  let worst = max(
    outlet.status, output.status, output.notices.compactMap(\.status).max() ?? .completed)
  if !hasFailed, worst < .badInput, var complaint = filter.complaint {
    if paths.count == 1, !isStdin { complaint.input = path }
    output.notices.removeAll(where: \.isSaidByComplaint)
    output.notices.append(complaint)
  }
  let name = isStdin ? "stdin" : path
  try outlet.flush(&output, about: paths.count > 1 ? nil : name, isLast: true)
  try outlet.finish()
  return max(status, outlet.status)
}

/// Moves one input. Returns the failure if it could not be read to its end.
private func pump<F: Filter & ~Copyable>(
  _ filter: inout F, from path: String, _ notifier: Notifier, _ input: inout InputBuffer,
  _ output: inout Output, to outlet: inout Outlet
) throws(Failure) -> Failure? {
  let source: Descriptor
  do throws(Failure) {
    source = try notifier.open(operand: path)
  } catch {
    return error
  }
  output.readsPipe = source.leadsToProgram
  output.inputHasFailed = false
  var failure: Failure?
  while true {
    while let time = output.wakeAt, source.isIdle(until: time) {
      output.wakeAt = nil
      filter.wake(into: &output)
      try outlet.flush(&output, about: source.name)
    }
    do throws(Failure) {
      if try source.read(into: &input) == 0 { break }
    } catch {
      failure = error
      output.inputHasFailed = true
      break
    }
    repeat {
      filter.handle(&input, into: &output)
      try outlet.flush(&output, about: source.name)
    } while try pause(&filter, &output, to: &outlet)
    if output.isOver { return nil }
  }
  repeat {
    filter.endInput(&input, into: &output)
    try outlet.flush(&output, about: source.name)
  } while try pause(&filter, &output, to: &outlet)
  return failure
}

/// Waits as `output` asks for, and wakes `filter` meanwhile; false when there is nothing to wait
/// for.
private func pause<F: Filter & ~Copyable>(
  _ filter: inout F, _ output: inout Output, to outlet: inout Outlet
) throws(Failure) -> Bool {
  guard let end = output.pauseUntil else { return false }
  output.pauseUntil = nil
  while true {
    let now = Clock.steadyMilliseconds()
    if now >= end { return true }
    if let time = output.wakeAt, time <= now {
      output.wakeAt = nil
      filter.wake(into: &output)
      try outlet.flush(&output, about: nil)
    } else {
      Clock.pause(milliseconds: min(end, output.wakeAt ?? end) - now)
    }
  }
}
