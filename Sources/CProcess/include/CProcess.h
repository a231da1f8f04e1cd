// The arguments of this process, byte for byte, its stack, its lack of memory, and its end.
#pragma once

#include <stddef.h>

/// The argument at `index`, the tool's name being at 0; NULL behind the last one.
const char *cprocess_argument(int index);

/// Returns the result of `work`, which runs on a thread of its own where the stack has a lower
/// limit than `size`.
int cprocess_with_stack(size_t size, int (*work)(void *context), void *context);

/// Makes the signals by which people, pipes and limits of the system end a process, unless they are
/// ignored, first remove the files and the line that are noted here. A lack of memory always does
/// so, and ends the process with a message and status 2 where the C library shows it.
void cprocess_clean_up_at_signals(void);

/// Notes that the file at `path` is to be removed. Returns its slot, or -1 when all are in use.
int cprocess_add_file(const char *path);

/// Forgets the file in `slot`.
void cprocess_remove_file(int slot);

/// Notes that the last line on `terminal`, a descriptor, is to be removed; -1 for none.
void cprocess_set_line(int terminal);
