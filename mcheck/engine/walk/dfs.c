/* Depth-first search. Where memory is bounded, states that are fully explored make room for others: they may then be
 * visited again, but what is on the stack never leaves the store, so the search ends.
 *
 * Partial deadlocks: each explored state has a mask of slots that may be stuck there, made smaller by what its successors
 * have. Only states whose mask is empty leave the store; so a successor that is not there any more has an empty mask too.
 * Once nothing else can go, it is decided by what is known, and masks are given up.
 */
#include "walk/single_thread.h"

enum { MC_CANDIDATES = 24, MC_TRIES = 96 };

/* A state on the stack, by its node; the `left` successors that are still to be visited lie behind those of the one before.
 * `visits_before`: the lower bits of how many. */
struct frame { uint32_t node, ordinal, left, visits_before; };
struct next { uint32_t left, right, ordinal; }; /* the halves of its root */

struct depth_first {
    struct frame *frame;
    uint64_t frames, frames_room;
    struct next *next;
    uint64_t nexts, nexts_room;
    uint8_t *worth;          /* by node: how much it is worth to keep it once it is explored */
    uint64_t worths_room;
    uint64_t most;           /* nodes; UINT64_MAX: there is no bound yet */
    uint64_t *seen;          /* once states are replaced: bits, by hash, of those entered */
    uint64_t seen_mask, seen_count;
    uint64_t random;
    bool started;
};

static bool begin_depth_first(struct mc_walk *d)
{
    struct depth_first *x = d->context = calloc(1, sizeof *x);
    if (!x) return false;
    x->most = d->o.most_stored ? d->o.most_stored : UINT64_MAX;
    x->random = 0x9E3779B97F4A7C15u;
    return true;
}

static void free_depth_first(struct mc_walk *d)
{
    struct depth_first *x = d->context;
    mc_release(x->frame, x->frames_room * sizeof *x->frame);
    mc_release(x->next, x->nexts_room * sizeof *x->next);
    mc_release(x->worth, x->worths_room);
    free(x->seen);
    free(x);
}

static void measure(struct mc_walk *d)
{
    const struct depth_first *x = d->context;
    d->s.table_bytes += d->visits.count + (x->seen ? (x->seen_mask + 1) / 8 : 0);
    d->s.frontier_bytes = x->frames * sizeof *x->frame + x->nexts * sizeof *x->next;
}

/* The store stops growing while there is still room for stacks and values. */
static void keep_memory_small(struct mc_walk *d, uint64_t used)
{
    struct depth_first *x = d->context;
    if (used > d->most_memory / 4 * 3 && d->visits.count < x->most) x->most = d->visits.count;
}

/* Room for one more of each. */
static bool room_for_more(struct mc_walk *d)
{
    struct depth_first *x = d->context;
    void *frame = x->frame, *worth = x->worth;
    bool wide = mc_widen(&frame, &x->frames_room, x->frames + 1, sizeof *x->frame);
    x->frame = frame;
    wide = wide && mc_widen(&worth, &x->worths_room, d->visits.count + 1ull, 1);
    x->worth = worth;
    return wide;
}

static bool push_next(struct mc_walk *d, uint64_t root, uint32_t ordinal)
{
    struct depth_first *x = d->context;
    void *next = x->next;
    bool wide = mc_widen(&next, &x->nexts_room, x->nexts + 1, sizeof *x->next);
    x->next = next;
    if (!wide) {
        d->s.stop = MC_MEMORY;
        return false;
    }
    x->next[x->nexts++] = (struct next){(uint32_t)root, (uint32_t)(root >> 32), ordinal};
    x->frame[x->frames - 1].left++;
    return true;
}

static void note_on_stack(struct mc_walk *d, uint32_t kind, const struct mc_fault *f, uint32_t slot)
{
    struct depth_first *x = d->context;
    uint32_t *ordinals = malloc(4 * x->frames + 4);
    if (!ordinals) {
        d->s.stop = MC_MEMORY;
        return;
    }
    for (uint64_t i = 1; i < x->frames; i++) ordinals[i - 1] = x->frame[i].ordinal;
    mc_walk_note(d, kind, f, slot, d->visits.root[x->frame[x->frames - 1].node], ordinals, x->frames - 1);
    free(ordinals);
    if (!mc_walk_goes_on(d, kind)) d->s.stop = MC_ERROR;
}

