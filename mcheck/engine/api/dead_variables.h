/* Dead variables, as Python tells of them; reduce/dead_variables.h says what they are. */
#ifndef MC_API_DEAD_VARIABLES_H
#define MC_API_DEAD_VARIABLES_H

#include "api/engine.h"

enum { MC_DEAD_OWN = 0xFFFFFFFF };

/* In a frame; or (`origin`) from where the parameter points that the frame holds there, if that is in the same record. */
struct mc_dead_piece { uint32_t offset, size, origin; };
/* Of a position. `distance`: how far its frame is from that of the process that it calls. */
struct mc_dead_shape { uint32_t first_piece, pieces, return_offset, return_size, distance; };

/* Before a search begins; by position. */
void mc_reset_dead(struct mc_engine *e, const struct mc_dead_shape *shape, const struct mc_dead_piece *pieces);

#endif
