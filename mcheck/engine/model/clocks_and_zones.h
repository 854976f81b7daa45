/* Time in the state: how much of its wait each sleeper has left, and (if somebody reads it) the clock.
 *
 * The timers are a component of the state that no block holds: an action only says which waits begin and end (its effect),
 * and the engine puts the state's timers and the effect together. So what an action does is remembered without them.
 *
 * No action takes time. Time passes only while no process of the program is ready: up to the next wait that ends, or, since
 * what is outside of the program (its environment, interrupts) acts when it likes, by less before such a step.
 */
#ifndef MC_TIMERS_H
#define MC_TIMERS_H

#include "model/worker.h"

/* Numbers of values: of the timers, and of the clock (of a state without one: 0); and how much later it is than the state. */
struct mc_moment { uint32_t timers, clock, elapsed; };

bool mc_timing_new(struct mc_space *s);
void mc_timing_free(struct mc_space *s);
bool mc_timers_new(struct mc_worker *w);
void mc_timers_free(struct mc_worker *w);

static inline bool mc_is_timed(const struct mc_space *s) { return s->p.timing.mode != MC_TIME_FREE; }

/* Of the initial state: nobody sleeps. */
uint32_t mc_no_timers(struct mc_worker *w);
/* The number of what an execution said of waits that begin and end; MC_NO_EFFECT: nothing. */
enum { MC_NO_EFFECT = UINT32_MAX };
uint32_t mc_time_effect(struct mc_worker *w);
/* The timers after an effect. */
uint32_t mc_timers_after(struct mc_worker *w, uint32_t timers, uint32_t effect);
/* What the state in `v` may have become before something outside of the program acts, if nobody is ready: how many moments
 * there are, and one of them. */
uint32_t mc_moments(struct mc_worker *w);
struct mc_moment mc_moment(struct mc_worker *w, uint32_t number);
/* The moment at which this wait of the state in `v` ends; false: others end before it. `busy`: no time may pass. */
bool mc_wait_ends(struct mc_worker *w, uint32_t slot, uint32_t clause, bool busy, struct mc_moment *then);

#endif
