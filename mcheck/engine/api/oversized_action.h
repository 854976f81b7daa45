/* An action that does more, by its inputs and decisions, than can be kept or waited for: which one it is. */
#ifndef MC_API_OVERSIZED_ACTION_H
#define MC_API_OVERSIZED_ACTION_H

#include "api/engine.h"

enum mc_crowd { MC_ROOM = 1, MC_TOO_LONG = 2, MC_STOPPED_WITHIN = 3, MC_DECISIONS = 4 };
enum { MC_INPUTS_TOLD = 8 };

struct mc_crowded {
    uint32_t why; /* 0: no action was */
    uint32_t slot; /* whose it is; MC_NOBODY: an interrupt's */
    uint64_t executions;
    uint32_t inputs; /* read by its last execution; of the first ones: */
    uint32_t width[MC_INPUTS_TOLD], address[MC_INPUTS_TOLD]; /* width 0: no port */
    uint32_t padding;
};

/* What was noted, and the block (if there is one); `why`. */
uint32_t mc_get_crowded(struct mc_engine *e, struct mc_crowded *out, uint8_t *block);

#endif
