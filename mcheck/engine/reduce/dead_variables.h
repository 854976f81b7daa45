/* Dead variables: which bytes of a process's frames nothing will read from a position before they are overwritten. States
 * have them as 0. A position tells it of the frame that runs, the positions to return to of the frames below. */
#ifndef MC_DEAD_H
#define MC_DEAD_H

#include "store/state_tree.h"

enum { MC_DEAD_OWN = 0xFFFFFFFF };

/* In a frame; or (`from`) from where the parameter points that the frame holds there, if that is in the same record. */
struct mc_dead_piece { uint32_t offset, size, from; };
/* Of a position. `distance`: how far its frame is from that of the process that it calls. */
struct mc_dead_shape { uint32_t first_piece, pieces, return_offset, return_size, distance; };

/* Before a search begins; by position. False: no memory. */
bool mc_attach_dead_variables(struct mc_space *s, const struct mc_dead_shape *shape, const struct mc_dead_piece *pieces);

#endif
