/* Symmetry, as Python asks for it; reduce/symmetry.h says what it is. */
#ifndef MC_API_SYMMETRY_H
#define MC_API_SYMMETRY_H

#include "api/engine.h"

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
bool mc_symmetry_begin(struct mc_engine *e, const struct mc_sym_options *o);
/* How many successors were not as they are kept. */
uint64_t mc_symmetry_moved(const struct mc_engine *e);
/* After mc_blocks_along: the slot that a slot of the last state is on the real way. */
uint32_t mc_symmetry_slot(const struct mc_engine *e, uint32_t slot);

/* The blocks along a path of states that are kept, as the program goes it, and the slot whose each step is (not with chains);
 * `slots` may be NULL. */
uint32_t mc_symmetric_run(struct mc_engine *e, const uint32_t *ordinals, uint64_t count, uint8_t *blocks, mc_slot *slots);

#endif