/* --- who makes room ---------------------------------------------------------------------------------------------- */

static void set_seen(struct mc_walk *d, uint64_t root)
{
    struct depth_first *x = d->context;
    uint64_t bit = mc_mix(root ^ 0xC2B2AE3D27D4EB4Fu) & x->seen_mask;
    x->seen_count += !(x->seen[bit / 64] >> bit % 64 & 1);
    x->seen[bit / 64] |= 1ull << bit % 64;
    if (x->seen_count > d->c.at_least) d->c.at_least = x->seen_count;
}

/* From here on states are not counted any more; bits by hash say how many there are at least. */
static bool begin_to_replace(struct mc_walk *d)
{
    struct depth_first *x = d->context;
    uint64_t bits = 1024;
    while (bits < 16ull * d->visits.count) bits *= 2;
    x->seen = calloc(bits / 64, 8);
    if (!x->seen) return false;
    x->seen_mask = bits - 1;
    for (uint32_t n = 0; n < d->visits.count; n++) set_seen(d, d->visits.root[n]);
    d->c.at_least = d->visits.count;
    return true;
}

static bool may_go(const struct mc_walk *d, uint32_t node) { return d->visits.info[node] == 0; }

/* Of some states taken by chance the one that is worth least. UINT32_MAX: all must stay. */
static uint32_t who_goes(struct mc_walk *d)
{
    struct depth_first *x = d->context;
    uint32_t best = UINT32_MAX, candidates = 0;
    for (uint32_t i = 0; i < MC_TRIES && candidates < MC_CANDIDATES; i++) {
        x->random = x->random * 6364136223846793005u + 1442695040888963407u;
        uint32_t n = (uint32_t)((x->random >> 32) * d->visits.count >> 32);
        if (!may_go(d, n)) continue;
        candidates++;
        if (best == UINT32_MAX || x->worth[n] < x->worth[best]) best = n;
    }
    for (uint32_t n = 0; n < d->visits.count && best == UINT32_MAX; n++)
        if (may_go(d, n)) best = n;
    return best;
}

static bool make_room(struct mc_walk *d, uint64_t root, uint32_t *node)
{
    struct depth_first *x = d->context;
    if (!x->seen && !begin_to_replace(d)) return false;
    uint32_t n = who_goes(d);
    if (n == UINT32_MAX && d->o.find_stuck) {
        if (!mc_walk_resolve(d, true)) mc_walk_conclude(d);
        n = who_goes(d);
    }
    if (n == UINT32_MAX) return false;
    mc_visits_replace(&d->visits, n, root);
    d->c.replaced++;
    *node = n;
    return true;
}

/* --- the search -------------------------------------------------------------------------------------------------- */

static void narrow(struct mc_walk *d, const struct mc_successor *s)
{
    uint32_t t = mc_visits_find(&d->visits, s->root);
    mc_without_changed(&d->worker, s, &d->stuck.now);
    if (t != UINT32_MAX) mc_mask_and(&d->stuck.now, &d->masks.mask[d->visits.info[t] & ~MC_ON_STACK]);
}

static bool look_ahead(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct mc_walk *d = context;
    (void)w;
    d->s.transitions++;
    if (s->fault) {
        d->s.faults++;
        memset(&d->stuck.now, 0, sizeof d->stuck.now);
        note_on_stack(d, MC_FAULT, s->fault, s->slot);
        return true;
    }
    mc_walk_look_at_invariants(d, s, note_on_stack);
    if (!mc_mask_empty(&d->stuck.now)) narrow(d, s);
    if (mc_visits_find(&d->visits, s->root) != UINT32_MAX) return true;
    return push_next(d, s->root, s->ordinal);
}

static bool set_mask(struct mc_walk *d, uint32_t node, const struct mc_mask *mask)
{
    uint32_t number = mc_mask_number(&d->masks, mask);
    if (number == UINT32_MAX) return false;
    d->visits.info[node] = (d->visits.info[node] & MC_ON_STACK) | number;
    return true;
}

