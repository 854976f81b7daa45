/* Partial order reduction: which slots' steps are enough to look at in a state.
 *
 * A set of slots is enough (persistent) if nothing that the others can do before one of them acts can have to do with
 * what these slots do next. What an action touches, and all that a process can still touch from where it is, is a
 * footprint: sets of bits, made outside for each position and the few bytes of a record that tell more than the position
 * does: constants and ports. The choice is a function of the state alone, so every search, and every look at a state
 * again, makes the same. It depends on nothing but the footprints of those who are there, so it is remembered by these.
 */
#ifndef MC_REDUCE_H
#define MC_REDUCE_H

#include "api/partial_order.h"
#include "model/reduction.h"

/* Before a search begins. False: no memory. */
bool mc_attach_partial_order(struct mc_space *s, const struct mc_reduction_options *o);

/* stubborn_sets.c: the decision for a state, from the numbers of its footprints by slot (0: nobody; with MC_WAKES: time may
 * end its wait). */
enum { MC_FOOT_UNKNOWN = 1, MC_FIRST_FOOTPRINT = 2, MC_WAKES = 1 << 15 };
bool mc_find_enough(const struct mc_reduction_options *o, const struct mc_footprint *footprint, const uint16_t *stand,
                    uint32_t slots, bool interrupts, struct mc_decision *to);

#endif
