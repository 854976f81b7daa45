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

struct mc_worker;
struct mc_space;
struct mc_reduction;

struct mc_chosen { uint64_t slots[MC_MOST_SLOTS / 64]; };

static inline bool mc_is_chosen(const struct mc_chosen *c, uint32_t slot) { return c->slots[slot / 64] >> slot % 64 & 1; }

/* Sets of slots that are enough as far as footprints tell; the least first. One of them is taken if nobody of it goes back
 * (mc_goes_back) and not all that it does fails; else all slots are looked at. */
enum { MC_MOST_CANDIDATES = 6 };
struct mc_decision {
    uint32_t count;
    uint32_t only_waits; /* bits of the sets that are enough only if each of their steps begins a wait, and does nothing else */
    struct mc_chosen set[MC_MOST_CANDIDATES];
};

/* Of the state that `w` holds; its positions are in `at`. NULL: all slots are needed. */
const struct mc_decision *mc_decide(struct mc_worker *w);
/* The same of two halves (halves.h) which mc_stand has numbered; `w` need not hold the state. */
const struct mc_decision *mc_decide_halves(struct mc_worker *w, uint32_t left, uint32_t right);
/* A number for the footprints of those who are in a half of the state; 0: there is none. */
uint32_t mc_stand(struct mc_worker *w, uint32_t half);

/* The values of a slot's component have a rank: about how many of the positions that break rounds have been left on the way
 * to them. A step goes back if it leads to a value of lower rank, or from such a position to one of no higher rank. So in
 * each cycle of states a step goes back; a set that is less than all never does such a step, so that each cycle has a
 * state in which all act. The rank that a value has got first is kept. */
bool mc_goes_back(const struct mc_worker *w, uint32_t slot, const uint32_t *changes, uint32_t changed);
/* Does this step begin a wait of its slot, and nothing else? */
bool mc_only_waits(const struct mc_worker *w, uint32_t slot, const uint32_t *changes, uint32_t changed);
/* A step leads from a component's value in `v` to this one. */
void mc_note_rank(const struct mc_worker *w, uint32_t component, uint32_t value);

struct mc_engine;
/* At the begin of a level: has nothing been left out so far? Then all states are expanded in full, as those before were. */
void mc_stop_reducing_if_useless(struct mc_engine *e);
void mc_reduction_free(struct mc_reduction *r, uint32_t components);
void mc_feet_free(struct mc_worker *w);

/* persistent.c: the decision for a state, from the numbers of its footprints by slot (0: nobody; with MC_WAKES: time may
 * end its wait). */
enum { MC_FOOT_UNKNOWN = 1, MC_FIRST_FOOTPRINT = 2, MC_WAKES = 1 << 15 };
void mc_find_enough(const struct mc_reduction_options *o, const struct mc_footprint *footprint, const uint16_t *stand,
                    uint32_t slots, bool interrupts, struct mc_decision *to);

#endif
