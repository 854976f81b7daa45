/* A swarm: many searches with three bits or so for each state, in little fields, each with hashes and an order of its own, so
 * that each omits other states; several at once in threads. A search ends when it is through, or when half of its bits are
 * set, for then most of what it meets seems to have been there. Sketches say how many different states all of them met.
 */
#include "base/hyperloglog.h"
#include "walk/bitstate.h"

enum { DEEP = 10000, LESS_DEEP = 1000 };

struct swarm {
    struct mc_walk *child[MC_MOST_THREADS]; /* one of each thread, used again and again */
    pthread_t thread[MC_MOST_THREADS];
    uint32_t children;
    struct mc_sketch of[MC_MOST_THREADS], met[2]; /* of the search that goes on; of the even and the odd ones */
    uint64_t next;  /* number of the next search */
    uint64_t field; /* bytes of each */
    double until;
    pthread_mutex_t mutex;
    _Atomic uint32_t stop; /* looked at between searches; changed under the mutex */
    struct mc_statistics shown[MC_MOST_THREADS]; /* of each thread, when its last search had ended: of its worker. Under the mutex */
};

struct part { struct mc_walk *d; uint32_t number; };

static bool begin_swarm(struct mc_walk *d)
{
    struct swarm *x = d->context = calloc(1, sizeof *x);
    if (!x) return false;
    pthread_mutex_init(&x->mutex, NULL);
    if (!d->o.threads) d->o.threads = 1;
    if (d->o.threads > MC_MOST_THREADS) d->o.threads = MC_MOST_THREADS;
    uint64_t bytes = d->o.most_stored ? d->o.most_stored * 2 : d->most_memory ? d->most_memory / 4 * 3 : 1u << 26;
    x->field = bytes / d->o.threads;
    return true;
}

static void free_swarm(struct mc_walk *d)
{
    struct swarm *x = d->context;
    for (uint32_t i = 0; i < x->children; i++) mc_walk_free(x->child[i]);
    pthread_mutex_destroy(&x->mutex);
    free(x);
}

static struct mc_sketch joined(const struct swarm *x)
{
    struct mc_sketch all = x->met[0];
    mc_sketch_join(&all, &x->met[1]);
    return all;
}

static uint64_t count_distinct(const struct mc_walk *d)
{
    struct mc_sketch all = joined(d->context);
    return (uint64_t)(mc_sketch_count(&all) + 0.5);
}

static bool make_child(struct mc_walk *d)
{
    struct swarm *x = d->context;
    struct mc_walk_options o = d->o;
    o.how = MC_BITSTATE;
    o.find_stuck = 0;
    o.most_stored = x->field / 2;
    struct mc_walk *child = mc_walk_new(d->e, &o);
    if (!child) return false;
    if (d->most_memory) child->most_memory = d->most_memory / d->o.threads;
    x->child[x->children++] = child;
    return true;
}

static struct mc_one_of_swarm one_of(const struct mc_walk *d, uint32_t child, uint64_t number)
{
    struct swarm *x = d->context;
    uint64_t seed = mc_mix(mc_mix(d->o.seed + 0x9E3779B97F4A7C15u) + number + 1) | 1;
    uint64_t done = d->s.expanded, most = d->o.most_steps;
    return (struct mc_one_of_swarm){
        .seed = seed,
        .random = mc_mix(seed),
        .order = number < MC_BY_CHANCE ? (uint32_t)number : MC_BY_CHANCE,
        .functions = 2 + (uint32_t)(number % 3),
        .deepest = d->o.most_depth ? d->o.most_depth : number % 2 ? LESS_DEEP : DEEP,
        .most_bits = x->field * 4,
        .most_steps = most ? (most > done ? most - done : 1) : UINT64_MAX,
        .sketch = &x->of[child],
    };
}

static void take_errors(struct mc_walk *d, const struct mc_walk *child)
{
    for (uint32_t i = 0; i < child->founds; i++) {
        const struct mc_found *f = &child->found[i];
        struct mc_fault fault = {f->error.fault_kind, f->error.fault_site, f->error.fault_first, f->error.fault_second};
        bool failed = mc_steps_beyond(f->error.kind);
        mc_walk_note(d, f->error.kind, failed ? &fault : NULL, f->error.slot, f->root, f->ordinals, f->length);
    }
}

/* What the others' workers count is read only by themselves while they work. */
static struct mc_statistics of_worker(const struct mc_walk *child)
{
    const struct mc_worker *w = &child->worker;
    return (struct mc_statistics){.memo_bytes = mc_memory_of_results(w), .executions = w->executions, .remembered = w->remembered,
                                  .assumed = w->context->assumed, .frontier_bytes = mc_hashed_stack_bytes(child)};
}

/* Of one search that has ended. Under the mutex. */
static void add_up(struct mc_walk *d, struct mc_walk *child, uint64_t number, struct mc_sketch *met)
{
    struct mc_statistics *s = &d->s;
    const struct mc_statistics *c = &child->s;
    struct swarm *x = d->context;
    mc_sketch_join(&x->met[number % 2], met);
    memset(met, 0, sizeof *met);
    s->transitions += c->transitions;
    s->expanded += c->expanded;
    s->ends += c->ends;
    s->deadlocks += c->deadlocks;
    s->faults += c->faults;
    if (c->depth > s->depth) s->depth = c->depth;
    d->c.visits += child->c.visits;
    if (child->c.most_on_stack > d->c.most_on_stack) d->c.most_on_stack = child->c.most_on_stack;
    d->c.walks++;
    d->c.finished += mc_hashed_is_through(child) && c->stop == MC_COMPLETE;
    take_errors(d, child);
    mc_walk_measure(d);
}

