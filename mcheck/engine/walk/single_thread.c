/* What all walks do alike: begin, end, measure, keep errors. */
#include "walk/single_thread.h"

/* The registry of searches. Modular exploration is written in Python: it only asks. */
static const struct mc_search_ops *const searches[] = {
    [MC_DEPTH] = &mc_depth_first,  [MC_BEST] = &mc_best_first,         [MC_ASTAR] = &mc_best_first,
    [MC_HASHED] = &mc_hashed,      [MC_BITSTATE] = &mc_hashed,         [MC_CONTEXTS] = &mc_context_bounded,
    [MC_RANDOM] = &mc_random_walks, [MC_SWARM] = &mc_swarm,            [MC_MODULAR] = &(struct mc_search_ops){.name = "modular"},
};

struct mc_walk *mc_walk_new(struct mc_engine *e, const struct mc_walk_options *o)
{
    if (o->how >= sizeof searches / sizeof *searches) return NULL;
    struct mc_walk *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->ops = searches[o->how];
    d->e = e;
    d->space = &e->space;
    d->o = *o;
    d->goal = MC_NO_GOAL;
    d->most_memory = d->space->o.most_memory;
    bool there = mc_worker_new(&d->worker, d->space) && mc_visits_new(&d->visits) && mc_masks_new(&d->masks);
    if (there && (!d->ops->begin || d->ops->begin(d))) return d;
    mc_walk_free(d);
    return NULL;
}

void mc_walk_free(struct mc_walk *d)
{
    mc_worker_free(&d->worker);
    mc_visits_free(&d->visits);
    mc_masks_free(&d->masks);
    if (d->context) d->ops->free(d);
    for (uint32_t i = 0; i < d->founds; i++) free(d->found[i].ordinals);
    free(d);
}

const struct mc_statistics *mc_walk_statistics(struct mc_walk *d) { return &d->s; }
uint64_t mc_walk_reduced(const struct mc_walk *d) { return d->worker.reduced[MC_CHOOSE].states; }
const struct mc_walk_counts *mc_walk_get_counts(struct mc_walk *d) { return &d->c; }

uint32_t mc_walk_error(struct mc_walk *d, uint32_t number, struct mc_error *out)
{
    if (number >= d->founds || d->found[number].error.kind == MC_STUCK) return 0;
    *out = d->found[number].error;
    out->state = number;
    return 1;
}

uint64_t mc_walk_way(struct mc_walk *d, uint64_t number, uint32_t *ordinals, uint64_t room)
{
    const struct mc_found *f = &d->found[number];
    for (uint64_t i = 0; i < f->length && i < room; i++) ordinals[i] = f->ordinals[i];
    return f->length;
}

static bool same_error(const struct mc_error *e, uint32_t kind, const struct mc_fault *f)
{
    return e->kind == kind && (!f || (e->fault_kind == f->kind && e->fault_site == f->site));
}

void mc_walk_note(struct mc_walk *d, uint32_t kind, const struct mc_fault *f, uint32_t slot, uint64_t root,
                  const uint32_t *ordinals, uint64_t length)
{
    uint32_t i = 0;
    while (i < d->founds && !same_error(&d->found[i].error, kind, f)) i++;
    d->s.errors++;
    bool shorter = i == d->founds || length < d->found[i].length;
    if (!shorter || i == MC_WALK_ERRORS) return;
    uint32_t *copy = malloc(4 * length + 4);
    if (!copy) {
        d->s.stop = MC_MEMORY;
        return;
    }
    memcpy(copy, ordinals, 4 * length);
    struct mc_found *x = &d->found[i];
    if (i == d->founds) d->founds++;
    else free(x->ordinals);
    *x = (struct mc_found){{.kind = kind, .slot = slot, .depth = (uint32_t)length}, copy, length, root};
    if (f) {
        x->error.fault_kind = f->kind;
        x->error.fault_site = f->site;
        x->error.fault_first = f->first;
        x->error.fault_second = f->second;
    }
}

void mc_walk_measure(struct mc_walk *d)
{
    struct mc_statistics *s = &d->s;
    const struct mc_space *space = d->space;
    if (d->ops->count_distinct) d->c.at_least = d->ops->count_distinct(d);
    else if (!d->c.replaced) d->c.at_least = d->visits.count;
    s->states = d->c.at_least;
    s->table_bytes = mc_visits_bytes(&d->visits);
    mc_space_measure(space, s);
    s->log_bytes = s->frontier_bytes = 0;
    s->memo_bytes = mc_memory_of_results(&d->worker);
    s->executions = d->worker.executions;
    s->remembered = d->worker.remembered;
    s->assumed = d->worker.context->assumed;
    if (d->ops->measure) d->ops->measure(d);
}

uint64_t mc_walk_used(const struct mc_walk *d)
{
    const struct mc_statistics *s = &d->s;
    return s->table_bytes + s->node_bytes + s->value_bytes + s->frontier_bytes + s->memo_bytes;
}

