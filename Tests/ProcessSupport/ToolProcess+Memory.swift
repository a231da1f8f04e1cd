import Foundation

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
