import CArguments

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The arguments of this process behind the tool's name, byte for byte.
func processArguments() -> [String] {
  // Where the C library hands them to `main` only, Swift's own way to them has to do.
  guard unsafe carguments_at(0) != nil else { return Array(CommandLine.arguments.dropFirst()) }
  var arguments: [String] = []
  while let argument = unsafe carguments_at(Int32(arguments.count + 1)) {
    arguments.append(unsafe String(system: argument))
  }
  return arguments
}

/// The value of the environment variable `name`; `nil` when it is unset or empty.
package func environment(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  let text = unsafe String(system: value)
  return text.isEmpty ? nil : text
}

extension String {
  /// The text that stands for the bytes from `start` up to a NUL.
  init(system start: UnsafePointer<CChar>) {
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: strlen(start))
    self.init(system: unsafe Array(bytes))
  }
}

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
