/* Best-first search and A*: the states that seem nearest to an error are looked at first.
 *
 * Queues are stacks by number. Best-first: each estimate has a queue of its own, and they take turns. A*: one queue, by
 * the least of the estimates and the steps so far; where no estimate is too large, the first error has a shortest way.
 */
#include "walk/single_thread.h"

/* An estimate counts for so many steps: among states that seem equally near, those with a short way come first. */
enum { MC_GREED = 5, MC_EXPANDED = 1, MC_COUNTED = 2 };

struct queue {
    struct queued { uint32_t node, steps; } *item;
    uint64_t count, room;
};

struct best_first {
    struct mc_origin *origin;
    uint64_t origins_room;
    struct queue *queue[MC_MOST_ESTIMATES];
    uint64_t queues[MC_MOST_ESTIMATES]; /* how many of each there are */
    uint32_t lowest[MC_MOST_ESTIMATES], turn;
    uint32_t node; /* that is expanded */
    uint32_t here[MC_MOST_ESTIMATES]; /* its estimates, where they add */
    uint64_t queued_bytes;
    uint32_t shortest; /* of the paths of the errors found so far */
    bool started;
};

static bool begin_best_first(struct mc_walk *d)
{
    struct best_first *b = d->context = calloc(1, sizeof *b);
    if (!b) return false;
    b->shortest = UINT32_MAX;
    for (uint32_t i = 0; i < MC_MOST_ESTIMATES; i++) b->lowest[i] = UINT32_MAX;
    return d->o.estimates && d->o.estimates <= MC_MOST_ESTIMATES;
}

static void free_best_first(struct mc_walk *d)
{
    struct best_first *b = d->context;
    for (uint32_t i = 0; i < MC_MOST_ESTIMATES; i++) {
        for (uint64_t k = 0; k < b->queues[i]; k++) free(b->queue[i][k].item);
        mc_release(b->queue[i], b->queues[i] * sizeof **b->queue);
    }
    mc_release(b->origin, b->origins_room * sizeof *b->origin);
    free(b);
}

static void measure(struct mc_walk *d)
{
    const struct best_first *b = d->context;
    if (b->origin) d->s.table_bytes += sizeof *b->origin * (uint64_t)d->visits.count;
    d->s.frontier_bytes = b->queued_bytes;
}

static void put(struct mc_walk *d, uint32_t which, uint32_t at, uint32_t node)
{
    struct best_first *b = d->context;
    void *queues = b->queue[which];
    bool wide = mc_widen(&queues, &b->queues[which], at + 1ull, sizeof **b->queue);
    b->queue[which] = queues;
    if (!wide) {
        d->s.stop = MC_MEMORY;
        return;
    }
    struct queue *q = &b->queue[which][at];
    if (q->count == q->room) {
        uint64_t room = q->room ? q->room * 2 : 16;
        void *wider = realloc(q->item, room * sizeof *q->item);
        if (!wider) {
            d->s.stop = MC_MEMORY;
            return;
        }
        b->queued_bytes += (room - q->room) * sizeof *q->item;
        q->item = wider;
        q->room = room;
    }
    q->item[q->count++] = (struct queued){node, b->origin[node].steps};
    if (at < b->lowest[which]) b->lowest[which] = at;
}

static bool take(struct mc_walk *d, uint32_t which, uint32_t *node, uint32_t *at)
{
    struct best_first *b = d->context;
    for (uint32_t *k = &b->lowest[which]; *k < b->queues[which]; ++*k) {
        struct queue *q = &b->queue[which][*k];
        while (q->count) {
            struct queued x = q->item[--q->count];
            if (d->visits.info[x.node] & MC_EXPANDED || b->origin[x.node].steps != x.steps) continue;
            *node = x.node;
            *at = *k;
            return true;
        }
    }
    return false;
}

static uint32_t cost_of(const struct mc_walk *d, const struct mc_estimate *e, uint32_t component, uint32_t value)
{
    return e->cost[mc_values_of(d->space, component)->position[value]];
}

