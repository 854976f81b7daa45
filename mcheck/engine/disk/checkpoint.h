/* Saving a breadth-first search, and going on with one that was saved. */
#ifndef MC_CHECKPOINT_H
#define MC_CHECKPOINT_H

#include "api/checkpoint.h"
#include "search/bfs.h"

/* No thread works, and each state of the level has been expanded with all of its successors or not at all. */
void mc_save(struct mc_engine *e);

/* replayed.c: what has been loaded, in which every number is within its bounds, is a search of this program. */
bool mc_is_replayed(struct mc_engine *e);

#endif
