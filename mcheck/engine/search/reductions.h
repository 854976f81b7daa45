/* The reductions of a breadth-first search. */
#ifndef MC_REDUCTIONS_H
#define MC_REDUCTIONS_H

#include "api/chains.h"
#include "api/dead_variables.h"
#include "api/partial_order.h"
#include "api/symmetry.h"
#include "search/bfs.h"

/* At the begin of a level: those that do too little give themselves up. */
void mc_reductions_at_level(struct mc_engine *e);

#endif
