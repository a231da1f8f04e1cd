import Foundation
import ProcessSupport
import Testing

#if os(Linux)
  /// What a clock does to a run that somebody sets forth and back while it goes on.
  @Suite(.needs(Sanitizer.isAbsent, "a sanitizer has to be loaded before all others"))
  struct ClockTests {
    /// A library that has the clock of the day jump by eleven years at each look at it.
    private static let jumps = """
      #define _GNU_SOURCE
      #include <sys/syscall.h>
      #include <sys/time.h>
      #include <time.h>
      #include <unistd.h>
      static _Atomic long looks;
      int clock_gettime(clockid_t clock, struct timespec *now) {
        long result = syscall(SYS_clock_gettime, clock, now);
        if (clock == CLOCK_REALTIME) now->tv_sec += looks++ % 2 ? 350000000 : -350000000;
        return (int)result;
      }
      int gettimeofday(struct timeval *now, void *zone) {
        struct timespec time;
        clock_gettime(CLOCK_REALTIME, &time);
        now->tv_sec = time.tv_sec;
        now->tv_usec = time.tv_nsec / 1000;
        return 0;
      }
      time_t time(time_t *now) {
        struct timespec time;
        clock_gettime(CLOCK_REALTIME, &time);
        if (now) *now = time.tv_sec;
        return time.tv_sec;
      }
      """

    private let folder: TemporaryFolder
    private let environment: [String: String]

    init() throws {
      folder = try TemporaryFolder()
      environment = ["LD_PRELOAD": try folder.library(Self.jumps)]
    }

    @Test func `the clock of these tests jumps`() throws {
      // What comes with one read has one time; so much takes several.
      let event = #"{"type":"a","x":"\#(String(repeating: "x", count: 4 << 20))"}"# + "\n"
      let run = try ToolProcess.run(
        Tools.dynamic("oresp-sse"), ["--stamp"], input: .text(event + event),
        environment: environment)
      let times = run.lines.compactMap { (json($0)["oresp"] as? [String: Any])?["at"] as? Double }
      try #require(times.count == 2)
      #expect(abs(times[0] - times[1]) > 600_000_000)
    }

    @Test func `a clock that jumps changes no wait, no limit and no measure`() throws {
      let busy = Answer.body("{}", status: 503)
      let server = try LoopbackServer { $0.number < 2 ? busy : .stream(SampleStream.bytes) }
      var sender = Sender(server)
      let log = folder.path + "/log"
      sender.arguments =
        ["--retry=3", "--max-time=60", "--idle-timeout=30", "--log", log]
        + Sender.question
      sender.environment.merge(environment) { $1 }
      let run = try sender.run()
      #expect(run.outcome == .exited(0))
      #expect(run.text == SampleStream.stream)
      #expect(server.requests.count == 3)
      let logged = json(try String(contentsOfFile: log, encoding: .utf8))
      let elapsed = try #require(logged["elapsed_seconds"] as? Double)
      #expect(0.05...60 ~= elapsed)
    }
  }
#endif
