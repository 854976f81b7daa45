/* What the searches for partial deadlocks share: in memory (stuck.c) and on disk (stuck_on_disk.c). */
#ifndef MC_STUCK_H
#define MC_STUCK_H

#include "model/successors.h"

struct mc_engine;

static inline bool mc_anybody_waits(const struct mc_worker *w)
{
    for (uint32_t slot = 0; slot < w->space->p.slots; slot++)
        if (mc_waits_for_partner(w, slot)) return true;
    return false;
}

/* As mc_stuck. */
uint32_t mc_stuck_on_disk(struct mc_engine *e, uint64_t *state, uint8_t *slots);

#endif
