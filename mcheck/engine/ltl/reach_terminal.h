/* The shortest way to a terminal state, breadth-first: for what is violated by a prefix alone. */
#ifndef MC_REACH_H
#define MC_REACH_H

#include "api/emptiness.h"

/* The graph's strengths are known. What is found has no cycle. */
void cy_reach(const struct cy_graph *g, uint64_t most_states, const _Atomic int *stop, struct cy_result *out);

#endif
