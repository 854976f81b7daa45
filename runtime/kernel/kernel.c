/* The kernel as one module: what compiled code calls, with external linkage, to be linked into the program and inlined. */
#define LF_INLINE __attribute__((always_inline))
#include "lf.h"
