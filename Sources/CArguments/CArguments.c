#include "CArguments.h"

// Any header of the C library tells which one it is.
#include <stddef.h>
#include <limits.h>

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
