/* The kernel as one module: what compiled code calls, with external linkage, to be linked into the program and inlined. */
#ifndef LF_INLINE
#define LF_INLINE extern inline __attribute__((always_inline))
#endif
#include "lf.h"
