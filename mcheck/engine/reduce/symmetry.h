/* Symmetry: of all states that differ only in which slot of its kind a process lies, which number a channel has, and which
 * number a name is, one is kept.
 *
 * No program can see the slot of a process or the number of a channel: so exchanging slots of one kind, and numbers of
 * channels wherever they are held, leads from states to states with the same steps. Which places hold them is told for each
 * position. The one that is kept is found by colours: of a process, its content without these numbers, and the colours of the
 * channels that it holds; of a channel, who holds it where. docs/theory/symmetry.md has the argument.
 */
#ifndef MC_SYMMETRY_H
#define MC_SYMMETRY_H

#include "api/symmetry.h"
#include "model/reduction.h"

/* Before a search begins. False: no memory. */
bool mc_attach_symmetry(struct mc_space *s, const struct mc_sym_options *o);
/* After a path was unwound: the slot that a slot of the last state is on the real one. */
uint32_t mc_real_slot(const struct mc_space *s, uint32_t slot);

#endif
