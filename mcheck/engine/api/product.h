/* The product of a program with an automaton that watches it, as a graph for the search for cycles. */
#ifndef MC_PRODUCT_H
#define MC_PRODUCT_H

#include "api/emptiness.h"
#include "api/engine.h"

/* Of a bound of time: bits of letters that the product makes (0: nobody asks). A step that `start` is in starts the timer;
 * `expired` is in the letter when more than `most` milliseconds have passed. `earliest`: a timer that runs is not started again,
 * and ends where `operand` is in the letter (or, if not `holds`, is not); else it is started anew, and has expired before the
 * first start. */
struct mc_property_timer { uint64_t start, expired, operand; uint32_t holds, earliest, most, padding; };

/* Over letters: bit i is atom i. Transitions of a state lie side by side; one may be taken if for one of its cubes all
 * positive bits are there and no negative one. */
struct mc_automaton {
    uint32_t states, initial, sets, timers;
    const uint32_t *first;      /* by state, and one more: its transitions */
    const uint32_t *target;     /* by transition */
    const uint64_t *accepts;    /* by transition: marks */
    const uint32_t *first_cube; /* by transition, and one more */
    const uint64_t *positive, *negative;
    const uint8_t *strength;    /* by state, as in emptiness.h; NULL: not known */
    const struct mc_property_timer *timer;
};

/* What a clause of a waiting position says: the number of its message (0: none), and where its channel lies. */
enum mc_channel_place { MC_NO_CHANNEL, MC_IN_FRAME, MC_IN_BLOCK, MC_KNOWN };
struct mc_clause { uint32_t message, place, where; };

/* How the letter of a step is found: from the state after it, and from its meeting (message << 8 | channel, of a wide program << 16; 0: none). An
 * atom of `wanted` that faults ends a search; the others may. */
struct mc_atoms {
    uint64_t (*letter)(const uint8_t *block, uint32_t taken, uint64_t *faults);
    uint64_t wanted;
    const uint32_t *reads; /* the components that it may read */
    uint32_t read_count;
    uint32_t asks_taken;            /* 0: `taken` is always given as 0 */
    const uint32_t *first_clause;   /* by position */
    const struct mc_clause *clause;
    const struct mc_slot_frame *frame; /* by slot */
};

/* A property process: its step, as docs/contributing/properties.md says. Its bytes lie behind the block, at `offset`. */
struct mc_watcher {
    uint32_t (*step)(uint8_t *block, uint8_t which, uint32_t taken, uint8_t branch);
    void (*start)(uint8_t *block, uint8_t which);
    uint32_t which, offset, size, padding;
};

/* What a waiting position offers of what is to be treated fairly: bits of clauses (0: nothing), and where in the frame the
 * clauses lie that are closed (size 0: nowhere). */
struct mc_offered { uint32_t clauses, closed_offset, closed_size; };

/* What is to be treated fairly. Its steps are those of the process in `slot`; with `begins`, those that start at a position
 * that has a 1 there; with `resumes`, those of `slot` or of its partner that lead it to such a position. Weak: such steps
 * are taken again and again if from some point on one can always be. Strong: if again and again one can be. Live: instead
 * of that one can be taken, the process offers it: it waits at a position of `offered`, or one of its steps leads there. With
 * `picks`: the steps, whoever's they are, in which the process picks a branch; the number of its byte and 1. */
struct mc_fair {
    uint32_t slot, strong, live, picks;
    const uint8_t *begins, *resumes;  /* by position; NULL: not asked */
    const struct mc_offered *offered; /* by position; of the live forms */
};

enum { MC_STAYS = UINT32_MAX }; /* the ordinal of the step of a run that has ended: its last state again */

enum { MC_REACH = 2 }; /* `how`, beside those of emptiness.h: to a terminal state, by the shortest way */

/* Where an expression of a property faulted: in which state, and which atoms (bits), or what the watcher's step said. */
struct mc_faulted { uint64_t root, what; };

/* Searches the states of the engine's program anew; several threads may do so at once, once the search of the states is
 * over. The automaton's letters are atoms; a watcher (NULL: none) stands in for the automaton, whose `sets` is then 1.
 * CY_FAULTED: `faulted` says where. */
void mc_product_search(struct mc_engine *e, const struct mc_automaton *a, const struct mc_watcher *watcher, const struct mc_atoms *atoms,
                       const struct mc_fair *fair, uint32_t fair_count, uint32_t how, uint64_t most_states,
                       struct cy_result *out, struct mc_faulted *faulted);
/* The letters of all steps: of those that the searches have come across, or (`all`) of every state, if the
 * search is complete. How many there are; UINT64_MAX: no memory, or interrupted. */
uint64_t mc_product_letters(struct mc_engine *e, const struct mc_atoms *atoms, uint32_t all, uint64_t *letters, uint64_t room);
/* The block of a state, and the letter of a step that leads on from it and whose it is (0 and MC_NOBODY if there is no such step). */
void mc_product_block(struct mc_engine *e, uint64_t root, uint8_t *block);
uint64_t mc_product_letter(struct mc_engine *e, const struct mc_atoms *atoms, uint64_t root, uint32_t ordinal, uint32_t *slot);

#endif
