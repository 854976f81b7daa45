/* Search by the number of switches: first all that can be reached while one process acts alone, then with one switch to
 * another, with two, and so on. Of each state and each slot the steps are looked at once, with as few switches as can be; so
 * an error is found on a way with the least number of them, and if no state is left in which somebody else could go on,
 * every state has been visited, as by any other search.
 *
 * An arrival is a state and who acted last. It goes on with that slot at once; the first arrival at a state is put off
 * too, for all others, until the next switch is allowed.
 */
#include "walk/single_thread.h"

enum { ANYBODY = 0xFFFF, NO_PARENT = UINT32_MAX };

struct arrival { uint32_t state, parent, ordinal, steps, slot; };

struct contexts {
    struct arrival *arrival;
    uint64_t arrivals, arrivals_room, next; /* from `next` on they are to go on */
    uint32_t *first; /* of each state its first arrival */
    uint64_t first_room;
    uint32_t *put_off[2]; /* arrivals for now, and for the next switch */
    uint64_t put[2], put_room[2], at;
    uint32_t now;         /* which of the two is for now */
    uint32_t here;        /* the arrival that goes on, */
    uint32_t only;        /* with this slot, or with ANYBODY but those done */
    struct mc_mask done;
    bool others; /* somebody else could go on */
    bool started;
};

static bool begin_contexts(struct mc_walk *d)
{
    d->context = calloc(1, sizeof(struct contexts));
    return d->context != NULL;
}

static void free_contexts(struct mc_walk *d)
{
    struct contexts *x = d->context;
    mc_release(x->arrival, x->arrivals_room * sizeof *x->arrival);
    mc_release(x->first, 4 * x->first_room);
    for (uint32_t i = 0; i < 2; i++) mc_release(x->put_off[i], 4 * x->put_room[i]);
    free(x);
}

static void measure(struct mc_walk *d)
{
    const struct contexts *x = d->context;
    d->s.frontier_bytes = x->arrivals * sizeof *x->arrival + 4 * (x->first_room + x->put_room[0] + x->put_room[1]);
}

static uint32_t *way_to(struct mc_walk *d, uint32_t arrival, uint64_t *length)
{
    const struct contexts *x = d->context;
    const struct arrival *a = x->arrival;
    *length = a[arrival].steps;
    uint32_t *way = malloc(4 * *length + 4);
    for (uint64_t k = *length; way && k > 0; arrival = a[arrival].parent) way[--k] = a[arrival].ordinal;
    return way;
}

static uint32_t *path_to(struct mc_walk *d, uint32_t node, uint64_t *length)
{
    const struct contexts *x = d->context;
    return way_to(d, x->first[node], length);
}

static void note_here(struct mc_walk *d, uint32_t kind, const struct mc_fault *f, uint32_t slot)
{
    uint64_t length;
    const struct contexts *x = d->context;
    uint32_t here = x->here, *way = way_to(d, here, &length);
    if (!way) {
        d->s.stop = MC_MEMORY;
        return;
    }
    mc_walk_note(d, kind, f, slot, d->visits.root[x->arrival[here].state], way, length);
    free(way);
    if (!mc_walk_goes_on(d, kind)) d->s.stop = MC_ERROR;
}

static bool widen32(uint32_t **at, uint64_t *room, uint64_t wanted)
{
    void *p = *at;
    bool wide = mc_widen(&p, room, wanted, 4);
    *at = p;
    return wide;
}

static bool add_slot(struct mc_walk *d, uint32_t state, const struct mc_mask *more)
{
    struct mc_mask mask = d->masks.mask[d->visits.info[state]];
    for (uint32_t i = 0; i < MC_MASK_WORDS; i++) mask.w[i] |= more->w[i];
    uint32_t number = mc_mask_number(&d->masks, &mask);
    if (number == UINT32_MAX) return false;
    d->visits.info[state] = number;
    return true;
}

static bool has_slot(const struct mc_mask *m, uint32_t slot) { return m->w[slot / 64] >> slot % 64 & 1; }

/* By a step of `slot` from `here` (the initial state: of ANYBODY), if this one has not been there yet. False: no memory. */
static bool arrive(struct mc_walk *d, uint64_t root, uint32_t slot, uint32_t ordinal)
{
    struct contexts *x = d->context;
    struct mc_mask actor = {{0}};
    uint32_t state = mc_visits_find(&d->visits, root);
    bool fresh = state == UINT32_MAX;
    if (!fresh && has_slot(&d->masks.mask[d->visits.info[state]], slot)) return true;
    void *arrival = x->arrival;
    bool wide = mc_widen(&arrival, &x->arrivals_room, x->arrivals + 1, sizeof *x->arrival);
    x->arrival = arrival;
    if (!wide || (fresh && !mc_visits_add(&d->visits, root, &state))) return false;
    if (fresh && !widen32(&x->first, &x->first_room, d->visits.count)) return false;
    if (fresh) x->first[state] = (uint32_t)x->arrivals;
    if (slot != ANYBODY) actor.w[slot / 64] = 1ull << slot % 64;
    uint32_t steps = slot == ANYBODY ? 0 : x->arrival[x->here].steps + 1;
    x->arrival[x->arrivals++] = (struct arrival){state, x->here, ordinal, steps, slot};
    if (fresh) d->c.visits++;
    if (steps > d->s.depth) d->s.depth = steps;
    return add_slot(d, state, &actor) && x->arrivals < NO_PARENT;
}

