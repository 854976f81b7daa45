/* A walk in progress: what its parts (walk.c, depth.c, hashed.c, directed.c, contexts.c,
 * random_walks.c, swarm.c, rest.c, shorter_way.c) share. */
#ifndef MC_WALKS_H
#define MC_WALKS_H

#include "base/slot_sets.h"
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

/* A state on the stack; its successors that are still to be visited lie behind those of the one before. */
struct mc_frame { uint64_t root, successors; uint64_t visits_before; uint32_t node, ordinal; };
struct mc_next { uint64_t root; uint32_t ordinal; };

struct mc_queue {
    struct mc_queued { uint32_t node, steps; } *item;
    uint64_t count, room;
};

/* Who found a state, by which successor, how many steps away, and the estimate. */
struct mc_origin { uint32_t parent, ordinal, steps, estimate; };

struct mc_hashed;
struct mc_random;
struct mc_contexts;
struct mc_swarm;
struct mc_sketch;

enum mc_order { MC_LAST_FIRST, MC_FIRST_FIRST, MC_BY_CHANCE }; /* of the successors of a state */

/* How a search of a swarm is told apart from the others. */
struct mc_one_of_swarm {
    uint64_t seed, random;    /* of the hashes, 0: as they are; of the order */
    uint32_t order, functions; /* how many bits for each state */
    uint64_t deepest;         /* steps; 0: no bound */
    uint64_t most_bits, most_steps; /* it ends when so many are set, or after so many states */
    struct mc_sketch *sketch; /* NULL: none */
};

struct mc_walk {
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
    bool started;

    struct mc_frame *frame;
    uint64_t frames, frames_room;
    struct mc_next *next;
    uint64_t nexts, nexts_room;
    uint8_t *worth;          /* by node: how much it is worth to keep it once it is explored */
    uint64_t worths_room;
    uint64_t most;           /* nodes; UINT64_MAX: there is no bound yet */
    uint64_t *seen;          /* once states are replaced: bits, by hash, of those entered */
    uint64_t seen_mask, seen_count;
    uint64_t random;
    struct mc_mask now;      /* of the state that is expanded */
    bool hoping;
    bool concluded;          /* masks were given up; the most that were found stuck until then: */
    uint64_t stuck_root;
    struct mc_mask stuck;

    struct mc_origin *origin;
    uint64_t origins_room;
    struct mc_queue *queue[MC_MOST_ESTIMATES];
    uint64_t queues[MC_MOST_ESTIMATES]; /* how many of each there are */
    uint32_t lowest[MC_MOST_ESTIMATES], turn;
    uint32_t node; /* that is expanded */
    uint32_t here[MC_MOST_ESTIMATES]; /* its estimates, where they add */
    uint64_t queued_bytes;
    struct mc_hashed *hashed;
    struct mc_random *by_chance;
    struct mc_contexts *contexts;
    struct mc_swarm *swarm;
    uint64_t most_memory; /* of this walk; 0: no bound */
    uint32_t shortest; /* of the ways of the errors found so far */
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

bool mc_depth_new(struct mc_walk *d);
void mc_depth_free(struct mc_walk *d);
void mc_depth_run(struct mc_walk *d, double begin, double seconds);
bool mc_directed_new(struct mc_walk *d);
void mc_directed_free(struct mc_walk *d);
void mc_directed_run(struct mc_walk *d, double begin, double seconds);
bool mc_hashed_new(struct mc_walk *d);
void mc_hashed_free(struct mc_walk *d);
void mc_hashed_run(struct mc_walk *d, double begin, double seconds);
uint64_t mc_hashed_bytes(const struct mc_walk *d);
uint64_t mc_hashed_stack_bytes(const struct mc_walk *d);
/* From the start, and so. */
void mc_hashed_begin(struct mc_walk *d, const struct mc_one_of_swarm *one);
bool mc_random_new(struct mc_walk *d);
void mc_random_free(struct mc_walk *d);
void mc_random_run(struct mc_walk *d, double begin, double seconds);
bool mc_contexts_new(struct mc_walk *d);
void mc_contexts_free(struct mc_walk *d);
void mc_contexts_run(struct mc_walk *d, double begin, double seconds);
uint64_t mc_contexts_bytes(const struct mc_walk *d);
bool mc_swarm_new(struct mc_walk *d);
void mc_swarm_free(struct mc_walk *d);
void mc_swarm_run(struct mc_walk *d, double begin, double seconds);
/* Adds what its searches take. */
void mc_swarm_measure(struct mc_walk *d);
/* About how many different states they have met. */
uint64_t mc_random_distinct(const struct mc_walk *d);
uint64_t mc_swarm_distinct(const struct mc_walk *d);
/* The way to a state, by its number. */
uint32_t *mc_contexts_way(struct mc_walk *d, uint32_t node, uint64_t *length);
uint32_t *mc_directed_way(struct mc_walk *d, uint32_t node, uint64_t *length);

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
