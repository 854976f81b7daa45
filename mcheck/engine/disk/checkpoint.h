/* Saving a breadth-first search, and going on with one that was saved. */
#ifndef MC_CHECKPOINT_H
#define MC_CHECKPOINT_H

#include "api/checkpoint.h"
#include "search/bfs.h"

/* replayed.c: what has been loaded, in which every number is within its bounds, is a search of this program. */
bool mc_is_replayed(struct mc_engine *e);

#endif
