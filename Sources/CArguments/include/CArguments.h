// The arguments that the system gave to this process, byte for byte.
#pragma once

/// The argument at `index`, the tool's name being at 0; NULL behind the last one.
const char *carguments_at(int index);
