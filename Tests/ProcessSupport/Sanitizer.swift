import Foundation

/// What watches the memory or the threads of a process, and needs some of both itself.
package enum Sanitizer {
  /// Whether neither the tests nor, with them, the tools have one. Its functions are among those of
  /// the process, which nil stands for.
  package static let isAbsent = ["__asan_init", "__tsan_init"].allSatisfy { (name: String) in
    dlsym(nil, name) == nil
  }
}
