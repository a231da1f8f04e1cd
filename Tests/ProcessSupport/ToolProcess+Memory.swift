import Foundation

/// The limits of memory that tests hold the tools to.
package enum MemoryBudget {
  /// Whether they hold: a sanitizer, which then is in the tests and in the tools, keeps memory of its
  /// own. Its functions are among those of the process, which nil stands for.
  package static let holds = ["__asan_init", "__tsan_init"].allSatisfy { (name: String) in
    dlsym(nil, name) == nil
  }
}

#if os(Linux)
  extension ToolProcess {
    /// The most memory that the process, which must be alive, had so far.
    package func peakKibibytes() throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
      let line = Finished.lines(status).first { $0.hasPrefix("VmHWM:") }
      guard let number = line.flatMap({ Int($0.filter(\.isNumber)) }) else {
        throw SystemError("/proc/\(processID)/status", ESRCH)
      }
      return number
    }
  }
#endif
