// The cleanup of this process when a signal ends it.
#pragma once

/// Makes signals that end the process, unless it ignores them, first remove the noted files and
/// line.
void cprocess_clean_up_at_signals(void);

/// Notes the file at `path` for removal. Returns its slot, or -1 when none is free.
int cprocess_add_file(const char *path);

/// Forgets the file in `slot`.
void cprocess_remove_file(int slot);

/// Notes the last line on `terminal`, a descriptor, for removal; -1 for no line.
void cprocess_set_line(int terminal);
