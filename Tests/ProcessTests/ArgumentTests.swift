import Foundation
import ProcessSupport
import Testing

/// What the system hands over: arguments and names of files, byte for byte.
@Suite struct ArgumentTests {
  /// A library that takes the place of the system's allocator; `nil` where none is installed.
  private static let allocator: String? = {
    let places = ["x86_64", "aarch64"].map { (machine: String) -> String in
      "/usr/lib/\(machine)-linux-gnu/libjemalloc.so.2"
    }
    return places.first { (path: String) in FileManager.default.fileExists(atPath: path) }
  }()

  @Test(
    .needs(allocator != nil, "libjemalloc2 is not installed"),
    .needs(Sanitizer.isAbsent, "a sanitizer has to be loaded before all others"),
    arguments: ["oresp-send", "oresp-sse", "oresp-events", "oresp-text"])
  func `every tool starts under a preloaded allocator`(tool: String) throws {
    let environment = ["LD_PRELOAD": Self.allocator ?? ""]
    let run = try ToolProcess.run(tool, ["--version"], environment: environment)
    #expect(run.lines == ["\(tool) (oresp) 0.1.0"] && run.status == 0, "\(run.errors)")
  }

  @Test func `names that are not UTF-8 are opened and written as they are`() throws {
    let folder = try TemporaryFolder()
    let run = try ToolProcess.bash(
      #"""
      cd "$1"
      oresp-send --rehearse >$'t\xe9e' && oresp-text -o $'t\xe9xt' $'t\xe9e' &&
      oresp-text $'t\xe9e' | cmp - $'t\xe9xt' && ln -s $'t\xe9xt' link &&
      oresp-sse $'t\xe9e' | oresp-text -o link && cmp link $'t\xe9xt' &&
      oresp-text --schema $'no\xffne\e[1m' $'t\xe9e'
      """#, [folder.path])
    #expect(run.errors == "oresp-text: --schema: no\\xffne\\u{1b}[1m: No such file or directory\n")
    #expect(run.status == 2 && run.output == [])
  }

  @Test func `a text that is not UTF-8 is refused`() throws {
    let run = try ToolProcess.bash(
      #"oresp-send -n -m m $'caf\xe9'; oresp-send -n -m $'caf\xe9' hi; oresp-events -t $'\xe9'"#)
    let told = run.errors.split(separator: "\n").filter { !$0.hasPrefix("Try ") }
    #expect(
      told == [
        #"oresp-send: expected UTF-8, got caf\xe9"#,
        #"oresp-send: -m: expected UTF-8"#,
        #"oresp-events: -t: expected UTF-8"#,
      ])
    #expect(run.status == 2)
  }
}
