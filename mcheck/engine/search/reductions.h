/* The reductions of a breadth-first search. */
#ifndef MC_REDUCTIONS_H
#define MC_REDUCTIONS_H

#include "api/reductions.h"
#include "search/bfs.h"

/* At the begin of a level: those that do too little give themselves up. */
void mc_reductions_at_level(struct mc_engine *e);

#endif
