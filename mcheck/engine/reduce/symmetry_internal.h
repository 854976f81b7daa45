/* What the parts of symmetry reduction share: symmetry.c, canonical_state.c, symmetry_path.c. See symmetry.h. */
#ifndef MC_SYMMETRIC_H
#define MC_SYMMETRIC_H

#include "reduce/symmetry.h"

enum { MC_SYM_NONE = 0xFFFF };

struct mc_symmetry {
    struct mc_sym_options o;
    const struct mc_sym_group **group_of; /* by slot */
    uint32_t widest;                      /* bytes of a component */
    mc_slot real[MC_MOST_SLOTS];          /* by slot of the last state of a way: where it is on the real way */
};

/* A number of a space that may be changed, in the value of a component. */
struct mc_sym_held_at { uint16_t offset, token; uint8_t size; };

/* Of a value of a slot's component: a hash of all but these numbers; its tokens; `refers`: it points into its own record. */
struct mc_sym_view { uint64_t hash; uint32_t first; uint16_t tokens; uint8_t known, refers; };

struct mc_sym_found { uint32_t offset, kind, size; }; /* a place in the value of a component */

/* Of a worker. */
struct mc_symmetric {
    struct mc_sym_view **view; /* by class, then by value */
    uint32_t *room;
    struct mc_sym_held_at *held;
    uint32_t helds, helds_room;
    struct mc_sym_found *found; /* room for the places of one value */
    uint8_t *bytes;             /* and for the value */
    uint64_t *dead;             /* what is held for nobody */
    uint32_t *out;              /* pairs of component and new value */
    mc_slot moved[MC_MOST_SLOTS];
};

static inline struct mc_symmetry *mc_symmetry_of(const struct mc_space *s) { return s->reduction[MC_CANONICAL].state; }

struct mc_symmetric *mc_symmetric_of(struct mc_worker *w);
/* canonical_state.c, symmetry_path.c; as in reduction.h */
void mc_symmetric_root(struct mc_worker *w, struct mc_successor *s);
bool mc_symmetric_path(struct mc_worker *w, const uint32_t *ordinals, uint64_t count, uint8_t *blocks, mc_slot *slots);
/* NULL: no memory. */
const struct mc_sym_view *mc_sym_view(struct mc_worker *w, uint32_t slot, uint32_t value);
/* The places of a value; how many. */
uint32_t mc_sym_places(const struct mc_space *s, uint32_t slot, const uint8_t *bytes, struct mc_sym_found *to);
/* The token that a place holds; MC_SYM_NONE: one that is never changed. */
uint32_t mc_sym_token(const struct mc_symmetry *y, const uint8_t *at, uint32_t kind, uint32_t size);
/* Does a place that may point into a record of this kind do so? */
bool mc_sym_points(const struct mc_sym_group *g, const uint8_t *at, uint32_t kind);
uint32_t mc_sym_number(const uint8_t *at, uint32_t size);
void mc_sym_put(uint8_t *at, uint32_t size, uint32_t number);

#endif
