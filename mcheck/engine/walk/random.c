/* Random walks: one after the other from the initial state, each step one of the successors, all of them as likely. Nothing
 * is kept but the way of the walk, and a sketch of the states, which says how many different ones they were. A walk begins
 * anew where nothing goes on, and after so many steps.
 */
#include "base/hyperloglog.h"
#include "walk/single_thread.h"

struct random_walks {
    struct mc_sketch sketch;
    uint64_t random;
    uint32_t *v;   /* the state, while others use the worker */
    uint32_t *way; /* ordinals since the walk began */
    uint64_t steps, way_room;
    uint64_t hash, next_hash;
    uint32_t *next; /* the changes of the successor that is chosen so far */
    uint32_t changed, ordinal, seen;
    bool walks; /* there is a state to go on from */
};

static bool begin_random(struct mc_walk *d)
{
    struct random_walks *x = d->context = calloc(1, sizeof *x);
    if (!x) return false;
    x->random = mc_mix(d->o.seed + 0x9E3779B97F4A7C15u) | 1;
    x->v = calloc(d->space->p.components, 4);
    x->next = calloc(2 * MC_MOST_COMPONENTS + 6, 4);
    return x->v && x->next;
}

static void free_random(struct mc_walk *d)
{
    struct random_walks *x = d->context;
    free(x->v);
    free(x->next);
    mc_release(x->way, 4 * x->way_room);
    free(x);
}

static uint64_t count_distinct(const struct mc_walk *d)
{
    const struct random_walks *x = d->context;
    return (uint64_t)(mc_sketch_count(&x->sketch) + 0.5);
}

static uint32_t by_chance(struct random_walks *x, uint32_t below)
{
    x->random ^= x->random << 13;
    x->random ^= x->random >> 7;
    x->random ^= x->random << 17;
    return (uint32_t)((x->random >> 32) * below >> 32);
}

static void note(struct mc_walk *d, uint32_t kind, const struct mc_fault *f, uint32_t slot)
{
    const struct random_walks *x = d->context;
    mc_walk_note(d, kind, f, slot, 0, x->way, x->steps);
    if (!mc_walk_goes_on(d, kind)) d->s.stop = MC_ERROR;
}

/* Each successor takes the place of the one chosen before with the right probability. */
static bool choose(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct mc_walk *d = context;
    struct random_walks *x = d->context;
    d->s.transitions++;
    if (s->fault) {
        d->s.faults++;
        note(d, MC_FAULT, s->fault, s->slot);
        return true;
    }
    mc_walk_look_at_invariants(d, s, note);
    if (by_chance(x, ++x->seen) != 0) return true;
    memcpy(x->next, s->changes, 8ull * s->changed);
    x->changed = s->changed;
    x->ordinal = s->ordinal;
    x->next_hash = mc_hash_after(w, x->hash, s);
    return true;
}

static void enter(struct mc_walk *d, uint64_t hash)
{
    struct random_walks *x = d->context;
    x->hash = hash;
    mc_sketch_add(&x->sketch, mc_mix(hash));
    d->c.visits++;
    if (x->steps > d->c.most_on_stack) d->c.most_on_stack = x->steps;
    d->s.depth = (uint32_t)d->c.most_on_stack;
}

static void begin_walk(struct mc_walk *d)
{
    struct random_walks *x = d->context;
    mc_initial(&d->worker);
    x->steps = 0;
    x->walks = true;
    d->c.walks++;
    enter(d, mc_hash_here(&d->worker));
}

static void step(struct mc_walk *d)
{
    struct random_walks *x = d->context;
    x->seen = 0;
    enum mc_end end = mc_expand(&d->worker, choose, d);
    d->s.expanded++;
    d->s.ends += end == MC_ENDED;
    if (end != MC_GOES_ON) mc_walk_look_at_invariants(d, NULL, note);
    if (end == MC_DEADLOCKED) {
        d->s.deadlocks++;
        note(d, MC_DEADLOCK, NULL, 0);
    }
    void *way = x->way;
    if (!mc_widen(&way, &x->way_room, x->steps + 1, 4)) d->s.stop = MC_MEMORY;
    x->way = way;
    x->walks = x->seen && x->steps < d->o.most_depth;
    if (!x->walks || d->s.stop != MC_COMPLETE) return;
    for (uint32_t i = 0; i < x->changed; i++) d->worker.v[x->next[2 * i]] = x->next[2 * i + 1];
    x->way[x->steps++] = x->ordinal;
    enter(d, x->next_hash);
}

static void run(struct mc_walk *d, double begin, double seconds)
{
    struct random_walks *x = d->context;
    size_t size = 4ull * d->space->p.components;
    d->worker.rootless = true;
    memcpy(d->worker.v, x->v, size);
    while (d->s.stop == MC_COMPLETE) {
        if (!x->walks) begin_walk(d);
        step(d);
        if (d->s.stop == MC_COMPLETE && d->o.most_steps && d->s.expanded >= d->o.most_steps) d->s.stop = MC_BOUND;
        mc_walk_look_at_limits(d, begin, seconds);
    }
    memcpy(x->v, d->worker.v, size);
    d->worker.rootless = false;
}

const struct mc_search_ops mc_random_walks = {
    .name = "random walks",
    .begin = begin_random,
    .run = run,
    .free = free_random,
    .count_distinct = count_distinct,
    .looks_every = 8192, /* a sketch takes its time */
};