static void enter(struct mc_walk *d, uint64_t root, uint32_t ordinal)
{
    struct depth_first *x = d->context;
    uint32_t node;
    bool full = d->visits.count >= x->most || d->visits.count >= UINT32_MAX - 1;
    if (!room_for_more(d) || (full ? !make_room(d, root, &node) : !mc_visits_add(&d->visits, root, &node))) {
        d->s.stop = MC_MEMORY;
        return;
    }
    d->c.visits++;
    if (x->seen) set_seen(d, root);
    if (d->visits.count > d->c.most_stored) d->c.most_stored = d->visits.count;
    d->visits.info[node] = MC_ON_STACK;
    x->frame[x->frames++] = (struct frame){node, ordinal, 0, (uint32_t)d->c.visits};
    if (x->frames > d->c.most_on_stack) d->c.most_on_stack = x->frames;
    d->s.depth = (uint32_t)d->c.most_on_stack - 1;
    if (root == d->goal) {
        note_on_stack(d, MC_STUCK, NULL, 0);
        d->s.stop = MC_ERROR;
        return;
    }
    mc_decode(&d->worker, root);
    memset(&d->stuck.now, 0, sizeof d->stuck.now);
    if (d->o.find_stuck) {
        mc_waiting(&d->worker, &d->stuck.now);
        if (!set_mask(d, node, &d->stuck.now)) d->s.stop = MC_MEMORY; /* so that a step to itself finds it */
    }
    enum mc_end end = mc_expand(&d->worker, look_ahead, d);
    d->s.expanded++;
    if (end == MC_ENDED) d->s.ends++;
    if (end != MC_GOES_ON) mc_walk_look_at_invariants(d, NULL, note_on_stack);
    if (end == MC_DEADLOCKED) {
        d->s.deadlocks++;
        note_on_stack(d, MC_DEADLOCK, NULL, 0);
    }
    if (!set_mask(d, node, &d->stuck.now)) d->s.stop = MC_MEMORY;
}

/* What is stuck in `node` at most is stuck in the state below it as well. */
static void narrow_below(struct mc_walk *d, uint32_t below, uint32_t node)
{
    uint32_t here = d->visits.info[below] & ~MC_ON_STACK;
    if (!here) return;
    struct mc_mask mask = d->masks.mask[here];
    mc_mask_and(&mask, &d->masks.mask[d->visits.info[node] & ~MC_ON_STACK]);
    if (!set_mask(d, below, &mask)) d->s.stop = MC_MEMORY;
}

/* How much it is worth to keep a state that has been explored. States at every second depth go first, then those at every
 * fourth, and so on: from one that comes back it is then not far to such that are there. What took long to explore stays
 * longer. */
static uint8_t worth_of(const struct mc_walk *d, const struct frame *f)
{
    const struct depth_first *x = d->context;
    uint32_t effort = 63 - (uint32_t)__builtin_clzll((uint64_t)((uint32_t)d->c.visits - f->visits_before) + 1);
    uint32_t level = (uint32_t)__builtin_ctzll(x->frames + 1) + effort / 3;
    return (uint8_t)((level < 15 ? level : 15) * 16 + (effort < 15 ? effort : 15));
}

static void leave(struct mc_walk *d)
{
    struct depth_first *x = d->context;
    const struct frame *f = &x->frame[--x->frames];
    x->worth[f->node] = worth_of(d, f);
    d->visits.info[f->node] &= ~MC_ON_STACK;
    if (x->frames) narrow_below(d, x->frame[x->frames - 1].node, f->node);
}

static void run(struct mc_walk *d, double begin, double seconds)
{
    struct depth_first *x = d->context;
    if (!x->started) {
        x->started = true;
        enter(d, mc_initial(&d->worker), 0);
    }
    while (x->frames && d->s.stop == MC_COMPLETE) {
        struct frame *f = &x->frame[x->frames - 1];
        if (!f->left) {
            leave(d);
            continue;
        }
        struct next next = x->next[--x->nexts];
        f->left--;
        uint64_t root = next.left | (uint64_t)next.right << 32;
        uint32_t there = mc_visits_find(&d->visits, root);
        if (there == UINT32_MAX) enter(d, root, next.ordinal);
        else narrow_below(d, f->node, there);
        mc_walk_look_at_limits(d, begin, seconds);
    }
}

const struct mc_search_ops mc_depth_first = {
    .name = "depth-first",
    .begin = begin_depth_first,
    .run = run,
    .free = free_depth_first,
    .keeps_masks = true,
    .measure = measure,
    .keep_memory_small = keep_memory_small,
};
