#include "CArguments.h"

// Any header of the C library tells which one it is.
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

static int count;
static char **list;

const char *carguments_at(int index) { return index < count ? list[index] : 0; }

// What main gets. Swift has no main of its own to write, and its CommandLine reads /proc on Linux,
// which need not be there. Only these C libraries hand the arguments to a constructor.
#if defined(__GLIBC__) || defined(__APPLE__)
__attribute__((constructor)) static void keep(int argc, char **argv) {
  count = argc;
  list = argv;
}
#endif

// A runtime that is linked into the tool looks for its backtracer beside /proc/self/exe, before
// anything else, and aborts where it cannot. It does not look where it is told a place.
#if defined(__linux__)
__attribute__((constructor(101))) static void spareRuntime(void) {
  if (access("/proc/self/exe", F_OK) != 0) setenv("SWIFT_BACKTRACE", "swift-backtrace=/none", 0);
}
#endif
