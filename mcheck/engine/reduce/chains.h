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
#include "model/successors.h"

/* As mc_expand, with the kept states at the ends of the chains as successors. Without chains, and once they are stopped,
 * mc_expand itself, unless the worker's `early` says that the state was expanded before that. A successor's
 * `passed` is how many states lie between, each left by its successor 0, and `changes` has every component that any of these
 * steps has changed. */
enum mc_end mc_expand_to_kept(struct mc_worker *w, mc_visit visit, void *context);

/* From the initial state along these successors, each with the chain behind it: the successors one by one, as mc_expand
 * numbers them. How many there are; UINT64_MAX: they are not there. */
uint64_t mc_way_through_chains(struct mc_worker *w, const uint32_t *kept, uint64_t count, uint32_t *ordinals, uint64_t room);

struct mc_engine;
/* At the begin of a level: do chains do too little? */
void mc_stop_chains_if_useless(struct mc_engine *e);
/* Was a state expanded before they were stopped? By its root, its number, its level. */
bool mc_early_root(const struct mc_space *s, uint64_t root);
bool mc_early_state(const struct mc_space *s, uint64_t number);
bool mc_early_level(const struct mc_space *s, uint64_t level);
void mc_chain_free(struct mc_worker *w);
void mc_early_free(struct mc_space *s);

#endif
