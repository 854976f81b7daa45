/* What each half of a state does by itself. The root names the numbers of two halves of the tree. Many states have the same
 * left half, and many the same right one; so what the slots of a half do that asks for nothing of the other half is put
 * together once for the half, as a list of the numbers that it can become. Of a slot that needs the other half, the list
 * says that it is open: it is expanded anew in each state.
 */
#ifndef MC_HALVES_H
#define MC_HALVES_H

#include "model/reduction.h"

struct mc_beyond { uint32_t first, count; };
struct mc_partner { uint16_t slot, index; }; /* its index in the action's list */

struct mc_halves {
    uint32_t *list[2]; /* by number of the half: where its list is; 0: it was not seen yet; 1: seen once */
    uint64_t list_room[2];
    uint32_t *word; /* the lists */
    uint64_t used, room;
    uint8_t *half_of;  /* by component */
    struct mc_beyond *beyond[2]; /* by position, of a slot of this half: partners of the other half */
    struct mc_partner *partner;  /* these */
    uint32_t *slot[2]; /* of each half, in order */
    uint32_t slots[2];
    uint64_t *root; /* of the successors of a state */
    uint32_t roots, roots_room;
    const struct mc_chosen *chosen; /* only these slots are looked at; NULL: all */
    bool only_waits; /* they are enough only if each step begins a wait */
    bool back;   /* somebody of the chosen goes back, or does more than that: they are not enough */
    bool failed; /* a fault, or no memory: the state must be expanded by mc_expand */
};

/* False: no memory. Not of every program. */
bool mc_halves_new(struct mc_worker *w);
void mc_halves_free(struct mc_worker *w);
void mc_forget_halves(struct mc_worker *w);
uint64_t mc_memory_of_halves(const struct mc_worker *w);

/* The roots of the state's successors, in the order of mc_expand, in `root` of the worker's halves, and what kind of state
 * it is. False: mc_expand must be asked (and `v` holds the state). */
bool mc_expand_halves(struct mc_worker *w, uint64_t root, enum mc_end *end);

#endif
