import Foundation
import ProcessSupport
import Testing

/// What the system refuses: disks, folders, descriptors, streams; and signals that end a tool.
@Suite(.waiting) struct SystemFaultTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let canMount = (try? ToolProcess.run("unshare", ["-m", "true"]))?.status == 0
  private static let rehearsal = "oresp-send --rehearse -q -m m Hello"

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// What stands around a command in a shell, what it tells, and its status.
  private static let refusals: [(script: String, told: String, status: Int32)] = [
    ("COMMAND >/dev/full", "stdout: No space left on device", 2),
    ("COMMAND >&-", "stdout: Bad file descriptor", 2),
    ("COMMAND <&- >out", "", 0), ("COMMAND 2>&- >out", "", 0), ("COMMAND 2>/dev/full >out", "", 0),
    ("oresp-send --rehearse -m m - <&-", "stdin: Bad file descriptor", 2),
    ("exec <&- >&- 2>&-; COMMAND", "", 2),
    ("unset HOME; COMMAND >out", "", 0),
    (
      "unset HOME; oresp-send -n -P x hi",
      "--preset: no folder of presets: neither XDG_CONFIG_HOME nor HOME is set", 2
    ),
    ("exec >out; ulimit -n 4; exec COMMAND", "", 0),
  ]

  @Test(arguments: refusals)
  func `what the system refuses is reported, and is status 2`(
    script: String, told: String, status: Int32
  ) throws {
    let run = try ToolProcess.bash(
      "cd '\(folder.path)' || exit; "
        + script.replacingOccurrences(of: "COMMAND", with: Self.rehearsal))
    #expect(run.outcome == .exited(status))
    #expect(run.errors == (told.isEmpty ? "" : "oresp-send: \(told)\n"))
    #expect(try names.allSatisfy { ["out"].contains($0) })
  }

  /// Commands that write to a file, and the name that they have for it as an input.
  private static let ownInputs: [(command: String, name: String)] = [
    ("oresp-sse own >>own", "own"), ("oresp-sse <own >>own", "stdin"),
    ("oresp-sse -r own >>own", "own"), ("oresp-sse --envelope own >>own", "own"),
    ("oresp-sse --check own >>own", "own"),
    ("oresp-events own >>own", "own"), ("oresp-events <own >>own", "stdin"),
    ("oresp-events - <own >>own", "stdin"), ("oresp-events /dev/fd/0 <own >>own", "stdin"),
    ("oresp-events other ./own >>own", "./own"), ("oresp-events link >>own", "link"),
    ("oresp-events hard >>own", "hard"), ("oresp-events own 1<>own", "own"),
    ("oresp-events -R own >>own", "own"), ("oresp-events --check own >>own", "own"),
    ("oresp-events --pace own >>own", "own"), ("oresp-events --merge own >>own", "own"),
    ("oresp-events --merge other - <own >>own", "stdin"),
    ("oresp-text own >>own", "own"), ("oresp-text <own >>own", "stdin"),
    ("oresp-text -j other own >>own", "own"),
    ("oresp-send --rehearse --batch own >>own", "own"),
    ("oresp-send --rehearse -n -m m --batch <own >>own", "stdin"),
  ]

  @Test(arguments: ownInputs)
  func `an input that is the output file is refused, and nothing is written`(
    command: String, name: String
  ) throws {
    let script =
      "cd '\(folder.path)' || exit; oresp-send --rehearse -q -m m hi </dev/null >own; cp own other; "
      + "ln -s own link; ln own hard; ulimit -f 64; \(command); s=$?; cmp own other || exit 9; exit $s"
    let run = try ToolProcess.bash(script)
    #expect(run.outcome == .exited(2))
    let tool = command.prefix { $0 != " " }
    #expect(run.errors == "\(tool): \(name): the input is the output file, too\n")
  }

  @Test(arguments: [
    "oresp-events other >>own", "oresp-events <other >>own",
    "oresp-events own >/dev/null", "oresp-text other <own >>own", "oresp-text -o own2 own",
    "oresp-events </dev/null >>/dev/null",
  ])
  func `any other output is written`(command: String) throws {
    let script =
      "cd '\(folder.path)' || exit; oresp-send --rehearse -q -m m hi </dev/null >own; cp own other; "
    let run = try ToolProcess.bash(script + "ulimit -f 64; " + command)
    #expect(run.outcome == .exited(0))
    #expect(run.errors == "")
  }

  /// What is mounted before a command, and what it tells.
  private static let mounts: [(script: String, told: String, status: Int32)] = [
    (
      "mount -t tmpfs -o size=4k none disk; COMMAND >disk/out", "stdout: No space left on device", 2
    ),
    (
      "mount -t tmpfs -o ro none disk; COMMAND --log disk/out",
      "--log: disk/out: Read-only file system", 2
    ),
    (
      // The tool may stand in the folder that is covered.
      "exec 9<\"$(command -v oresp-send)\"; oresp-send() { /proc/self/fd/9 \"$@\"; }; "
        + "mount -t tmpfs -o ro none /tmp; COMMAND | tail -c 1 >/dev/null",
      "", 0
    ),
  ]

  @Test(
    .needs(canMount, "nothing can be mounted"),
    arguments: mounts)
  func `a disk that is full or read-only is reported, and holds no part`(
    script: String, told: String, status: Int32
  ) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/disk", withIntermediateDirectories: false)
    let command = script.replacingOccurrences(of: "COMMAND", with: Self.rehearsal)
    let run = try ToolProcess.run(
      "unshare",
      ["-m", "bash", "-c", "cd '\(folder.path)' || exit; \(command); echo $? >&2; ls -A disk >&2"])
    let after = script.contains(">disk") ? "out\n" : ""
    #expect(run.errors == (told.isEmpty ? "" : "oresp-send: \(told)\n") + "\(status)\n" + after)
  }

  @Test(.needs(canMount, "nothing can be mounted"))
  func `a disk that gets full holds no part of an answer`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/disk", withIntermediateDirectories: false)
    let stream = try folder.file(
      "stream",
      SampleStream.stream(
        SampleStream.events(
          Array(repeating: "words and more words", count: 2000))))
    let script =
      "mount -t tmpfs -o size=8k none disk; oresp-text -o disk/out '\(stream)'; echo $?; ls -A disk"
    let run = try ToolProcess.run(
      "unshare", ["-m", "bash", "-c", "cd '\(folder.path)'; \(script)"])
    #expect(run.errors == "oresp-text: -o: disk/out: No space left on device\n")
    #expect(run.text == "2\n")
  }

  @Test(.needs(Sanitizer.isAbsent, "a sanitizer has large files of its own"))
  func `a file that may not grow ends a tool by its signal, and leaves no part`() throws {
    let stream = try folder.file(
      "stream",
      SampleStream.stream(
        SampleStream.events(
          Array(repeating: "words and more words", count: 2000))))
    let run = try ToolProcess.bash(
      "cd '\(folder.path)'; ulimit -f 8; exec oresp-text -o out '\(stream)'")
    #expect(run.outcome == .killed(signal: SIGXFSZ))
    #expect(try names == ["stream"])
  }

  @Test(arguments: [SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ])
  func `a signal at any moment leaves no part of a file`(signal: Int32) throws {
    var random = SystemRandomNumberGenerator()
    for round in 0..<5 {
      let text = try ToolProcess(
        "oresp-text", ["-o", folder.path + "/text"], input: .open,
        environment: ["SWIFT_BACKTRACE": "enable=no"])
      text.write(SampleStream.stream)
      usleep(round == 0 ? 100_000 : UInt32.random(in: 0...60_000, using: &random))
      kill(text.processID, signal)
      #expect(text.finish().outcome == .killed(signal: signal))
      #expect(try names == [])
    }
  }

  #if os(Linux)
    /// A library that sends the tool SIGTERM when it asks for memory, the time that `SIGNAL_AT`
    /// says behind the first handler.
    private static let interruption = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <signal.h>
      #include <stdlib.h>
      static volatile int time_left, is_armed;
      typedef int (*setter)(int, const struct sigaction *, struct sigaction *);
      int sigaction(int number, const struct sigaction *action, struct sigaction *before) {
        setter real = (setter)dlsym(RTLD_NEXT, "sigaction");
        int result = real(number, action, before);
        if (number == SIGTERM && action && action->sa_handler != SIG_DFL && !is_armed) {
          time_left = atoi(getenv("SIGNAL_AT"));
          is_armed = 1;
        }
        return result;
      }
      void *malloc(size_t size) {
        static void *(*real)(size_t);
        if (!real) real = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
        if (is_armed && time_left > 0 && --time_left == 0) raise(SIGTERM);
        return real(size);
      }
      """

    @Test(
      .needs(Sanitizer.isAbsent, "a sanitizer has to be loaded before all others"))
    func `a signal that comes as soon as there is a handler ends the tool`() throws {
      let others = try TemporaryFolder()
      let library = try others.library(Self.interruption)
      var ended = 0
      for count in 1...30 {
        let run = try ToolProcess.run(
          Tools.dynamic("oresp-text"), ["-o", folder.path + "/text"],
          input: .text(SampleStream.stream),
          environment: ["LD_PRELOAD": library, "SIGNAL_AT": "\(count)"])
        #expect(run.outcome == .killed(signal: SIGTERM) || run.outcome == .exited(0), "\(count)")
        if run.outcome == .killed(signal: SIGTERM) {
          ended += 1
          #expect(try names == [])
        }
      }
      #expect(ended > 0)
    }
  #endif

  @Test(.needs(Sanitizer.isAbsent, "a sanitizer takes the memory of many"))
  func `many pipelines at once give what one gives`() throws {
    let server = try LoopbackServer(.stream(SampleStream.bytes, .slowly))
    let script = """
      for number in {1..\(Self.pipelines)}; do
        oresp-send -m m Hello | oresp-sse | oresp-events | oresp-text >"$1/$number" &
      done
      wait; cat "$1"/*
      """
    let run = try ToolProcess.bash(
      script, [folder.path], environment: ["OPENAI_BASE_URL": server.baseURL])
    #expect(run.errors == "")
    #expect(run.text == String(repeating: SampleStream.text, count: Self.pipelines))
  }

  private static let pipelines =
    ProcessInfo.processInfo.environment["ORESP_PIPELINES"].flatMap { Int($0) } ?? 50
}
