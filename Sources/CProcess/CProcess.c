#include "CProcess.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void cprocess_return_large_blocks(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 16 << 20);
#endif
}

// The files and the screen line that a signal's handler removes. The handler may interrupt
// anything, on any thread: it only uses atomics and calls `unlink` and `write`. A path is freed
// only while no handler runs.
static _Atomic(char *) paths[64];
static atomic_int screen = -1;
// The count of runs that a signal interrupts, and does not end; and the first such signal, or 0.
static atomic_int noting;
static atomic_int noted;
// Whether such a run has begun. From then on a write without a reader fails: libcurl writes to
// sockets as it closes them, too.
static atomic_bool has_noted;
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
void cprocess_end_by_signal(int number) {
  static const char wiping[] = "\r\33[K";
  int terminal = atomic_load(&screen);
  removeFiles();
  // A failed write only leaves the line on the screen.
  ssize_t written = terminal < 0 ? 0 : write(terminal, wiping, sizeof wiping - 1);
  (void)written;
  signal(number, SIG_DFL);
  raise(number);
}

static void handle(int number) {
  if (number == SIGPIPE && atomic_load(&has_noted)) return;
  bool isForPeople = number == SIGHUP || number == SIGINT || number == SIGTERM;
  int none = 0;
  if (isForPeople && atomic_load(&noting) > 0 &&
      atomic_compare_exchange_strong(&noted, &none, number)) {
    // The signal may have come just before the call that waits.
    alarm(1);
    return;
  }
  cprocess_end_by_signal(number);
}

static void interruptAgain(int number) {
  (void)number;
  alarm(1);
}

// Sets the handler of a signal, unless that is ignored from the start. Calls that it interrupts
// are not made again by the system.
static void set(int number, void (*handler)(int)) {
  struct sigaction action;
  if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN) return;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(number, &action, NULL);
}

void cprocess_clean_up_at_signals(void) {
  // Swift's runtime may handle SIGQUIT.
  static const int numbers[] = {SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
    set(numbers[index], handle);
  }
}

void cprocess_begin_noting(void) {
  if (atomic_fetch_add(&noting, 1) > 0) return;
  atomic_store(&has_noted, true);
  cprocess_clean_up_at_signals();
  set(SIGALRM, interruptAgain);
}

void cprocess_end_noting(void) { atomic_fetch_sub(&noting, 1); }

int cprocess_noted_signal(void) { return atomic_load(&noted); }
