/* What the check of an image does alike on processors of 32 bits with one address space, over `data` and `allowed`. */
#ifndef MC_IMAGE_PROCESSOR_32_H
#define MC_IMAGE_PROCESSOR_32_H

#include "image/decision_tree.h"

/* The core is the caller's, and freed with the rest. False: no memory. */
bool img_create_32(struct img *x, void *core, uint64_t *cycles);
void img_destroy_32(struct img *x);

/* So many bytes are read, or were written. */
bool img_ask_32(struct img *x, uint32_t at, uint32_t size);
void img_tell_32(struct img *x, uint32_t at, uint32_t size);
/* While the start-up runs devices are memory that was 0, and the transmitter is ready; but what is looked at again and again
 * becomes something else, one nibble after the other: so what waits goes on. */
bool img_ask_at_start_32(struct img *x, uint32_t at, uint32_t size);

/* Before the start-up, with so many bytes of RAM; and after it, from `base_stack` on. */
void img_memory_at_start_32(struct img *x, uint32_t ram);
void img_keep_started_32(struct img *x);

/* What a register holds that cannot be relied on. */
uint32_t img_at_entry_32(uint32_t r, bool inverse);

#endif
