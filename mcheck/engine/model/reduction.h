/* What a reduction is to the engine: functions that the model and the searches call where one is attached.
 *
 * A reduction has one of four roles (enum mc_role), and for each at most one is attached. What it knows is its own: `state` of
 * the space, and what it keeps for each worker. To add one or to drop one touches its file in reduce/ and the registry,
 * search/reductions.c.
 */
#ifndef MC_REDUCTION_H
#define MC_REDUCTION_H

#include "model/successors.h"

struct mc_chosen { uint64_t slots[MC_MOST_SLOTS / 64]; };

static inline bool mc_is_chosen(const struct mc_chosen *c, uint32_t slot) { return c->slots[slot / 64] >> slot % 64 & 1; }

/* Sets of slots whose steps are enough (persistent sets), as far as can be told without executing them; the least first. One of
 * them is taken if none of its steps goes back and not all of them fail; else all slots are looked at. */
enum { MC_MOST_SETS = 6 };
struct mc_decision {
    struct mc_chosen alone, first;       /* each of these is enough; if its step begins a wait and does nothing else */
    uint32_t count;
    struct mc_chosen set[MC_MOST_SETS]; /* of several slots */
};

/* These in turn: begins as zeros. */
struct mc_candidate {
    struct mc_chosen set;
    bool only_waits; /* it is enough only if each of its steps begins a wait, and does nothing else */
    uint32_t next;   /* slots that are looked at alone, those of `first`, sets */
};

static inline bool mc_next_candidate(const struct mc_decision *d, struct mc_candidate *c)
{
    memset(&c->set, 0, sizeof c->set);
    for (; c->next < 2 * MC_MOST_SLOTS; c->next++) {
        uint32_t slot = c->next % MC_MOST_SLOTS, i = slot / 64;
        uint64_t left = (c->next < MC_MOST_SLOTS ? d->alone.slots[i] : d->first.slots[i]) >> slot % 64;
        if (!left) c->next |= 63; /* nobody else of these */
        if (!(left & 1)) continue;
        c->only_waits = c->next++ >= MC_MOST_SLOTS;
        c->set.slots[i] = 1ull << slot % 64;
        return true;
    }
    c->only_waits = false;
    if (c->next - 2 * MC_MOST_SLOTS >= d->count) return false;
    c->set = d->set[c->next++ - 2 * MC_MOST_SLOTS];
    return true;
}

/* What a search has come to at the begin of a level. */
struct mc_level {
    uint64_t states, first, depth; /* found so far; number of the first of this level; of this level */
    struct mc_reduced reduced[MC_ROLES]; /* by all workers */
    bool in_memory;
    uint64_t *(*all_roots)(void *search); /* every state's root by its number; NULL: no memory */
    void *search;
};

struct mc_reduction_ops {
    const char *name;

    /* MC_CHOOSE. Of the state that the worker holds, whose positions are in `at`. NULL: all slots are needed. */
    const struct mc_decision *(*choose)(struct mc_worker *w);
    /* The same of two halves (half_state_cache.h) with these numbers; the worker need not hold the state. */
    const struct mc_decision *(*choose_halves)(struct mc_worker *w, uint32_t left, uint32_t right);
    /* A number for what choices depend on in a half of the state; 0: there is none. */
    uint32_t (*number_half)(struct mc_worker *w, uint32_t half);
    /* May this step close a cycle of states? Each cycle has a step that does, and a set with such a step is not enough. */
    bool (*goes_back)(const struct mc_worker *w, uint32_t slot, const uint32_t *changes, uint32_t changed);
    /* A step leads from a component's value in `v` to this one. */
    void (*note_value)(const struct mc_worker *w, uint32_t component, uint32_t value);

    /* MC_CANONICAL. Gives the successor the root of the state that is kept for it, and `moved` if slots have been exchanged. */
    void (*canonical)(struct mc_worker *w, struct mc_successor *s);
    /* Does the slot do the same as the one before it, which is of its kind? */
    bool (*is_twin)(const struct mc_worker *w, uint32_t slot);
    /* The blocks along a path of states that are kept, as the program goes it, and whose each step is (NULL: not asked). */
    bool (*unwind)(struct mc_worker *w, const uint32_t *ordinals, uint64_t count, uint8_t *blocks, mc_slot *slots);