/* Of the state in `v`. */
static uint32_t estimate_here(const struct mc_walk *d, const struct mc_estimate *e)
{
    const struct mc_program *p = &d->space->p;
    uint32_t found = e->adds ? 0 : MC_FAR;
    for (uint32_t slot = 0; slot < p->slots; slot++) {
        uint32_t cost = cost_of(d, e, p->slot_component[slot], d->worker.v[p->slot_component[slot]]);
        if (e->adds) found += cost;
        else if (cost < found) found = cost;
    }
    return found;
}

/* Of the state after a step. */
static uint32_t estimate_after(struct mc_walk *d, uint32_t which, const struct mc_successor *s)
{
    struct best_first *b = d->context;
    const struct mc_estimate *e = &d->o.estimate[which];
    struct mc_worker *w = &d->worker;
    if (e->adds) {
        uint32_t found = b->here[which];
        for (uint32_t i = 0; i < s->changed; i++) {
            uint32_t c = s->changes[2 * i];
            if (d->space->p.component[c].slot >= 0) found += cost_of(d, e, c, s->changes[2 * i + 1]) - cost_of(d, e, c, w->v[c]);
        }
        return found;
    }
    uint32_t old[MC_MOST_COMPONENTS];
    for (uint32_t i = 0; i < s->changed; i++) {
        old[i] = w->v[s->changes[2 * i]];
        w->v[s->changes[2 * i]] = s->changes[2 * i + 1];
    }
    uint32_t found = estimate_here(d, e);
    for (uint32_t i = s->changed; i-- > 0;) w->v[s->changes[2 * i]] = old[i];
    return found;
}

static void put_into_queues(struct mc_walk *d, uint32_t node, const uint32_t *estimates)
{
    struct best_first *b = d->context;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < d->o.estimates; i++) {
        if (d->o.how == MC_BEST) put(d, i, MC_GREED * estimates[i] + b->origin[node].steps, node);
        if (estimates[i] < least) least = estimates[i];
    }
    if (d->o.how == MC_ASTAR) {
        b->origin[node].estimate = least;
        put(d, 0, least + b->origin[node].steps, node);
    }
}

static bool meet(struct mc_walk *d, uint64_t root, uint32_t *node)
{
    struct best_first *b = d->context;
    void *origin = b->origin;
    bool wide = mc_widen(&origin, &b->origins_room, d->visits.count + 1ull, sizeof *b->origin);
    b->origin = origin;
    if (!wide || !mc_visits_add(&d->visits, root, node)) {
        d->s.stop = MC_MEMORY;
        return false;
    }
    d->c.visits++;
    return true;
}

static uint32_t *path_to(struct mc_walk *d, uint32_t node, uint64_t *length)
{
    struct best_first *b = d->context;
    *length = b->origin[node].steps;
    uint32_t *way = malloc(4 * *length + 4);
    for (uint64_t k = *length; way && k > 0; node = b->origin[node].parent) way[--k] = b->origin[node].ordinal;
    return way;
}

static void note_here(struct mc_walk *d, uint32_t kind, const struct mc_fault *f, uint32_t slot)
{
    struct best_first *b = d->context;
    uint64_t length;
    uint32_t *way = path_to(d, b->node, &length);
    if (!way) {
        d->s.stop = MC_MEMORY;
        return;
    }
    mc_walk_note(d, kind, f, slot, d->visits.root[b->node], way, length);
    free(way);
    uint32_t steps = (uint32_t)length + mc_steps_beyond(kind);
    if (steps < b->shortest) b->shortest = steps;
    if (mc_walk_goes_on(d, kind)) return;
    if (d->o.how == MC_BEST) d->s.stop = MC_ERROR; /* A* goes on until nothing shorter can come */
}

