#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Opens what is closed of standard input, output and error, so that no file opened later gets its
/// number: in the direction that makes its use fail as a closed descriptor does.
func openStandardDescriptors() {
  for (number, flags) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDWR)]
  where fcntl(number, F_GETFD) == -1 {
    _ = unsafe open("/dev/null", flags)
  }
}

/// Ends the process as a write to a closed pipe does, for when a parent had that signal ignored.
func endAsClosedPipe() -> Never { endProcess(141) }

/// Ends the process with `status`.
func endProcess(_ status: Int32) -> Never { exit(status) }

/// The value of the environment variable `name`; `nil` when it is unset or empty.
package func environment(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  let text = unsafe String(cString: value)
  return text.isEmpty ? nil : text
}
