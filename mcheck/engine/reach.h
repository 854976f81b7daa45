/* The shortest way to a state whose second part is one of some: breadth-first, for what is violated by a prefix alone. */
#ifndef MC_REACH_H
#define MC_REACH_H

#include "cycles.h"

/* `goal`: by q. What is found has no cycle (`prefix` is `length`); its last step stands for the state that was reached, with
 * the ordinal CY_NO_EDGE. */
enum { CY_NO_EDGE = UINT32_MAX };
void cy_reach(const struct cy_graph *g, const uint8_t *goal, uint64_t most_states, const volatile int *stop, struct cy_result *out);

#endif
