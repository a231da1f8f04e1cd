#define _GNU_SOURCE
#include "CProcess.h"

// Any header of the C library defines the macro that names the library: __GLIBC__
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int count;
static char **list;

const char *cprocess_argument(int index) { return index < count ? list[index] : 0; }

// Keeps the arguments of main: Swift's own way to them reads /proc on Linux, which may be missing.
// Only these C libraries pass them to a constructor.
#if defined(__GLIBC__) || defined(__APPLE__)
__attribute__((constructor)) static void keep(int argc, char **argv) {
  count = argc;
  list = argv;
}
#endif

// Keeps Swift's runtime, linked statically, from its search for a backtracer beside /proc/self/exe,
// which aborts where that is missing. A variable that names the backtracer prevents the search.
#if defined(__linux__)
__attribute__((constructor(101))) static void spareRuntime(void) {
  if (access("/proc/self/exe", F_OK) != 0) setenv("SWIFT_BACKTRACE", "swift-backtrace=/none", 0);
}
#endif

struct task {
  int (*work)(void *context);
  void *context;
  sigset_t signals;
  int result;
};

static void *perform(void *raw) {
  struct task *task = raw;
  pthread_sigmask(SIG_SETMASK, &task->signals, NULL);
  task->result = task->work(task->context);
  return NULL;
}

// `ulimit -s` bounds the stack of `main` and of all threads that ask for nothing else.
int cprocess_with_stack(size_t size, int (*work)(void *context), void *context) {
  struct task task = {.work = work, .context = context};
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= size) return work(context);
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size);
#if defined(__linux__)
  // libcurl starts threads of its own.
  pthread_setattr_default_np(&attributes);
#endif
  // This thread blocks all signals and leaves them to the other, which may wait for some.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &task.signals);
  if (pthread_create(&thread, &attributes, perform, &task)) perform(&task);
  else pthread_join(thread, NULL);
  return task.result;
}

// The files and the screen line that a signal's handler removes. The handler may interrupt
// anything, on any thread: it only uses atomics and calls `unlink` and `write`. A path is freed
// only while no handler runs.
static _Atomic(char *) paths[64];
static atomic_int screen = -1;
static atomic_bool is_ending;

static void removeFiles(void) {
  atomic_store(&is_ending, true);
  for (size_t slot = 0; slot < sizeof paths / sizeof *paths; slot++) {
    char *path = atomic_load(&paths[slot]);
    if (path) unlink(path);
  }
}

int cprocess_add_file(const char *path) {
  char *copy = strdup(path);
  for (int slot = 0; copy && slot < (int)(sizeof paths / sizeof *paths); slot++) {
    char *none = NULL;
    if (atomic_compare_exchange_strong(&paths[slot], &none, copy)) return slot;
  }
  free(copy);
  return -1;
}

void cprocess_remove_file(int slot) {
  char *path = atomic_exchange(&paths[slot], NULL);
  if (!atomic_load(&is_ending)) free(path);
}

void cprocess_set_line(int terminal) { atomic_store(&screen, terminal); }

// Cleans up, then ends the process by the signal's own action, and so with its status.
static void endBySignal(int number) {
  static const char wiping[] = "\r\33[K";
  int terminal = atomic_load(&screen);
  removeFiles();
  // A failed write only leaves the line on the screen.
  ssize_t written = terminal < 0 ? 0 : write(terminal, wiping, sizeof wiping - 1);
  (void)written;
  signal(number, SIG_DFL);
  raise(number);
}

void cprocess_clean_up_at_signals(void) {
  static const int numbers[] = {SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
    // A signal ignored from the start stays ignored. Swift's runtime may handle SIGQUIT.
    if (signal(numbers[index], endBySignal) == SIG_IGN) signal(numbers[index], SIG_IGN);
  }
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_MALLOC_OF_ITS_OWN
#endif
#endif

// Reports a lack of memory as any other failure; Swift alone would end the process by a trap, with
// a trace. This needs a C library that has its `malloc` under another name, too. Code that calls
// `calloc` and `realloc` checks for itself that they fail.
#if defined(__GLIBC__) && !defined(HAS_MALLOC_OF_ITS_OWN)
extern void *__libc_malloc(size_t size);

__attribute__((noreturn, cold, noinline)) static void endForLack(void) {
  static const char words[] = ": out of memory\n";
  const char *name = program_invocation_short_name;
  removeFiles();
  // A buffer of stdio could need memory, too.
  if (write(2, name, strlen(name)) >= 0 && write(2, words, sizeof words - 1) >= 0) _exit(2);
  _exit(2);
}

void *malloc(size_t size) {
  void *made = __libc_malloc(size);
  if (!made) endForLack();
  return made;
}
#endif
