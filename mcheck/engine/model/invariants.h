/* Which invariants (api/invariants.h) a step violates. */
#ifndef MC_INVARIANTS_H
#define MC_INVARIANTS_H

#include "api/invariants.h"
#include "model/letters.h"

/* Bits of them. `s` NULL: the state in `v` stays as it is. */
uint64_t mc_violated_by(struct mc_worker *w, const struct mc_successor *s);
void mc_watched_free(struct mc_worker *w);

static inline uint64_t mc_violated(struct mc_worker *w, const struct mc_successor *s)
{
    return __builtin_expect(w->space->invariants != NULL, 0) ? mc_violated_by(w, s) : 0;
}

/* The first of these, as an error has it. */
static inline struct mc_fault mc_violation(uint64_t violated, const struct mc_successor *s)
{
    return (struct mc_fault){0, (uint32_t)__builtin_ctzll(violated), s ? (int32_t)s->ordinal : (int32_t)MC_STAYS, 0};
}

#endif