    /* MC_RESET. What is 0 in the record of a slot whose process is at a position (0: there is none). */
    void (*reset)(const struct mc_space *s, uint32_t slot, uint32_t position, uint8_t *record);

    /* MC_PASS. As mc_expand, with the states at the ends of what is passed over as successors. */
    enum mc_end (*expand)(struct mc_worker *w, mc_visit visit, void *context);
    /* From the initial state along these successors, each with what was passed over behind it: the successors one by one, as
     * mc_expand numbers them. How many there are; UINT64_MAX: they are not there. */
    uint64_t (*unfold)(struct mc_worker *w, const uint32_t *kept, uint64_t count, uint32_t *ordinals, uint64_t room);
    /* Was a state expanded before it was given up? By its root, its number. */
    bool (*is_early_root)(const struct mc_space *s, uint64_t root);
    bool (*is_early_state)(const struct mc_space *s, uint64_t number);

    /* All. At the begin of a level: it may give itself up. NULL: it never does. */
    void (*begin_level)(struct mc_space *s, const struct mc_level *l);
    void (*free_worker)(struct mc_worker *w);
    void (*free)(struct mc_space *s);
};

static inline void mc_attach(struct mc_space *s, enum mc_role role, const struct mc_reduction_ops *ops, void *state)
{
    s->reduction[role] = (struct mc_attached){ops, state, false};
}

static inline bool mc_is_attached(const struct mc_space *s, enum mc_role role) { return s->reduction[role].ops != NULL; }

/* Is it attached, and has not been given up? */
static inline bool mc_is_in_force(const struct mc_space *s, enum mc_role role)
{
    return s->reduction[role].ops && !s->reduction[role].given_up;
}

/* In force for the state that the worker expands? */
static inline bool mc_reduces(const struct mc_worker *w, enum mc_role role)
{
    const struct mc_attached *a = &w->space->reduction[role];
    return a->ops && (!a->given_up || w->early);
}

/* As mc_expand, but where states are passed over: then successors are the states that are kept, at the ends of what was passed.
 * A successor's `passed` is how many states lie between, each left by its successor 0, and `changes` has every component that
 * any of these steps has changed. */
static inline enum mc_end mc_expand_to_kept(struct mc_worker *w, mc_visit visit, void *context)
{
    if (!mc_reduces(w, MC_PASS)) return mc_expand(w, visit, context);
    return w->space->reduction[MC_PASS].ops->expand(w, visit, context);
}

/* Who expands a state again does it as it was expanded first: was that before something was given up? */
static inline bool mc_is_early_root(const struct mc_space *s, uint64_t root)
{
    const struct mc_attached *a = &s->reduction[MC_PASS];
    return a->given_up && a->ops->is_early_root(s, root);
}

static inline bool mc_is_early_state(const struct mc_space *s, uint64_t number)
{
    const struct mc_attached *a = &s->reduction[MC_PASS];
    return a->given_up && a->ops->is_early_state(s, number);
}

/* Does this step begin a wait of its slot, and nothing else? */
static inline bool mc_only_waits(const struct mc_worker *w, uint32_t slot, const uint32_t *changes, uint32_t changed)
{
    const struct mc_space *s = w->space;
    uint32_t own = s->p.slot_component[slot];
    return changed == 1 && changes[0] == own && mc_values_of(s, own)->position[changes[1]] >= s->p.first_waiting;
}

static inline void mc_free_worker_of_reductions(struct mc_worker *w)
{
    for (uint32_t i = 0; i < MC_ROLES; i++)
        if (w->of_reduction[i]) w->space->reduction[i].ops->free_worker(w);
}

static inline void mc_free_reductions(struct mc_space *s)
{
    for (uint32_t i = 0; i < MC_ROLES; i++)
        if (s->reduction[i].ops && s->reduction[i].ops->free) s->reduction[i].ops->free(s);
}

#endif
