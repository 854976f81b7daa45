/* Dead variables: which bytes of a process's frames nothing will read from a position before they are overwritten. States
 * have them as 0. A position tells it of the frame that runs, the positions to return to of the frames below. */
#ifndef MC_DEAD_H
#define MC_DEAD_H

#include "api/dead_variables.h"
#include "store/state_tree.h"

/* The record of a slot whose process is at a position (0: there is none). */
void mc_reset_record(const struct mc_space *s, uint32_t slot, uint32_t position, uint8_t *record);

#endif
