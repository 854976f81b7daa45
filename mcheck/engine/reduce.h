/* Partial order reduction: which slots' steps are enough to look at in a state.
 *
 * A set of slots is enough (persistent) if nothing that the others can do before one of them acts can have to do with
 * what these slots do next. What an action touches, and all that a process can still touch from where it is, is a
 * footprint: sets of bits, made outside for each position and the few constant bytes of a record that tell its instances
 * apart. The choice is a function of the state alone, so every search, and every look at a state again, makes the same.
 */
#ifndef MC_REDUCE_H
#define MC_REDUCE_H

#include "engine.h"

enum { MC_FOOT_WORDS = 8, MC_MOST_FOOTPRINTS = 1 << 14, MC_MOST_CONSTANT_BYTES = 16, MC_MOST_ALIVE = 64 };

/* Bits of what is shared: variables (and their elements), ways to live, channel numbers; and of communications: a channel
 * and a message. `next` is the process's next action, `later` all that it can do from here on, the next action included. */
struct mc_footprint {
    uint64_t next_reads[MC_FOOT_WORDS], next_writes[MC_FOOT_WORDS], next_speaks[MC_FOOT_WORDS];
    uint64_t later_uses[MC_FOOT_WORDS], later_writes[MC_FOOT_WORDS];
    uint64_t later_sends[MC_FOOT_WORDS], later_receives[MC_FOOT_WORDS];
    uint64_t later_selects[MC_FOOT_WORDS]; /* of these, what is more than a plain communication of this process */
    uint64_t offers_send[MC_FOOT_WORDS], offers_receive[MC_FOOT_WORDS]; /* what it waits with */
    uint64_t bound; /* its next action may not be put before those of others: only all may act */
};

struct mc_constant { uint32_t offset, size; }; /* in the value of a slot's component */

struct mc_reduction_options {
    uint32_t var_words, speak_words;
    uint64_t harmless[MC_FOOT_WORDS];   /* communications whose meeting cannot fail */
    uint64_t interrupts[MC_FOOT_WORDS]; /* what an interrupt changes */
    const uint32_t *first_constant;     /* by class of components, and one more: where its constants begin */
    const struct mc_constant *constants;
    /* Fills the footprint of who is there; false: it cannot be told. */
    uint32_t (*make)(uint32_t slot, uint32_t position, const uint8_t *constants, struct mc_footprint *to);
};

struct mc_worker;
struct mc_reduction;

struct mc_chosen { uint64_t slots[4]; }; /* 256 slots */

static inline bool mc_is_chosen(const struct mc_chosen *c, uint32_t slot) { return c->slots[slot / 64] >> slot % 64 & 1; }

/* Whether fewer than all slots are enough in the state that `w` holds; its positions are in `at`. `wakes`: time may end
 * waits now. */
bool mc_choose(struct mc_worker *w, bool wakes, struct mc_chosen *chosen);

struct mc_engine;
/* Before a search begins. By position, and one more, where the pieces of a slot's component begin that nothing will read
 * from there; they are kept as 0. */
void mc_reset_dead(struct mc_engine *e, const uint32_t *first, const struct mc_piece *pieces);
/* Before a search begins. False: no memory. */
bool mc_reduce(struct mc_engine *e, const struct mc_reduction_options *o);
/* How many states a breadth-first search has expanded with fewer than all slots. */
uint64_t mc_reduced_states(const struct mc_engine *e);
void mc_reduction_free(struct mc_reduction *r);
void mc_feet_free(struct mc_worker *w);

#endif