static bool found(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct mc_walk *d = context;
    struct contexts *x = d->context;
    (void)w;
    if (has_slot(&x->done, s->slot)) return true;
    if (x->only != ANYBODY && x->only != s->slot) return x->others = true;
    d->s.transitions++;
    if (s->fault) {
        d->s.faults++;
        note_here(d, MC_FAULT, s->fault, s->slot);
        return true;
    }
    mc_walk_look_at_invariants(d, s, note_here);
    if (arrive(d, s->root, s->slot, s->ordinal)) return true;
    d->s.stop = MC_MEMORY;
    return false;
}

static bool put_off(struct contexts *x, uint32_t arrival)
{
    uint32_t then = 1 - x->now;
    if (!widen32(&x->put_off[then], &x->put_room[then], x->put[then] + 1)) return false;
    x->put_off[then][x->put[then]++] = arrival;
    return true;
}

/* With the slot that acted last. */
static void go_on(struct mc_walk *d, uint32_t here)
{
    struct contexts *x = d->context;
    uint32_t state = x->arrival[here].state;
    x->here = here;
    x->only = x->arrival[here].slot;
    x->done = d->masks.mask[d->visits.info[state]]; /* the others of these have gone on, or will */
    x->done.w[x->only / 64] &= ~(1ull << x->only % 64);
    x->others = false;
    mc_decode(&d->worker, d->visits.root[state]);
    enum mc_end end = mc_expand(&d->worker, found, d);
    if (x->first[state] != here) return;
    d->s.expanded++;
    d->s.ends += end == MC_ENDED;
    if (end != MC_GOES_ON) mc_walk_look_at_invariants(d, NULL, note_here);
    if (end == MC_DEADLOCKED) {
        d->s.deadlocks++;
        note_here(d, MC_DEADLOCK, NULL, 0);
    }
    if (x->others && !put_off(x, here)) d->s.stop = MC_MEMORY;
}

/* With all others: a switch. */
static void go_on_with_others(struct mc_walk *d, uint32_t here)
{
    struct contexts *x = d->context;
    static const struct mc_mask all = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    uint32_t state = x->arrival[here].state;
    x->here = here;
    x->only = ANYBODY;
    x->done = d->masks.mask[d->visits.info[state]];
    if (!add_slot(d, state, &all)) d->s.stop = MC_MEMORY;
    mc_decode(&d->worker, d->visits.root[state]);
    mc_expand(&d->worker, found, d);
}

/* The initial state: with whom it begins is no switch. */
static void start(struct mc_walk *d)
{
    struct contexts *x = d->context;
    struct mc_worker *w = &d->worker;
    uint64_t root = mc_initial(w);
    struct mc_mask before = {{0}};
    x->here = NO_PARENT;
    if (!arrive(d, root, ANYBODY, 0)) d->s.stop = MC_MEMORY;
    x->next = 1;
    x->here = 0;
    x->only = ANYBODY;
    x->done = before;
    if (d->s.stop != MC_COMPLETE) return;
    static const struct mc_mask all = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    add_slot(d, 0, &all);
    enum mc_end end = mc_expand(w, found, d);
    d->s.expanded++;
    d->s.ends += end == MC_ENDED;
    if (end != MC_GOES_ON) mc_walk_look_at_invariants(d, NULL, note_here);
    if (end == MC_DEADLOCKED) {
        d->s.deadlocks++;
        note_here(d, MC_DEADLOCK, NULL, 0);
    }
}

static void run(struct mc_walk *d, double begin, double seconds)
{
    struct contexts *x = d->context;
    if (!x->started) start(d);
    x->started = true;
    while (d->s.stop == MC_COMPLETE) {
        if (x->at < x->put[x->now]) {
            go_on_with_others(d, x->put_off[x->now][x->at++]);
        } else if (x->next < x->arrivals) {
            go_on(d, (uint32_t)x->next++);
        } else if (!x->put[1 - x->now]) {
            break;
        } else if (d->c.contexts == d->o.most_contexts) {
            d->s.stop = MC_BOUND;
        } else {
            d->c.contexts++;
            x->put[x->now] = x->at = 0;
            x->now = 1 - x->now;
        }
        if (d->s.stop == MC_COMPLETE) mc_walk_look_at_limits(d, begin, seconds);
    }
}

const struct mc_search_ops mc_context_bounded = {
    .name = "by the number of switches",
    .begin = begin_contexts,
    .run = run,
    .free = free_contexts,
    .path_to = path_to,
    .measure = measure,
};
