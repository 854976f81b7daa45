/* Partial order reduction, as Python asks for it; reduce/partial_order.h says what it is. */
#ifndef MC_API_PARTIAL_ORDER_H
#define MC_API_PARTIAL_ORDER_H

#include "api/engine.h"

enum { MC_FOOT_WORDS = 8, MC_MOST_FOOTPRINTS = 1 << 14, MC_MOST_NEEDS = 16, MC_MOST_CONSTANT_BYTES = 32 };

enum mc_foot_flag {
    MC_FOOT_BOUND = 1,         /* its next action may not be put before those of others: only all may act */
    MC_FOOT_READY = 2,         /* it waits for nothing */
    MC_FOOT_INTERRUPTIBLE = 4, /* an interrupt may let it go */
    MC_FOOT_ATTEMPTS = 8,      /* where its next action attempts, only communications end the wait; there is no ELSE */
    MC_FOOT_ONLY_ATTEMPTS = 16, /* the same of all that it can do from here on */
};

/* A communication that the process can attempt only after all these others have taken place; bits of communications. */
struct mc_need { uint32_t bit, unused; uint64_t of[MC_FOOT_WORDS]; };

/* Bits of what is shared: variables (and their elements), ways to live, channel numbers; and of communications: a channel
 * and a message. `next` is the process's next action, `later` all that it can do from here on, the next action included. */
struct mc_footprint {
    uint64_t next_reads[MC_FOOT_WORDS], next_writes[MC_FOOT_WORDS], next_speaks[MC_FOOT_WORDS];
    uint64_t later_uses[MC_FOOT_WORDS], later_writes[MC_FOOT_WORDS];
    uint64_t later_sends[MC_FOOT_WORDS], later_receives[MC_FOOT_WORDS];
    uint64_t later_selects[MC_FOOT_WORDS]; /* of these, what is more than a plain communication of this process */
    uint64_t later_shares[MC_FOOT_WORDS];  /* all these, with those that a partner's SELECT on the same channel may take instead */
    uint64_t next_sends[MC_FOOT_WORDS], next_receives[MC_FOOT_WORDS];
    uint64_t later_entangled[MC_FOOT_WORDS]; /* communications that are attempted by actions that touch something shared */
    uint64_t later_beside[MC_FOOT_WORDS];    /* communications that it attempts together with others */
    uint64_t offers_send[MC_FOOT_WORDS], offers_receive[MC_FOOT_WORDS]; /* what it waits with */
    struct mc_need need[MC_MOST_NEEDS];
    uint64_t needs; /* how many */
    uint64_t flags; /* MC_FOOT_READY and MC_FOOT_INTERRUPTIBLE are set here, the others outside */
    /* Set here: of the needs that lack anything at first, which they are, their bits, and all that they lack. */
    uint64_t lacking, unmet_at_first[MC_FOOT_WORDS], lacks_at_first[MC_FOOT_WORDS];
};

enum mc_rounds {
    MC_NEVER_ALONE = 0, /* it need not be looked at */
    MC_LIVES_ONCE = 1,  /* nobody takes the slot of who has ended */
    MC_LIVES_ANEW = 2,
    MC_COUNTS = 3,      /* of module variables: where it comes to a new value, something has got on */
};

struct mc_constant { uint32_t offset, size; }; /* in the value of a slot's component */

struct mc_reduction_options {
    uint32_t var_words, speak_words;
    uint64_t harmless[MC_FOOT_WORDS];   /* communications whose meeting cannot fail */
    uint64_t interrupts[MC_FOOT_WORDS]; /* what an interrupt changes */
    const uint32_t *first_constant;     /* by class of components, and one more: where its constants begin */
    const struct mc_constant *constants;
    const uint8_t *rounds; /* by class, enum mc_rounds: in each cycle of states one of these processes goes round */
    const uint8_t *breaks; /* and leaves one of these positions, by number; see `goes_back` */
    uint64_t gives_up_after; /* states of a breadth-first search, if nothing has been left out; 0: never */
    /* Fills the footprint of who is there; false: it cannot be told. */
    uint32_t (*make)(uint32_t slot, uint32_t position, const uint8_t *constants, struct mc_footprint *to);
    uint32_t unranked; /* which steps go back does not depend on what has been found before: all that leave such a position */
};

/* Before a search begins. False: no memory. */
bool mc_reduce(struct mc_engine *e, const struct mc_reduction_options *o);
/* How many states a breadth-first search has expanded with fewer than all slots. */
uint64_t mc_reduced_states(const struct mc_engine *e);

#endif
