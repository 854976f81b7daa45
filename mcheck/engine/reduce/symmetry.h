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

struct mc_worker;
struct mc_symmetry;
struct mc_successor;
struct mc_engine;

/* Gives the successor the root of the state that is kept for it, and `moved` if slots have been exchanged. */
void mc_symmetric_root(struct mc_worker *w, struct mc_successor *s);
/* Does the slot do the same as the one before it, which is of its kind? */
bool mc_is_twin(const struct mc_worker *w, uint32_t slot);
/* The blocks along a way of states that are kept, as the program goes it. */
uint32_t mc_symmetric_way(struct mc_engine *e, const uint32_t *ordinals, uint64_t count, uint8_t *blocks);
void mc_symmetry_free(struct mc_symmetry *s);
void mc_symmetric_free(struct mc_worker *w);

#endif
