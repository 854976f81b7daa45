/* What the searches for partial deadlocks share: in memory (partial_deadlock.c) and on disk (disk/partial_deadlock_on_disk.c). */
#ifndef MC_STUCK_H
#define MC_STUCK_H

#include "model/successors.h"

static inline bool mc_anybody_waits(const struct mc_worker *w)
{
    for (uint32_t slot = 0; slot < w->space->p.slots; slot++)
        if (mc_waits_for_partner(w, slot)) return true;
    return false;
}

#endif
