/* Where executions take long, better code of the same program is asked for. See better_code.c. */
#ifndef MC_BETTER_CODE_H
#define MC_BETTER_CODE_H

#include "search/bfs.h"

/* The first executions of a worker are timed, later one of so many. */
enum { MC_TIMED_FIRST = 256, MC_TIMED_ONE_OF = 64 };

/* Between two levels. */
void mc_ask_if_slow(struct mc_engine *e);

#endif
