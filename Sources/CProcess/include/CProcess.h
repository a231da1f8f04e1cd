// The cleanup of this process when a signal ends it, and its memory.
#pragma once

/// Has blocks of 4 MiB and more return to the system once they are free, where the C library can.
void cprocess_return_large_blocks(void);

/// Makes signals that end the process, unless it ignores them, first remove the noted files and
/// line.
void cprocess_clean_up_at_signals(void);

/// Begins work which SIGHUP, SIGINT and SIGTERM do not end: the first of them is noted, interrupts
/// what a call waits for, and again each second. The second one ends the process as usual. A write
/// without a reader fails from then on.
void cprocess_begin_noting(void);

/// Ends such work.
void cprocess_end_noting(void);

/// Returns the number of the signal that was noted, or 0.
int cprocess_noted_signal(void);

/// Ends the process as signal `number` does.
void cprocess_end_by_signal(int number);

/// Notes the file at `path` for removal. Returns its slot, or -1 when none is free.
int cprocess_add_file(const char *path);

/// Forgets the file in `slot`.
void cprocess_remove_file(int slot);

/// Notes the last line on `terminal`, a descriptor, for removal; -1 for no line.
void cprocess_set_line(int terminal);
