/* Searches of one thread beside the breadth-first one: depth-first (dfs.c; with hashes instead of states bitstate.c),
 * directed by an estimate (best_first.c), by the number of switches (context_bounded.c), by chance (random.c), and many at once
 * (swarm.c). What Python gives them and gets back.
 *
 * They share the engine's values and pairs and have a store of their own. Errors keep the way on which they were found.
 */
#ifndef MC_WALK_H
#define MC_WALK_H

#include "api/engine.h"

enum mc_how { MC_DEPTH = 0, MC_BEST = 1, MC_ASTAR = 2, MC_HASHED = 3, MC_BITSTATE = 4, MC_CONTEXTS = 5, MC_RANDOM = 6, MC_SWARM = 7,
              MC_MODULAR = 8 };

/* How many steps an error is away at least, as it seems: of the live slots' numbers the sum (`adds`) or the least. */
struct mc_estimate {
    const uint32_t *cost; /* by position number; [0], of a free slot: 0 in a sum, else very much */
    uint32_t adds, padding;
};

enum { MC_MOST_ESTIMATES = 4, MC_FAR = 4096 };

struct mc_walk_options {
    uint64_t most_stored; /* states in the store; 0: as many as memory has room for; of MC_BITSTATE 16 bits each */
    uint32_t how, find_stuck;
    uint32_t estimates, padding;
    struct mc_estimate estimate[MC_MOST_ESTIMATES];
    uint64_t seed, most_steps;          /* of random walks and a swarm, all together; 0 steps: no bound */
    uint32_t most_depth, most_contexts; /* of one of them; of MC_CONTEXTS: switches */
    uint32_t searches, threads;         /* of a swarm; 0 searches: no bound */
};

struct mc_walk_counts {
    uint64_t visits;      /* how often a state was entered: more than there are states once one was replaced */
    uint64_t replaced;    /* states that left the store */
    uint64_t at_least;    /* different states */
    uint64_t most_stored, most_on_stack; /* at one time */
    uint64_t resolved;    /* states that were found fine by looking again */
    uint64_t reopened;
    uint64_t walks;       /* random ones that have begun; searches of a swarm that have ended */
    uint64_t finished;    /* of these, such that left nothing */
    uint64_t contexts;    /* switches that have been allowed so far */
    uint64_t overlap;     /* of a swarm: about how many states both its even and its odd searches have met, */
    uint64_t even, odd;   /* and how many each */
    double omitted;       /* states that are expected to have been taken for others */
};

struct mc_walk;

struct mc_walk *mc_walk_new(struct mc_engine *e, const struct mc_walk_options *o);
void mc_walk_free(struct mc_walk *d);
/* Before the search: the block of the state to which the program comes as long as each state has one successor, which is
 * at most so many steps away; all later states follow on it. False: none is like that, or it has an error. */
uint32_t mc_settled(struct mc_engine *e, uint32_t most, uint8_t *block);
/* As mc_search: goes on until the search is complete or something stops it. */
uint32_t mc_walk_run(struct mc_walk *d, double seconds);
const struct mc_statistics *mc_walk_statistics(struct mc_walk *d);
const struct mc_walk_counts *mc_walk_get_counts(struct mc_walk *d);
/* How many states were expanded with fewer than all slots (partial_order.h). */
uint64_t mc_walk_reduced(const struct mc_walk *d);
/* The first error of each kind and place; `state` is then its number here. */
uint32_t mc_walk_error(struct mc_walk *d, uint32_t number, struct mc_error *out);
/* The successors' numbers on the way to an error; how many there are. */
uint64_t mc_walk_way(struct mc_walk *d, uint64_t number, uint32_t *ordinals, uint64_t room);
/* The blocks on it, the initial one first. */
uint32_t mc_walk_blocks(struct mc_walk *d, uint64_t number, uint8_t *blocks);
/* Looks for a shorter way to the same error among the states of the way and up to `around` states near it. */
void mc_walk_shorten(struct mc_walk *d, uint64_t number, uint64_t around);
/* As mc_stuck. `number` is that of an error which has the way. 3: it is not known; there was not room enough. */
uint32_t mc_walk_stuck(struct mc_walk *d, uint64_t *number, uint8_t *slots);
/* Of the states that are in the store; for tests. */
void mc_walk_all_states(struct mc_walk *d, mc_visit_block *visit, void *context);

#endif
