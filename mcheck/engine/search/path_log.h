/* The log's steps, read one after the other; and what they lead to. */
#ifndef MC_STEPS_H
#define MC_STEPS_H

#include "search/bfs.h"

struct mc_steps { const uint8_t *at; uint64_t owner; uint32_t ordinal; };

static inline void mc_start_reading(const struct mc_engine *e, const struct mc_mark *m, struct mc_steps *r)
{
    *r = (struct mc_steps){e->searcher[m->searcher]->log.byte + m->at, m->owner, 0};
}

static inline void mc_next_step(struct mc_steps *r)
{
    uint64_t further;
    mc_read_step(&r->at, &further, &r->ordinal);
    r->owner += further;
}

/* Of the state that was decoded, the roots of the successors with these ordinals, which are in order. */
void mc_expand_named(struct mc_worker *w, const uint32_t *ordinal, uint64_t *root, uint32_t count);

#endif
