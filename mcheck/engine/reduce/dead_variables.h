/* Dead variables: which bytes of a process's frames nothing will read from a position before they are overwritten. States
 * have them as 0. A position tells it of the frame that runs, the positions to return to of the frames below. */
#ifndef MC_DEAD_H
#define MC_DEAD_H

#include "api/dead_variables.h"
#include "store/state_tree.h"

/* Before a search begins; by position. False: no memory. */
bool mc_attach_dead_variables(struct mc_space *s, const struct mc_dead_shape *shape, const struct mc_dead_piece *pieces);

#endif
