/* A search thread: the state that it looks at, and what it needs to run actions. */
#ifndef MC_WORKER_H
#define MC_WORKER_H

#include "model/context.h"
#include "store/exact_map.h"
#include "store/state_tree.h"

struct mc_direct;
struct mc_known_timers;
struct mc_question;
struct mc_halves;
struct mc_letters;

/* How many states (or successors) a reduction has changed; `within`: such that were passed over. */
struct mc_reduced { uint64_t states, within; };

/* Of an action: how often its result was looked for and was not there; how many times it shall not even be looked for. */
struct mc_worth { uint32_t looked, missed, skipping; };
enum { MC_LOOKED = 1 << 15, MC_SKIPPED = 1 << 19 };

struct mc_worker {
    struct mc_space *space;
    uint32_t *v;      /* the state that is looked at: number of every node's value; set by mc_decode */
    uint16_t at[MC_MOST_SLOTS]; /* its positions, by slot; set by mc_expand */
    void *of_reduction[MC_ROLES]; /* what each reduction keeps for this worker */
    struct mc_reduced reduced[MC_ROLES];
    bool early;    /* the state that is expanded was first expanded before any reduction was given up */
    bool unreduced; /* all successors, as the program makes them: nothing is left out or exchanged */
    struct mc_memo memo;
    struct mc_worth *worth; /* by action */
    struct mc_direct **direct; /* by slot, then by value of its component */
    uint32_t *direct_room;
    struct mc_question *question;
    uint32_t questions, questions_room;
    uint64_t questions_bytes; /* with what hangs on them, and on `direct` */
    uint32_t *asked; /* components that the last executions have asked for, in that order; then those of their slots */
    uint32_t asked_count;
    uint8_t *is_asked; /* by component */
    uint8_t *room;   /* the policy block, then the block of an execution */
    uint8_t *block;  /* within `room` */
    uint8_t *passed; /* before it: a byte for each block of the flow graphs that an execution has passed */
    uint8_t *before; /* the block that an execution starts with */
    uint8_t *gather; /* one component's bytes */
    struct mc_context *context;
    uint32_t *results; /* what executions gave; see action_cache.h */
    uint64_t results_used, results_room; /* words */
    uint32_t *scratch; /* results that are not kept */
    uint64_t scratch_used, scratch_room; /* words */
    uint64_t executions, remembered;
    int64_t *zone;         /* clocks_and_zones.c: one zone, */
    uint8_t *timer_bytes;  /* the timers as bytes, */
    struct mc_known_timers *known_timers;
    struct mc_halves *halves; /* NULL: see half_state_cache.h */
    struct mc_letters *letters; /* of the invariants that are watched; NULL: not asked yet */
    uint64_t decoded;  /* the root that `v` and `at` are of, when */
    bool is_decoded;   /* mc_decode_halves has been asked last */
    bool rootless; /* successors get no roots: nothing above the components is numbered */
    double patience; /* seconds for all executions of an event; 0: as many as they take */
    bool stopped_short; /* it was at its end, and what is there is not all */
    double executing; /* seconds, estimated */
    bool broken; /* an action asked for more decisions than there is room for */
};

bool mc_worker_new(struct mc_worker *w, struct mc_space *s);
void mc_worker_free(struct mc_worker *w);

/* All of `v` from a root. */
void mc_decode(struct mc_worker *w, uint64_t root);
/* The same, and the positions `at`; quick if a half is as it was. */
void mc_decode_halves(struct mc_worker *w, uint64_t root);
/* The root of the state in `v` after some changes (pairs of component and new value); `v` is left as it was. */
uint64_t mc_root_after(struct mc_worker *w, const uint32_t *changes, uint32_t count);
/* The root of the state whose components have these values in `v`. */
uint64_t mc_root_here(struct mc_worker *w);
/* The root of the state that this block is, without time; `v` then holds it. */
uint64_t mc_root_of_block(struct mc_worker *w, const uint8_t *block);
/* The root of the initial state, which `v` then holds. */
uint64_t mc_initial(struct mc_worker *w);
/* The block of the state in `v`. */
void mc_put_state(const struct mc_worker *w, uint8_t *block);
/* A block as states have it: dead variables are 0, if they are reset. */
void mc_reset_block(const struct mc_space *s, uint8_t *block);
/* One component's bytes from and to a block. */
void mc_put_component(const struct mc_space *s, uint8_t *block, uint32_t component, uint32_t number);
uint32_t mc_get_component(struct mc_worker *w, const uint8_t *block, uint32_t component);

#endif
