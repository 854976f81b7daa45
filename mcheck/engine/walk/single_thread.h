/* A search of one thread in progress: what all of them share, and what each is to them: functions, with a context of its own.
 * Each is one file of this room; single_thread.c has their registry. */
#ifndef MC_WALKS_H
#define MC_WALKS_H

#include "base/slot_sets.h"
#include "model/invariants.h"
#include "search/bfs.h"
#include "store/state_numbers.h"
#include "api/walks.h"

enum { MC_WALK_ERRORS = 256 };

struct mc_found {
    struct mc_error error;
    uint32_t *ordinals;
    uint64_t length;
    uint64_t root; /* of the state, or of the one in which the faulting step starts */
};

/* Who found a state, by which successor, how many steps away, and the estimate. */
struct mc_origin { uint32_t parent, ordinal, steps, estimate; };

struct mc_search_ops {
    const char *name;
    bool (*begin)(struct mc_walk *d);   /* makes `context`; false: no memory, or the options are none of this search */
    void (*run)(struct mc_walk *d, double begin, double seconds); /* on, until something stops it */
    void (*free)(struct mc_walk *d);    /* the context */
    /* The successors' numbers on the path to a state in the store; NULL: another search finds it again. */
    uint32_t *(*path_to)(struct mc_walk *d, uint32_t node, uint64_t *length);
    bool keeps_masks; /* while it searches, of who may be stuck */
    void (*measure)(struct mc_walk *d); /* what its context takes, into the statistics; NULL: nothing */
    uint64_t (*count_distinct)(const struct mc_walk *d); /* states, about; NULL: those in the store */
    void (*keep_memory_small)(struct mc_walk *d, uint64_t used); /* NULL: it cannot */
    uint32_t looks_every; /* so many visits, at the limits; 0: the usual */
};

extern const struct mc_search_ops mc_depth_first, mc_best_first, mc_hashed, mc_context_bounded, mc_random_walks, mc_swarm;

/* Partial deadlocks: the search for who is stuck (partial_deadlock_dfs.c). */
struct mc_who_is_stuck {
    struct mc_mask now;   /* of the state that is expanded */
    bool hoping;
    bool concluded;       /* masks were given up; the most that were found stuck until then: */
    uint64_t root;
    struct mc_mask slots;
};

enum { MC_VISITS_BEFORE_LOOK = 1024 }; /* at how much is used */

struct mc_walk {
    const struct mc_search_ops *ops;
    void *context; /* the search's own */
    struct mc_engine *e;
    struct mc_space *space;
    struct mc_worker worker;
    struct mc_walk_options o;
    struct mc_statistics s;
    struct mc_walk_counts c;
    struct mc_visits visits;
    struct mc_masks masks;
    struct mc_found found[MC_WALK_ERRORS];
    uint32_t founds;
    uint64_t goal; /* the search ends when it enters this state; MC_NO_GOAL: none */
    uint64_t work_at_look; /* what was done when the clock was looked at */
    uint64_t look, look_after; /* visits, or transitions, at which the limits are looked at again */
    struct mc_who_is_stuck stuck;
    uint64_t most_memory; /* of this search; 0: no bound */
};

#define MC_NO_GOAL UINT64_MAX

/* A state's hash is made of its components', so that a step changes little of it. */
static inline uint64_t mc_hash_part(uint32_t component, uint32_t value)
{
    return mc_mix(((uint64_t)component << 32 | value) * 0x9E3779B97F4A7C15u + 0xC2B2AE3D27D4EB4Fu);
}

static inline uint64_t mc_hash_here(const struct mc_worker *w)
{
    uint64_t hash = 0;
    for (uint32_t c = 0; c < w->space->p.components; c++) hash ^= mc_hash_part(c, w->v[c]);
    return hash;
}

static inline uint64_t mc_hash_after(const struct mc_worker *w, uint64_t hash, const struct mc_successor *s)
{
    for (uint32_t i = 0; i < s->changed; i++) {
        uint32_t c = s->changes[2 * i];
        hash ^= mc_hash_part(c, w->v[c]) ^ mc_hash_part(c, s->changes[2 * i + 1]);
    }
    return hash;
}

/* A walk's own way to keep an error at the state that it looks at. */
typedef void mc_walk_noting(struct mc_walk *d, uint32_t kind, const struct mc_fault *f, uint32_t slot);

/* What the step violates (NULL: that the run stays there), each as an error. */
static inline void mc_walk_look_at_invariants(struct mc_walk *d, const struct mc_successor *s, mc_walk_noting *note)
{
    for (uint64_t bad = mc_violated(&d->worker, s); bad; bad &= bad - 1) {
        struct mc_fault which = mc_violation(bad, s);
        note(d, MC_VIOLATION, &which, s ? s->slot : MC_NOBODY);
    }
}

/* Is another step to be taken after this error? */
static inline bool mc_walk_goes_on(const struct mc_walk *d, uint32_t kind)
{
    const struct mc_options *o = &d->space->o;
    bool goes_on = kind == MC_VIOLATION ? d->space->invariants->goes_on : o->keep_going;
    return goes_on && d->s.errors < o->most_errors;
}

/* Steps beyond the state that an error names. */
static inline uint32_t mc_steps_beyond(uint32_t kind) { return kind == MC_FAULT || kind == MC_VIOLATION; }

void mc_walk_note(struct mc_walk *d, uint32_t kind, const struct mc_fault *f, uint32_t slot, uint64_t root,
                  const uint32_t *ordinals, uint64_t length);
/* Goes on in `v` by one step. False: there is none of that number. */
bool mc_walk_step(struct mc_worker *w, uint32_t ordinal, uint64_t *root);
/* Goes on; who looks on may have interrupted before. */
uint32_t mc_walk_go_on(struct mc_walk *d, double seconds);
/* The same of one of several walks that are at work at once: what they share is set by who began them. */
uint32_t mc_walk_part(struct mc_walk *d, double seconds);
void mc_walk_measure(struct mc_walk *d);
uint64_t mc_walk_used(const struct mc_walk *d);
/* Now and then: is it time to stop? */
void mc_walk_look_at_limits(struct mc_walk *d, double begin, double seconds);

/* The slots that wait in `v` for what only another process can give them. */
void mc_waiting(const struct mc_worker *w, struct mc_mask *waiting);
/* Without the slots that a step changes: they have been let go. */
void mc_without_changed(const struct mc_worker *w, const struct mc_successor *s, struct mc_mask *mask);
/* Makes the masks of explored states smaller until nothing changes; how many have become empty. `hoping`: a state on the
 * stack may have its mask; else it is taken for empty, so that what is left is certain. */
uint64_t mc_walk_resolve(struct mc_walk *d, bool hoping);
/* Who is certainly stuck by now? From here on there are no masks. */
void mc_walk_conclude(struct mc_walk *d);

#endif
