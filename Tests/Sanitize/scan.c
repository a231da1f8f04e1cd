// Compares every search of CScan with a plain loop, on heap blocks that end where the bytes end, so
// that a sanitizer sees what is read beyond.
#include <stdio.h>
#include <stdlib.h>

#include "CScan.h"

static uint64_t state = 1;

static uint64_t next(void) {
  state += 0x9E3779B97F4A7C15u;
  uint64_t mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
  return mixed ^ mixed >> 31;
}

static void check(int holds, const char *what, size_t start, size_t count) {
  if (holds) return;
  fprintf(stderr, "%s is wrong from %zu of %zu\n", what, start, count);
  abort();
}

#define SEARCH(name, hits)                                                                        \
  do {                                                                                            \
    size_t index = start;                                                                         \
    for (; index < count; index++) {                                                              \
      uint8_t byte = bytes[index];                                                                \
      if (hits) break;                                                                            \
    }                                                                                             \
    check(name(bytes, start, count) == index, #name, start, count);                               \
  } while (0)

static void search(const uint8_t *bytes, size_t start, size_t count) {
  SEARCH(cscan_string_run, byte == '"' || byte == '\\' || byte < 0x20);
  SEARCH(cscan_ascii_string_run, byte == '"' || byte == '\\' || byte < 0x20 || byte > 0x7F);
  SEARCH(cscan_line, byte == '\n' || byte == '\r');
  SEARCH(cscan_printable_run, byte < 0x20 || byte > 0x7E);
  SEARCH(cscan_ascii_run, byte > 0x7F);
}

int main(void) {
  static const uint8_t usual[] = "aaaa  \"\"\\\\{},:\n\r\t\x01\x7F\x80\xC3\xFF";
  for (int round = 0; round < 200000; round++) {
    size_t size = next() % 200;
    uint8_t *bytes = malloc(size);
    // Of some blocks each byte is one that searches look for, of others hardly any.
    uint64_t rare = next() % 64;
    for (size_t index = 0; index < size; index++) {
      uint64_t dice = next();
      bytes[index] = dice % 64 < rare ? 'a' : usual[(dice >> 8) % (sizeof usual - 1)];
    }
    search(bytes, size == 0 ? 0 : next() % size, size);
    free(bytes);
  }
  puts("CScan: 200000 blocks, every search as a plain loop has it");
  return 0;
}
