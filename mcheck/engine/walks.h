/* A walk in progress: what its parts (walk.c, depth.c, hashed.c, directed.c, rest.c, shorter_way.c) share. */
#ifndef MC_WALKS_H
#define MC_WALKS_H

#include "masks.h"
#include "search.h"
#include "visits.h"
#include "walk.h"

enum { MC_STUCK = 3, MC_WALK_ERRORS = 256 };

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
    uint64_t look; /* visits at which the limits are looked at again */
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
    uint32_t shortest; /* of the ways of the errors found so far */
};

#define MC_NO_GOAL UINT64_MAX

void mc_walk_note(struct mc_walk *d, uint32_t kind, const struct mc_fault *f, uint32_t slot, uint64_t root,
                  const uint32_t *ordinals, uint64_t length);
/* Goes on in `v` by one step. False: there is none of that number. */
bool mc_walk_step(struct mc_worker *w, uint32_t ordinal, uint64_t *root);
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
