/// Moves bytes through `filter`: from each of `paths` in turn (`-`, or no path at all, is standard
/// input) to standard output. What a read made is written before the next read, and before anything
/// is told of it.
///
/// A file that cannot be read is told and passed over. Returns the worst status of all that was
/// told.
package func pump<F: Filter & ~Copyable>(
  _ filter: consuming F, from paths: [String], telling notifier: Notifier
) throws(Failure) -> ExitStatus {
  var stdout = Descriptor(borrowing: 1, name: "stdout")
  let status = try pump(filter, from: paths, to: stdout, telling: notifier)
  try stdout.close()
  return status
}

/// The same, to `stdout` in place of standard output; it stays open.
package func pump<F: Filter & ~Copyable>(
  _ filter: consuming F, from paths: [String], to stdout: borrowing Descriptor,
  telling notifier: Notifier
) throws(Failure) -> ExitStatus {
  var output = Output()
  var input = InputBuffer()
  var status = ExitStatus.completed
  var hasFailed = false
  for path in paths.isEmpty ? ["-"] : paths {
    input.reset()
    let failure = try pump(&filter, from: path, &input, to: stdout, &output, notifier, &status)
    guard let failure else { continue }
    notifier.tell(failure)
    status = max(status, failure.status)
    hasFailed = true
  }
  status = max(status, filter.finish(into: &output))
  if !hasFailed, let complaint = filter.complaint { output.notices.append(complaint) }
  try flush(&output, to: stdout, about: nil, notifier, &status)
  return status
}

/// Moves one input; returns why it could not be read to its end, if it could not.
private func pump<F: Filter & ~Copyable>(
  _ filter: inout F, from path: String, _ input: inout InputBuffer,
  to stdout: borrowing Descriptor, _ output: inout Output, _ notifier: Notifier,
  _ status: inout ExitStatus
) throws(Failure) -> Failure? {
  let source: Descriptor
  do throws(Failure) {
    source = try Descriptor(operand: path)
  } catch {
    return error
  }
  var failure: Failure?
  while true {
    while let time = output.wakeAt, source.isIdle(until: time) {
      output.wakeAt = nil
      filter.wake(into: &output)
      try flush(&output, to: stdout, about: source.name, notifier, &status)
    }
    do throws(Failure) {
      if try source.read(into: &input) == 0 { break }
    } catch {
      failure = error
      break
    }
    repeat {
      filter.take(&input, into: &output)
      try flush(&output, to: stdout, about: source.name, notifier, &status)
    } while try pause(&filter, to: stdout, &output, notifier, &status)
  }
  repeat {
    filter.endInput(&input, into: &output)
    try flush(&output, to: stdout, about: source.name, notifier, &status)
  } while try pause(&filter, to: stdout, &output, notifier, &status)
  return failure
}

/// Waits as `output` asks for, and wakes `filter` meanwhile; false when there is nothing to wait for.
private func pause<F: Filter & ~Copyable>(
  _ filter: inout F, to stdout: borrowing Descriptor, _ output: inout Output,
  _ notifier: Notifier, _ status: inout ExitStatus
) throws(Failure) -> Bool {
  guard let end = output.pauseUntil else { return false }
  output.pauseUntil = nil
  while true {
    let now = Clock.steadyMilliseconds()
    if now >= end { return true }
    if let time = output.wakeAt, time <= now {
      output.wakeAt = nil
      filter.wake(into: &output)
      try flush(&output, to: stdout, about: nil, notifier, &status)
    } else {
      Clock.pause(milliseconds: min(end, output.wakeAt ?? end) - now)
    }
  }
}

/// Writes the bytes of `output` to `stdout`, then tells its notices, which are about `input`, and
/// empties it. Raises `status` to the worst that was told.
package func flush(
  _ output: inout Output, to stdout: borrowing Descriptor, about input: String?,
  _ notifier: Notifier, _ status: inout ExitStatus
) throws(Failure) {
  if !output.bytes.isEmpty {
    try stdout.write(output.bytes.span)
    // What one huge event needed is not kept.
    let isLarge = output.bytes.capacity > InputBuffer.keptSize
    output.bytes.removeAll(keepingCapacity: !isLarge)
  }
  if output.hasOpenLine, !output.notices.isEmpty {
    output.aside.append("\r\u{1B}[K")
    output.hasOpenLine = false
  }
  if !output.aside.isEmpty {
    // As with notices, a stderr that cannot be written to changes nothing.
    try? Descriptor(borrowing: 2, name: "stderr").write(output.aside.span)
    output.aside.removeAll(keepingCapacity: true)
  }
  for notice in output.notices {
    notifier.tell(notice, about: input)
    status = max(status, notice.status ?? .completed)
  }
  output.notices.removeAll(keepingCapacity: true)
}
