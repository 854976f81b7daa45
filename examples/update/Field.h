/* The EXTERNAL processes of module Field. Made by `lfc header`: a change here is lost. */
#ifndef LF_EXTERNAL_Field_H
#define LF_EXTERNAL_Field_H

#include <stdbool.h>
#include <stdint.h>

_Static_assert(sizeof(bool) == 1, "a BOOLEAN takes one byte");
#undef LF_INLINE_C
#define LF_INLINE_C static inline __attribute__((unused))

/* Field.Report */
void Field_Report(void);

#endif
