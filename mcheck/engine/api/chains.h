/* Chains, as Python asks for them; reduce/chains.h says what they are. */
#ifndef MC_API_CHAINS_H
#define MC_API_CHAINS_H

#include "api/engine.h"

struct mc_chains {
    const uint8_t *keeps; /* by position: from here steps are not passed over */
    uint32_t longest;
    uint32_t cut;    /* a chain was longer: a state with one successor may be kept */
    uint32_t stops_after, worth; /* after so many states, if less than this percentage of them were passed; 0: never */
    /* set by the engine: */
    uint32_t stopped;
    uint64_t stopped_state, stopped_level; /* the first that was expanded without */
    uint64_t *early; /* roots of the states before, sorted */
    const struct mc_engine *of; /* set by mc_pass_chains */
};

/* Before a search begins. */
void mc_pass_chains(struct mc_engine *e, struct mc_chains *c);
/* How many states have been passed by a breadth-first search, each as often as it was. */
uint64_t mc_passed_states(const struct mc_engine *e);

#endif
