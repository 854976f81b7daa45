/* A search with hashes or bits, as a swarm begins it again and again. */
#ifndef MC_HASHED_H
#define MC_HASHED_H

#include "walk/single_thread.h"

struct mc_sketch;

enum mc_order { MC_LAST_FIRST, MC_FIRST_FIRST, MC_BY_CHANCE }; /* of the successors of a state */

/* How a search of a swarm is told apart from the others. */
struct mc_one_of_swarm {
    uint64_t seed, random;    /* of the hashes, 0: as they are; of the order */
    uint32_t order, functions; /* how many bits for each state */
    uint64_t deepest;         /* steps; 0: no bound */
    uint64_t most_bits, most_steps; /* it ends when so many are set, or after so many states */
    struct mc_sketch *sketch; /* NULL: none */
};

/* From the start, and so, with bits only. False: no memory. */
bool mc_hashed_begin(struct mc_walk *d, const struct mc_one_of_swarm *one);
/* Has it left nothing? */
bool mc_hashed_is_through(const struct mc_walk *d);
uint64_t mc_hashed_stack_bytes(const struct mc_walk *d);

#endif
