/* Symmetry: of all states that differ only in which slot of its kind a process lies, which number a channel has, and which
 * number a name is, one is kept.
 *
 * No program can see the slot of a process or the number of a channel: so exchanging slots of one kind, and numbers of
 * channels wherever they are held, leads from states to states with the same steps. Which places hold them is told for each
 * position. The one that is kept is found by colours: of a process, its content without these numbers, and the colours of the
 * channels that it holds; of a channel, who holds it where. docs/checker.md has the argument.
 */
#ifndef MC_SYMMETRY_H
#define MC_SYMMETRY_H

#include "model/reduction.h"

enum { MC_SYM_SPACES = 4, MC_SYM_TOKENS = MC_MOST_SLOTS * MC_SYM_SPACES };

/* What a place holds: an offset into the block (which may point into the own record), an open array (an offset, then a length
 * whose top bit says that it is a constant), or, from MC_SYM_TOKEN on, a number of one of the spaces: first of channels. */
enum mc_sym_kind { MC_SYM_OFFSET = 0, MC_SYM_OPEN = 1, MC_SYM_TOKEN = 2 };

struct mc_sym_place { uint32_t offset, kind, size; }; /* relative to the frame */

/* Of a position: the places in its frame; where the frame says to which position it returns (size 0: nowhere); and, of one
 * that is returned to, how far its frame lies before the callee's. */
struct mc_sym_shape { uint32_t first_place, places, return_offset, return_size, distance; };

/* The slots of one kind of process. */
struct mc_sym_group { uint32_t first_slot, slots, record_offset, stride; };

/* In a module's variables: in the value of a component. `dead`: 0, or which row of `over` says when nobody asks for it again. */
struct mc_sym_held { uint32_t component, offset, kind, size, dead; };

struct mc_sym_options {
    uint32_t groups, helds;
    const struct mc_sym_group *group;
    const struct mc_sym_shape *shape; /* by position */
    const struct mc_sym_place *place;
    const struct mc_sym_held *held;   /* those of one component side by side */
    const uint8_t *over;              /* rows of positions + 1 bytes, by the position of the initialisation */
    const uint8_t *fixed;             /* MC_SYM_TOKENS bytes: this number is never changed */
    const uint8_t *settled;           /* by position of the initialisation: no other spaces but that of channels get numbers any more */
};

/* Before a search begins. False: no memory. */
bool mc_attach_symmetry(struct mc_space *s, const struct mc_sym_options *o);
/* After a path was unwound: the slot that a slot of the last state is on the real one. */
uint32_t mc_real_slot(const struct mc_space *s, uint32_t slot);

#endif
