/* Chains: a state with one successor is passed through, and only where the way goes on from there is a state that is kept.
 *
 * Passed is a state that has one step, which is of a slot, does not fail, and does not start from one of the positions `keeps`.
 * These are chosen so that every cycle of states has a step from one of them. Whether a state is passed depends on the state
 * alone, but for chains of more than `longest` steps, of which one state in so many is kept: there is always an end.
 *
 * Where hardly any state is passed, the search goes on without from some level on. Who expands a state again does it as it
 * was expanded first; those from before that level are few, and listed.
 */
#ifndef MC_CHAINS_H
#define MC_CHAINS_H

#include "api/chains.h"
#include "model/reduction.h"

/* Before a search begins. `is_known`: whether it takes long to try if a state has one successor, and the state is kept anyway. */
void mc_attach_chains(struct mc_space *s, struct mc_chains *c, bool (*is_known)(const struct mc_engine *e, uint64_t root));

#endif