static void clear(struct mc_walk *child)
{
    memset(&child->s, 0, sizeof child->s);
    memset(&child->c, 0, sizeof child->c);
    for (uint32_t i = 0; i < child->founds; i++) free(child->found[i].ordinals);
    child->founds = 0;
}

/* A search of few visits is over before it looks at the time, however it ends. One that has no memory from its beginning: neither
 * has the next. */
static uint32_t why_to_stop(const struct mc_walk *d, uint32_t stop, uint64_t visits)
{
    const struct mc_options *o = &d->space->o;
    const struct swarm *x = d->context;
    bool goes_on = stop != MC_TIME && stop != MC_BROKEN;
    if (goes_on && d->e->interrupted) stop = MC_INTERRUPTED;
    else if (goes_on && mc_now() > x->until) stop = MC_TIME;
    if (d->space->crew.out_of_memory || (stop == MC_MEMORY && visits < MC_VISITS_BEFORE_LOOK)) return MC_MEMORY;
    if (d->s.errors && !o->keep_going) return MC_ERROR;
    if (stop == MC_TIME || stop == MC_INTERRUPTED || stop == MC_BROKEN) return stop;
    if (o->most_states && d->s.states > o->most_states) return MC_STATES;
    return d->o.most_steps && d->s.expanded >= d->o.most_steps ? MC_BOUND : MC_COMPLETE;
}

static void take_part(struct mc_walk *d, uint32_t number)
{
    struct swarm *x = d->context;
    struct mc_walk *child = x->child[number];
    while (x->stop == MC_COMPLETE) {
        mc_rest(&d->space->crew);
        pthread_mutex_lock(&x->mutex);
        uint64_t search = x->next;
        bool wanted = !d->o.searches || search < d->o.searches;
        x->next += wanted;
        struct mc_one_of_swarm one = one_of(d, number, search);
        pthread_mutex_unlock(&x->mutex);
        if (!wanted) break;
        clear(child);
        uint32_t stop = mc_hashed_begin(child, &one) ? mc_walk_part(child, x->until - mc_now()) : MC_MEMORY;
        pthread_mutex_lock(&x->mutex);
        x->shown[number] = of_worker(child);
        add_up(d, child, search, &x->of[number]);
        if (x->stop == MC_COMPLETE) x->stop = why_to_stop(d, stop, child->c.visits);
        if (x->stop != MC_COMPLETE) d->e->interrupted = 1; /* the others stop too */
        pthread_mutex_unlock(&x->mutex);
    }
}

static void *thread_body(void *context)
{
    struct part *p = context;
    take_part(p->d, p->number);
    mc_crew_count(&p->d->space->crew, -1);
    return NULL;
}

static void note_overlap(struct mc_walk *d)
{
    const struct swarm *x = d->context;
    d->c.even = (uint64_t)(mc_sketch_count(&x->met[0]) + 0.5);
    d->c.odd = (uint64_t)(mc_sketch_count(&x->met[1]) + 0.5);
    uint64_t both = d->c.even + d->c.odd, all = count_distinct(d);
    d->c.overlap = both > all ? both - all : 0;
}

static void run(struct mc_walk *d, double begin, double seconds)
{
    struct swarm *x = d->context;
    struct mc_crew *crew = &d->space->crew;
    struct part part[MC_MOST_THREADS];
    bool runs[MC_MOST_THREADS] = {false};
    uint32_t threads = d->o.threads;
    x->until = begin + seconds;
    x->stop = MC_COMPLETE;
    while (x->children < threads && make_child(d)) {}
    if (x->children == 0) {
        d->s.stop = MC_MEMORY;
        return;
    }
    if (x->children < threads) threads = x->children;
    mc_initial(&x->child[0]->worker); /* the first values have the same numbers, whoever comes first */
    crew->working = threads;
    for (uint32_t i = 1; i < threads; i++) {
        part[i] = (struct part){d, i};
        runs[i] = pthread_create(&x->thread[i], NULL, thread_body, &part[i]) == 0;
        if (!runs[i]) mc_crew_count(crew, -1);
    }
    take_part(d, 0);
    mc_crew_count(crew, -1);
    for (uint32_t i = 1; i < threads; i++)
        if (runs[i]) pthread_join(x->thread[i], NULL);
    crew->working = 1;
    d->e->interrupted = 0;
    d->s.stop = x->stop == MC_COMPLETE ? MC_BOUND : x->stop;
    note_overlap(d);
}

static void measure(struct mc_walk *d)
{
    const struct swarm *x = d->context;
    struct mc_statistics *s = &d->s;
    s->table_bytes = x->field * x->children;
    for (uint32_t i = 0; i < x->children; i++) {
        const struct mc_statistics *w = &x->shown[i];
        s->memo_bytes += w->memo_bytes;
        s->executions += w->executions;
        s->remembered += w->remembered;
        s->assumed |= w->assumed;
        s->frontier_bytes += w->frontier_bytes;
    }
}

const struct mc_search_ops mc_swarm = {
    .name = "swarm",
    .begin = begin_swarm,
    .run = run,
    .free = free_swarm,
    .measure = measure,
    .count_distinct = count_distinct,
};
