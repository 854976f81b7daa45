/* What the two halves of the search for partial deadlocks on disk share: states that are fine (partial_deadlock_on_disk.c), and the slots
 * that are stuck in the others (partial_deadlock_slots.c). */
#ifndef MC_STUCK_ON_DISK_H
#define MC_STUCK_ON_DISK_H

#include "disk/spill.h"

enum { MC_GROUP = 16, MC_RANK_BITS = 512, MC_FAR_LOOK = 1 << 12 };

struct mc_far {
    struct mc_engine *e;
    struct mc_worker *w;
    struct mc_run_reader reader;
    struct mc_pile steps;     /* key: the state they lead to; value: the state they start from */
    struct mc_record *buffer; /* of steps; later a block of them */
    uint64_t used, room;
    uint64_t *fine;           /* a bit for each state */
    uint64_t states, now;     /* how many; the one that is looked at */
    bool failed, fault;
    /* what is left: states by their number among the left */
    uint64_t *before; /* how many are left before each MC_RANK_BITS states */
    uint64_t left, rank;
    mc_slot slot[MC_MOST_SLOTS]; /* that wait somewhere, in groups of MC_GROUP */
    uint32_t slots;
    const mc_slot *group; /* that is looked at */
    uint16_t *masks, *group_masks;
};

static inline bool mc_is_fine(const struct mc_far *x, uint64_t state) { return x->fine[state / 64] >> state % 64 & 1; }
static inline void mc_set_fine(struct mc_far *x, uint64_t state) { x->fine[state / 64] |= 1ull << state % 64; }
static inline bool mc_far_stopped(const struct mc_far *x) { return x->e->interrupted || x->e->spill->disk.error || x->e->space.crew.out_of_memory; }

/* A step, which is brought into order by its key. */
void mc_far_step(struct mc_far *x, uint64_t key, uint64_t value);
/* What comes of each step, its end named by its place: it stays (perhaps changed), or it goes. */
typedef bool (*mc_keeps)(struct mc_far *x, struct mc_record *step);
/* From the parts of the pile to one part, whose keys are places. */
bool mc_far_order(struct mc_far *x, mc_keeps keep);
/* All steps once, block by block; those that `work` keeps stay. False: stopped. `*changed`: it pays to do it again. */
bool mc_far_read(struct mc_far *x, uint64_t (*work)(struct mc_far *x, uint64_t count, bool *changed), bool *changed);
/* After all that are fine are known. False: no memory, interrupted, or the disk's error. */
bool mc_find_stuck_slots(struct mc_far *x);
/* Of all, the first with the most stuck processes, as in memory. 0: there is none; 2: stopped. */
uint32_t mc_choose_stuck(struct mc_far *x, uint64_t *state, uint8_t *slots);

#endif
