/* What modular exploration (mcheck/search/modular/explore.py) asks of the engine: what an action does with these values of
 * the components, alone or with one partner, and which step of the whole program that is.
 */
#ifndef MC_API_MODULAR_H
#define MC_API_MODULAR_H

#include "api/walks.h"

/* A result is a number of outcomes, then of each one a head, its path, its meeting, the number of the set of blocks that it
 * passed, and its changes (component, new value; how many there are is in the head) or its fault. Paths tell decisions other
 * than the meeting apart. */
enum { MC_HEAD_FAULT = 1u << 31, MC_HEAD_UNMET = 1u << 30, MC_HEAD_MET = 1u << 29, MC_HEAD_SEEN = 1u << 28, MC_HEAD_RAISED = 1u << 27,
       MC_CHANGES = 0xFFFFu };

enum { MC_OUTCOME_WORDS = 4, MC_FAULT_WORDS = 4 };

/* In place of a number of outcomes: a process or a channel is made, so that all the block matters. */
enum { MC_LOOKS_AT_ALL = 0x7FFFFFFF };

enum { MC_NO_NOTE = UINT32_MAX };

/* The number of the position in which this value of a slot's component is. */
uint32_t mc_modular_position(const struct mc_walk *d, uint32_t component, uint32_t value);
/* The values of all components after the first step from the initial state; how many there are. */
uint32_t mc_modular_start(struct mc_walk *d, uint32_t *v);
/* The outcomes of the next action of `slot`, without partners (MC_NOBODY or more) or with this one: so many words.
 * UINT32_MAX: there is not room enough; UINT32_MAX - 1: it looks at all the state. `note`: this outcome is a step from a
 * state that is reached; MC_NO_NOTE: none is. */
uint32_t mc_modular_outcomes(struct mc_walk *d, const uint32_t *v, uint32_t slot, uint32_t partner, uint32_t note,
                             uint32_t *out, uint32_t room);
/* Of the state `root` the step of `slot` that changes this (pairs of component and value); `root` is then what it leads to. */
uint32_t mc_modular_follow(struct mc_walk *d, uint64_t *root, uint32_t slot, const uint32_t *changes, uint32_t n, uint32_t *ordinal);
/* The block with these values of the components. */
void mc_modular_block(struct mc_walk *d, const uint32_t *v, uint8_t *block);
/* The number of the initial state. */
uint64_t mc_modular_initial(struct mc_walk *d);
/* An error, by its path. */
void mc_modular_note(struct mc_walk *d, uint32_t kind, const struct mc_fault *f, uint32_t slot, uint64_t root,
                     const uint32_t *ordinals, uint64_t length);
/* How many errors there are. */
uint32_t mc_modular_found(const struct mc_walk *d);

#endif
