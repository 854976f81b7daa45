/* The reductions of a search: which are attached, before it begins, and how much each has saved. Their options are declared in
 * their own headers (reduce/). */
#ifndef MC_API_REDUCTIONS_H
#define MC_API_REDUCTIONS_H

#include "api/engine.h"

struct mc_reduction_options;
struct mc_chains;
struct mc_dead_shape;
struct mc_dead_piece;
struct mc_sym_options;

/* Partial order reduction. False: no memory. */
bool mc_reduce(struct mc_engine *e, const struct mc_reduction_options *o);
/* How many states a breadth-first search has expanded with fewer than all slots. */
uint64_t mc_reduced_states(const struct mc_engine *e);

/* Chains; `c` lives as long as the engine. */
void mc_pass_chains(struct mc_engine *e, struct mc_chains *c);
/* How many states have been passed by a breadth-first search, each as often as it was. */
uint64_t mc_passed_states(const struct mc_engine *e);

/* Dead variables; by position. */
void mc_reset_dead(struct mc_engine *e, const struct mc_dead_shape *shape, const struct mc_dead_piece *pieces);

/* Symmetry. False: no memory. */
bool mc_symmetry_begin(struct mc_engine *e, const struct mc_sym_options *o);
/* How many successors were not as they are kept. */
uint64_t mc_symmetry_moved(const struct mc_engine *e);
/* After mc_blocks_along: the slot that a slot of the last state is on the real path. */
uint32_t mc_symmetry_slot(const struct mc_engine *e, uint32_t slot);
/* The blocks along a path of states that are kept, as the program goes it, and the slot whose each step is (not with chains);
 * `slots` may be NULL. */
uint32_t mc_symmetric_run(struct mc_engine *e, const uint32_t *ordinals, uint64_t count, uint8_t *blocks, mc_slot *slots);

#endif
