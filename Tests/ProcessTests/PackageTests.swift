import Foundation
import ProcessSupport
import TestSupport
import Testing

/// The package and the tar that `.ci/package` makes, here of the tools under test, and what the
/// README says about them.
@Suite(.waiting) struct PackageTests {
  /// A folder in which the first command of the README's section made both, and unpacked the tar
  /// into `here`.
  private static func make() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let root = Repository.root.path
    let run = try ToolProcess.bash(
      """
      cd '\(folder.path)' && mkdir .build && ln -s '\(Tools.folder)' .build/release
      ln -s '\(root)'/{.ci,man,completions,README.md} . && prefix=$PWD/here ORESP_LEVEL=0
      export ORESP_LEVEL
      \(try Recipe.script("Install"))
      """)
    #expect(run.outcome == .exited(0), "\(run.errors)")
    // Of a release, nothing is warned of; a debug build loads libraries that no package has.
    if ProcessInfo.processInfo.environment["ORESP_TOOLS"] != nil { #expect(run.errors == "") }
    return folder
  }

  private static let tools = ["oresp-send", "oresp-sse", "oresp-events", "oresp-text"]

  /// A rehearsal through all tools of the folder `bin`, and what the first words are.
  private static func rehearse(from bin: String) throws -> Finished {
    try ToolProcess.bash(
      """
      PATH='\(bin)':/usr/bin:/bin; command -v \(tools.joined(separator: " "))
      set -o pipefail
      oresp-send -q --rehearse hi | oresp-sse | oresp-events -T keepalive | oresp-text | sed -n 1p |
        cut -c 1-26
      """)
  }

  private static func paths(in bin: String) -> [String] {
    tools.map { bin + "/" + $0 } + ["This answer is a rehearsal"]
  }

  @Test(.needs(Tools.path(of: "dpkg-deb") != nil, "dpkg-deb is not installed"))
  func `the package has programs that run, their manuals and completions`() throws {
    let folder = try Self.make()
    let out = folder.path + "/out"
    let run = try ToolProcess.bash(
      """
      cd '\(folder.path)' && dpkg-deb -x .build/oresp_*.deb '\(out)' || exit
      dpkg-deb -f .build/oresp_*.deb Package Version Maintainer
      dpkg-deb -f .build/oresp_*.deb Depends | grep -ow libcurl4
      cd '\(out)' && find . ! -user root -o -perm /022 ! -type l
      dpkg-deb -I ../.build/oresp_*.deb md5sums | md5sum --quiet -c -
      for page in usr/share/man/man?/*; do zcat "$page" | grep -q '^\\.Dt ' || echo "$page"; done
      for tool in usr/bin/*; do readelf -S "$tool" | grep -w .symtab; done
      cd usr && find share -type f | sed 's|vendor-completions|site-functions|' | sort >../../deb.list
      """)
    #expect(run.outcome == .exited(0), "\(run.errors)")
    #expect(
      run.lines == ["Package: oresp", "Version: 0.1.0", "Maintainer: oresp", "libcurl4"],
      "\(run.errors)")
    let rehearsal = try Self.rehearse(from: out + "/usr/bin")
    #expect(rehearsal.outcome == .exited(0), "\(rehearsal.errors)")
    #expect(rehearsal.lines == Self.paths(in: out + "/usr/bin"))
    let list = try String(contentsOfFile: folder.path + "/deb.list", encoding: .utf8)
    #expect(Finished.lines(list) == (try Self.shared))
  }

  /// What both hold below `share`.
  private static var shared: [String] {
    get throws {
      let names = { (folder: String) throws -> [String] in
        try FileManager.default.contentsOfDirectory(
          atPath: Repository.root.appending(path: folder).path)
      }
      let pages = try names("man").compactMap { name in
        name.last.flatMap { "157".contains($0) ? "man/man\($0)/\(name).gz" : nil }
      }
      let completions = try names("completions").map { name in
        name.hasPrefix("_")
          ? "zsh/site-functions/\(name)"
          : name.hasSuffix(".fish")
            ? "fish/vendor_completions.d/\(name)" : "bash-completion/completions/\(name)"
      }
      return (pages + completions + ["doc/oresp/README.md", "doc/oresp/man/timeline.svg"]).map {
        "share/" + $0
      }.sorted()
    }
  }

  @Test func `what the README installs is where it is looked for, and is removed`() throws {
    let folder = try Self.make()
    let here = folder.path + "/here"
    let rehearsal = try Self.rehearse(from: here + "/bin")
    #expect(rehearsal.lines == Self.paths(in: here + "/bin"), "\(rehearsal.errors)")
    let files = try ToolProcess.bash("cd '\(here)' && find share -type f | LC_ALL=C sort")
    #expect(files.lines == (try Self.shared))
    let removal = try ToolProcess.bash(
      """
      cd '\(folder.path)' && prefix=$PWD/here && touch here/bin/other
      \(try Recipe.script("Install", 1))
      find here ! -type d
      """)
    #expect(removal.outcome == .exited(0), "\(removal.errors)")
    #expect(removal.lines == ["here/bin/other"])
  }

  @Test func `without tools there is no package`() throws {
    let folder = try TemporaryFolder()
    let run = try ToolProcess.run(
      Repository.root.path + "/.ci/package", [folder.path], environment: ["ORESP_TOOLS": "/none"])
    #expect(run.status == 2)
    let told = "/none has no oresp-send: swift build -c release --static-swift-stdlib\n"
    #expect(run.errors == told)
  }
}
