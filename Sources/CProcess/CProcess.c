#include "CProcess.h"

// Any header of the C library tells which one it is.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int count;
static char **list;

const char *cprocess_argument(int index) { return index < count ? list[index] : 0; }

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

static void (*last_work)(void);

void cprocess_before_lack(void (*work)(void)) { last_work = work; }

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_MALLOC_OF_ITS_OWN
#endif
#endif

// Swift ends a process that gets no memory by a trap, with a trace. Where the C library has its
// `malloc` under another name, too, such an end is told as any other failure. What is not Swift calls
// `calloc` and `realloc` as well, and sees for itself that they fail.
#if defined(__GLIBC__) && !defined(HAS_MALLOC_OF_ITS_OWN)
extern void *__libc_malloc(size_t size);
extern char *program_invocation_short_name;

__attribute__((noreturn, cold, noinline)) static void endForLack(void) {
  static const char words[] = ": out of memory\n";
  const char *name = program_invocation_short_name;
  if (last_work) last_work();
  // Without a buffer, for which there may be no room.
  if (write(2, name, strlen(name)) >= 0 && write(2, words, sizeof words - 1) >= 0) _exit(2);
  _exit(2);
}

void *malloc(size_t size) {
  void *made = __libc_malloc(size);
  if (!made) endForLack();
  return made;
}
#endif
