// What the system gives to this process: its arguments, byte for byte, and memory.
#pragma once

/// The argument at `index`, the tool's name being at 0; NULL behind the last one.
const char *cprocess_argument(int index);

/// Has `work` done before this process ends because it gets no more memory, which is told, with
/// status 2; `work` may not allocate. Where the C library lets nobody see that, nothing is done.
void cprocess_before_lack(void (*work)(void));