static bool found(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct mc_walk *d = context;
    struct best_first *b = d->context;
    uint32_t node, steps = b->origin[b->node].steps + 1;
    (void)w;
    d->s.transitions++;
    if (s->fault) {
        d->s.faults++;
        note_here(d, MC_FAULT, s->fault, s->slot);
        return true;
    }
    mc_walk_look_at_invariants(d, s, note_here);
    node = mc_visits_find(&d->visits, s->root);
    if (node != UINT32_MAX) {
        if (d->o.how == MC_ASTAR && steps < b->origin[node].steps) { /* a shorter way */
            b->origin[node] = (struct mc_origin){b->node, s->ordinal, steps, b->origin[node].estimate};
            d->c.reopened += d->visits.info[node] & MC_EXPANDED;
            d->visits.info[node] &= ~(uint32_t)MC_EXPANDED;
            put(d, 0, steps + b->origin[node].estimate, node);
        }
        return true;
    }
    if (!meet(d, s->root, &node)) return false;
    b->origin[node] = (struct mc_origin){b->node, s->ordinal, steps, 0};
    uint32_t estimates[MC_MOST_ESTIMATES];
    for (uint32_t i = 0; i < d->o.estimates; i++) estimates[i] = estimate_after(d, i, s);
    put_into_queues(d, node, estimates);
    return true;
}

static void start(struct mc_walk *d)
{
    struct best_first *b = d->context;
    uint32_t estimates[MC_MOST_ESTIMATES], node;
    if (!meet(d, mc_initial(&d->worker), &node)) return;
    b->origin[node] = (struct mc_origin){0, 0, 0, 0};
    for (uint32_t i = 0; i < d->o.estimates; i++) estimates[i] = estimate_here(d, &d->o.estimate[i]);
    put_into_queues(d, node, estimates);
}

static void run(struct mc_walk *d, double begin, double seconds)
{
    struct best_first *b = d->context;
    if (!b->started) start(d);
    b->started = true;
    bool astar = d->o.how == MC_ASTAR;
    while (d->s.stop == MC_COMPLETE) {
        uint32_t which = astar ? 0 : b->turn++ % d->o.estimates, at;
        if (!take(d, which, &b->node, &at)) break; /* every state is in every queue, so none is left anywhere */
        if (astar && !d->space->o.keep_going && at >= b->shortest) {
            d->s.stop = MC_ERROR;
            break;
        }
        bool again = d->visits.info[b->node] & MC_COUNTED;
        uint64_t transitions = d->s.transitions, faults = d->s.faults;
        d->visits.info[b->node] |= MC_EXPANDED;
        mc_decode(&d->worker, d->visits.root[b->node]);
        for (uint32_t i = 0; i < d->o.estimates; i++)
            if (d->o.estimate[i].adds) b->here[i] = estimate_here(d, &d->o.estimate[i]);
        enum mc_end end = mc_expand(&d->worker, found, d);
        if (b->origin[b->node].steps > d->s.depth) d->s.depth = b->origin[b->node].steps;
        d->s.expanded++;
        if (end != MC_GOES_ON) mc_walk_look_at_invariants(d, NULL, note_here);
        if (end == MC_DEADLOCKED) note_here(d, MC_DEADLOCK, NULL, 0);
        if (again) { /* counted before */
            d->s.transitions = transitions;
            d->s.faults = faults;
        } else {
            d->visits.info[b->node] |= MC_COUNTED;
            d->s.ends += end == MC_ENDED;
            d->s.deadlocks += end == MC_DEADLOCKED;
        }
        mc_walk_look_at_limits(d, begin, seconds);
    }
    if (astar && d->s.stop == MC_COMPLETE && d->s.errors && !d->space->o.keep_going) d->s.stop = MC_ERROR;
    /* the shortest way first */
    for (uint32_t i = 1; i < d->founds; i++) {
        const struct mc_found *x = d->found;
        struct mc_found y = d->found[i];
        if (y.length + mc_steps_beyond(y.error.kind) < x->length + mc_steps_beyond(x->error.kind)) {
            d->found[i] = d->found[0];
            d->found[0] = y;
        }
    }
}

const struct mc_search_ops mc_best_first = {
    .name = "best-first",
    .begin = begin_best_first,
    .run = run,
    .free = free_best_first,
    .path_to = path_to,
    .measure = measure,
};
