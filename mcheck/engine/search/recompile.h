/* Where executions take long, better code of the same program is asked for. See recompile.c. */
#ifndef MC_RECOMPILE_H
#define MC_RECOMPILE_H

#include "search/bfs.h"

/* Between two levels. */
void mc_ask_if_slow(struct mc_engine *e);

#endif
