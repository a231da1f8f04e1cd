#include "CProcess.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
