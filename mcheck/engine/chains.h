/* Chains: a state with one successor is passed through, and only where the way goes on from there is a state that is kept.
 *
 * Passed is a state that has one step, which is of a slot, does not fail, and does not start from one of the positions `keeps`.
 * These are chosen so that every cycle of states has a step from one of them. Whether a state is passed depends on the state
 * alone, but for chains of more than `longest` steps, of which one state in so many is kept: there is always an end.
 */
#ifndef MC_CHAINS_H
#define MC_CHAINS_H

#include "successors.h"

struct mc_chains {
    const uint8_t *keeps; /* by position: from here steps are not passed over */
    uint32_t longest;
    uint32_t broken; /* what is longer is forgotten: for tests */
    uint32_t cut;    /* a chain was longer: a state with one successor may be kept */
    const struct mc_engine *of; /* set by mc_pass_chains */
};

/* As mc_expand, with the kept states at the ends of the chains as successors; without chains mc_expand itself. A successor's
 * `passed` is how many states lie between, each left by its successor 0, and `changes` has every component that any of these
 * steps has changed. */
enum mc_end mc_expand_to_kept(struct mc_worker *w, mc_visit visit, void *context);

/* From the initial state along these successors, each with the chain behind it: the successors one by one, as mc_expand
 * numbers them. How many there are; UINT64_MAX: they are not there. */
uint64_t mc_way_through_chains(struct mc_worker *w, const uint32_t *kept, uint64_t count, uint32_t *ordinals, uint64_t room);

struct mc_engine;
/* Before a search begins. */
void mc_pass_chains(struct mc_engine *e, struct mc_chains *c);
/* How many states have been passed by a breadth-first search, each as often as it was. */
uint64_t mc_passed_states(const struct mc_engine *e);
void mc_chain_free(struct mc_worker *w);

#endif
