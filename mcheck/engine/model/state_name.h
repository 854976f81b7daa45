/* What names a state outside of a process: the values of its components, byte for byte, one after the other. A root is made of
 * numbers that only its own engine knows; a name is the same wherever the state is found. */
#ifndef MC_STATE_NAME_H
#define MC_STATE_NAME_H

#include "model/worker.h"

uint64_t mc_name_size(const struct mc_space *s);
/* Of the state in `v`. */
void mc_put_name(const struct mc_worker *w, uint8_t *name);
/* The root of the state with this name, which `v` then holds. */
uint64_t mc_root_of_name(struct mc_worker *w, const uint8_t *name);

/* Which of so many owners keeps a state: a hash of its name says it. Of one with undetermined values it is a hash of its shape: of what
 * is determined, and where it is not (a byte of `undetermined` for each of the name; NULL: all is determined), so that all that
 * may cover each other have one owner. */
uint32_t mc_owner_by_hash(const uint8_t *name, const uint8_t *undetermined, uint64_t size, uint32_t owners);

#endif
