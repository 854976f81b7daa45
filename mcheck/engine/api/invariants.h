/* Invariants: properties of which the letter of one step says that they are violated, whatever came before it. The search of
 * the states looks at each step that it takes, so that a violation is found when its state is. */
#ifndef MC_INVARIANTS_API_H
#define MC_INVARIANTS_API_H

#include "api/product.h"

enum { MC_MOST_INVARIANTS = 64 };

/* A step violates it if its letter has, for one of these cubes, all positive bits and no negative one. Where an atom of
 * `wanted` faults nothing is said. */
struct mc_invariant { uint32_t first_cube, cubes; uint64_t wanted; };

struct mc_invariants {
    struct mc_atoms atoms;
    uint32_t count;
    uint32_t goes_on; /* the search goes on after a violation */
    const struct mc_invariant *at;
    const uint64_t *positive, *negative; /* of cubes */
};

/* Before the search, which reads them as long as it lasts. What violates is an error of kind MC_VIOLATION: its site is the
 * number of the invariant, its first value the ordinal of the step (MC_STAYS: a run that has ended stays in its state). */
void mc_watch(struct mc_engine *e, const struct mc_invariants *i);
/* Of which of them an atom has faulted in some step (bits). */
uint64_t mc_unclear(const struct mc_engine *e);
/* The states of the search along a path from the initial one, that one first; `count` + 1 roots. False: there is none. */
uint32_t mc_roots_along(struct mc_engine *e, const uint32_t *ordinals, uint64_t count, uint64_t *roots);

#endif
