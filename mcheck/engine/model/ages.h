/* Stamps: variables that hold what the clock read. States keep how old they are: docs/theory/time.md. */
#ifndef MC_AGES_H
#define MC_AGES_H

#include "model/worker.h"

static inline bool mc_has_ages(const struct mc_space *s) { return s->p.timing.has_ages; }

/* The value of a component (by place in `stamped`) after so much time, from what it is when the clock reads `clock`. */
uint32_t mc_aged(struct mc_worker *w, uint32_t stamped, uint32_t value, uint32_t clock, uint32_t elapsed);
/* The clock after that. */
uint32_t mc_clock_of_ages(const struct mc_space *s, uint32_t clock, uint32_t elapsed);
/* How much time may pass until nothing in `v` grows older. */
uint32_t mc_time_to_age(struct mc_worker *w, uint32_t clock);
/* Does this component have a stamp in `v` that grows no older? */
bool mc_is_old(struct mc_worker *w, uint32_t component, uint32_t clock);

#endif
