/* The set of states grows in place. */
#ifndef MC_GROWN_SET_H
#define MC_GROWN_SET_H

#include "base/thread_barrier.h"
#include "store/state_set.h"

/* So many lines or more. `a_count`, `b_count`: how many numbers the halves have, so that they get enough bits. False if
 * there is no memory; the table is as it was then. `crew`: the caller is alone, and those who rest help; NULL: nobody does. */
bool mc_roots_grow(struct mc_roots *r, uint64_t lines, uint64_t a_count, uint64_t b_count, struct mc_crew *crew);

#endif
