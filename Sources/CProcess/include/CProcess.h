// The arguments of this process, byte for byte, the size of its stack, and its cleanup at the end.
#pragma once

#include <stddef.h>

/// Returns the argument at `index`, where 0 is the tool's name; NULL after the last one.
const char *cprocess_argument(int index);

/// Calls `work` with a stack of `size` bytes or more, if need be on another thread. Returns its
/// result.
int cprocess_with_stack(size_t size, int (*work)(void *context), void *context);

/// Makes signals that end the process, unless it ignores them, first remove the noted files and
/// line. With glibc a lack of memory always removes the files, and ends the process with a message
/// and status 2.
void cprocess_clean_up_at_signals(void);

/// Notes the file at `path` for removal. Returns its slot, or -1 when none is free.
int cprocess_add_file(const char *path);

/// Forgets the file in `slot`.
void cprocess_remove_file(int slot);

/// Notes the last line on `terminal`, a descriptor, for removal; -1 for no line.
void cprocess_set_line(int terminal);
