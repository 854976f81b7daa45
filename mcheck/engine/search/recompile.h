/* Where executions take long, better code of the same program is asked for. See recompile.c. */
#ifndef MC_RECOMPILE_H
#define MC_RECOMPILE_H

#include "search/bfs.h"

/* Before the search: `ask` is called once, between two levels, when executions have taken more than `after` seconds. */
void mc_ask_for_code(struct mc_engine *e, double after, void (*ask)(void));
/* From now on the actions are executed by this code. No search may be at work but one that asks. */
void mc_use_code(struct mc_engine *e, const struct mc_program *p);

/* Between two levels. */
void mc_ask_if_slow(struct mc_engine *e);

#endif
