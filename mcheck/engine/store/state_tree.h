/* What all search threads share of a program's states: values of components, pairs of numbers, and the tree over them.
 *
 * A state is named by its root: the numbers of the root's two children (of a program with one component: its value).
 * The same state has the same root as long as the engine lives; numbers of values and pairs never change.
 */
#ifndef MC_SPACE_H
#define MC_SPACE_H

#include "api/engine.h"
#include "api/oversized_action.h"
#include "store/interned.h"

enum { MC_MOST_COMPONENTS = 8 * MC_MOST_SLOTS };

/* What a reduction may be for: which states are passed over; which slots' steps are enough; which of the states that are
 * taken for the same is kept; and which bytes of a record are as if they were 0. model/reduction.h says what is asked of it. */
enum mc_role { MC_PASS, MC_CHOOSE, MC_CANONICAL, MC_RESET, MC_ROLES };

struct mc_reduction_ops;
struct mc_invariants; /* api/invariants.h */

struct mc_attached {
    const struct mc_reduction_ops *ops; /* NULL: none */
    void *state;                        /* its own */
    bool given_up;                      /* from some level on: it did too little */
};

struct mc_node { uint32_t left, right, parent; };

struct mc_space {
    struct mc_program p;
    struct mc_options o;
    struct mc_values *values; /* by class */
    struct mc_pairs *pairs;   /* by inner node; the root has none */
    struct mc_node *tree;     /* leaves are components; inner nodes follow, children before parents; the root last */
    uint32_t nodes, root;
    uint32_t *order;  /* of the leaves, from left to right */
    uint32_t left;    /* how many of them are in the left half */
    uint32_t *weight; /* of each component: how much it may hold */
    struct mc_values passed_sets; /* of blocks that an execution passed: a byte for each */
    uint8_t *passed_in_full;      /* by block: passed by an action that was run in full */
    uint8_t slot_seen[MC_MOST_SLOTS]; /* somebody lived there */
    struct mc_values time_effects; /* which waits for time an execution begins and ends; see clocks_and_zones.h */
    struct mc_attached reduction[MC_ROLES];
    const struct mc_invariants *invariants; /* NULL: none are watched */
    uint64_t unclear; /* bits of those of which an atom has faulted */
    struct mc_crew crew;
    const _Atomic int *interrupted; /* while a search is at work, and until when it may be; else NULL */
    double until;
    struct mc_crowded crowded; /* an action that has stopped the search from within, and the block on which it ran */
    uint8_t *crowded_block;
};

bool mc_space_new(struct mc_space *s, const struct mc_program *p, const struct mc_options *o);
void mc_space_free(struct mc_space *s);
/* Another tree, while nothing has been found yet: these leaves from left to right, so many of them (0: as the weights say) in
 * the left half, further cut where the weights are even. */
bool mc_shape_tree(struct mc_space *s, const uint32_t *order, const uint32_t *weight, uint32_t left);
/* Counts and bytes of values and pairs. */
void mc_space_measure(const struct mc_space *s, struct mc_statistics *out);
/* How many numbers the left and the right half of a root may have so far. */
void mc_halves(const struct mc_space *s, uint32_t *left, uint32_t *right);

static inline struct mc_values *mc_values_of(const struct mc_space *s, uint32_t component)
{
    return &s->values[s->p.component[component].class_number];
}

static inline void mc_set(uint8_t *flag)
{
    if (!__atomic_load_n(flag, __ATOMIC_RELAXED)) __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
}

/* A state that was reached has this value. */
static inline void mc_note_value(struct mc_space *s, uint32_t component, uint32_t number)
{
    const struct mc_values *v = mc_values_of(s, component);
    int32_t slot = s->p.component[component].slot;
    mc_set(&v->seen[number]);
    if (slot >= 0 && v->position[number]) mc_set(&s->slot_seen[slot]);
}

#endif
