/* An action that does more, by its inputs and decisions, than can be kept or waited for, is noted. */
#ifndef MC_CROWDED_H
#define MC_CROWDED_H

#include "api/oversized_action.h"
#include "model/worker.h"

/* The first is noted, with the block on which it runs. */
void mc_note_crowded(struct mc_worker *w, enum mc_crowd why, uint32_t slot, uint64_t executions);
/* Whether a search has been stopped, or its time is over; 0, MC_TOO_LONG or MC_STOPPED_WITHIN. */
enum mc_crowd mc_stopped_within(const struct mc_worker *w);

#endif