/* What may take long between two looks: a visit, its successors, and the actions that are run for it. */
static void look_at_clock(struct mc_walk *d, double begin, double seconds)
{
    uint64_t work = d->c.visits + d->worker.executions + d->s.transitions / 256;
    if (d->s.stop != MC_COMPLETE || work - d->work_at_look < 16) return;
    d->work_at_look = work;
    if (d->worker.broken) d->s.stop = MC_BROKEN;
    if (d->e->interrupted) d->s.stop = MC_INTERRUPTED;
    if (d->space->crew.out_of_memory) d->s.stop = MC_MEMORY;
    if (mc_now() - begin > seconds) d->s.stop = MC_TIME;
}

void mc_walk_look_at_limits(struct mc_walk *d, double begin, double seconds)
{
    look_at_clock(d, begin, seconds);
    if (d->c.visits < d->look && d->s.transitions < d->look_after) return;
    d->look = d->c.visits + (d->ops->looks_every ? d->ops->looks_every : MC_VISITS_BEFORE_LOOK);
    d->look_after = d->s.transitions + (1u << 20);
    mc_walk_measure(d);
    if (d->space->o.most_states && d->s.states > d->space->o.most_states) d->s.stop = MC_STATES;
    uint64_t limit = d->most_memory;
    if (!limit) return;
    if (d->s.memo_bytes > limit / 8) mc_forget(&d->worker);
    uint64_t used = mc_walk_used(d);
    if (d->ops->keep_memory_small) d->ops->keep_memory_small(d, used);
    if (used > limit) d->s.stop = MC_MEMORY;
}

uint32_t mc_walk_run(struct mc_walk *d, double seconds)
{
    d->e->interrupted = 0;
    return mc_walk_go_on(d, seconds);
}

uint32_t mc_walk_go_on(struct mc_walk *d, double seconds)
{
    d->e->space.interrupted = &d->e->interrupted;
    d->e->space.until = mc_now() + seconds;
    mc_walk_part(d, seconds);
    d->e->space.interrupted = NULL;
    return d->s.stop;
}

uint32_t mc_walk_part(struct mc_walk *d, double seconds)
{
    double begin = mc_now();
    d->s.stop = MC_COMPLETE;
    d->look = d->c.visits + MC_VISITS_BEFORE_LOOK;
    d->look_after = d->s.transitions;
    if (d->ops->run) d->ops->run(d, begin, seconds);
    if (d->worker.broken) d->s.stop = MC_BROKEN;
    if (d->space->crew.out_of_memory) d->s.stop = MC_MEMORY;
    mc_walk_measure(d);
    d->s.seconds += mc_now() - begin;
    return d->s.stop;
}

void mc_walk_all_states(struct mc_walk *d, void (*visit)(const uint8_t *block, void *context), void *context)
{
    struct mc_worker *w = &d->worker;
    for (uint32_t n = 0; n < d->visits.count; n++) {
        mc_decode(w, d->visits.root[n]);
        mc_put_state(w, w->before);
        visit(w->before, context);
    }
}

uint32_t mc_walk_blocks(struct mc_walk *d, uint64_t number, uint8_t *blocks)
{
    const struct mc_found *f = &d->found[number];
    struct mc_worker *w = &d->worker;
    uint32_t size = d->space->p.block_size;
    uint64_t root = mc_initial(w);
    mc_put_state(w, blocks);
    for (uint64_t i = 0; i < f->length; i++) {
        if (!mc_walk_step(w, f->ordinals[i], &root)) return 0;
        mc_put_state(w, blocks + (i + 1) * size);
    }
    return 1;
}

struct only { uint64_t root; uint32_t count; bool failed; };

static bool is_only(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct only *x = context;
    (void)w;
    x->failed = s->fault != NULL;
    x->root = s->root;
    return ++x->count < 2 && !x->failed;
}

uint32_t mc_settled(struct mc_engine *e, uint32_t most, uint8_t *block)
{
    struct mc_worker w;
    bool good = mc_worker_new(&w, &e->space), settled = false;
    w.unreduced = true;
    if (good) mc_initial(&w);
    for (uint32_t i = 0; i < most && good && !settled; i++) {
        struct only x = {0, 0, false};
        mc_expand(&w, is_only, &x);
        good = x.count && !x.failed;
        settled = x.count > 1;
        if (good && !settled) mc_decode(&w, x.root);
    }
    if (good && settled) mc_put_state(&w, block);
    mc_worker_free(&w);
    return good && settled;
}

struct wanted { uint32_t ordinal; bool there; uint64_t root; };

static bool is_wanted(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct wanted *x = context;
    (void)w;
    if (s->ordinal != x->ordinal) return true;
    x->there = !s->fault;
    x->root = s->root;
    return false;
}

bool mc_walk_step(struct mc_worker *w, uint32_t ordinal, uint64_t *root)
{
    struct wanted x = {ordinal, false, 0};
    mc_expand(w, is_wanted, &x);
    if (!x.there) return false;
    *root = x.root;
    mc_decode(w, x.root);
    return true;
}
