/* Breadth-first search: every state once, nearest first. */
#include "search.h"

static void note_error(struct mc_engine *e, uint32_t kind, const struct mc_fault *f, uint32_t slot, uint64_t state)
{
    if (e->s.errors < MC_ERRORS_ROOM) {
        struct mc_error *x = &e->errors[e->s.errors++];
        *x = (struct mc_error){.kind = kind, .slot = slot, .state = state, .depth = e->s.depth};
        if (f) {
            x->fault_kind = f->kind;
            x->fault_site = f->site;
            x->fault_first = f->first;
            x->fault_second = f->second;
        }
    }
    if (!e->space.o.keep_going || e->s.errors >= e->space.o.most_errors) e->s.stop = MC_ERROR;
}

static void log_number(struct mc_engine *e, uint32_t n)
{
    while (n >= 0x80) {
        e->log[e->log_used++] = (uint8_t)(n | 0x80);
        n >>= 7;
    }
    e->log[e->log_used++] = (uint8_t)n;
}

static void grow_roots(struct mc_engine *e)
{
    uint32_t a, b;
    mc_halves(&e->space, &a, &b);
    if (!mc_roots_grow(&e->roots, a, b)) e->s.stop = MC_MEMORY;
    for (uint32_t k = 0; k < e->window_used; k++)
        e->window[k].mixed = mc_permute(&e->roots, e->window[k].a, e->window[k].b);
}

/* The log has for each state but the first how much further its finder is than that of the state before, and by which
 * of its successors it was found. */
static void drain_window(struct mc_engine *e, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct mc_pending *x = &e->window[i];
        bool full = false;
        bool fresh = mc_insert(&e->roots, x->mixed, &full);
        while (full) {
            full = false;
            grow_roots(e);
            if (e->s.stop == MC_MEMORY) return;
            fresh = mc_insert(&e->roots, x->mixed, &full);
        }
        if (fresh) {
            e->frontier[e->s.states++] = x->a | (uint64_t)x->b << 32;
            log_number(e, x->owner - e->last_owner);
            log_number(e, x->ordinal);
            e->last_owner = x->owner;
        }
    }
}

static void flush_window(struct mc_engine *e)
{
    drain_window(e, e->window_used);
    e->window_used = 0;
}

static bool halves_fit(const struct mc_engine *e, uint32_t a, uint32_t b)
{
    return (uint64_t)a <= mc_mask(e->roots.a_bits) && (uint64_t)b <= mc_mask(e->roots.b_bits);
}

static void push(struct mc_engine *e, uint32_t a, uint32_t b, uint32_t ordinal)
{
    while (!halves_fit(e, a, b) || e->roots.count + MC_WINDOW * 2 > e->roots.limit) {
        grow_roots(e);
        if (e->s.stop == MC_MEMORY) return;
    }
    struct mc_pending *x = &e->window[e->window_used++];
    *x = (struct mc_pending){mc_permute(&e->roots, a, b), a, b, ordinal, (uint32_t)e->s.expanded};
    __builtin_prefetch(e->roots.entry + mc_home(&e->roots, x->mixed) * MC_LINE, 1, 3);
    if (e->window_used == MC_WINDOW * 2) {
        /* the older half has had time to arrive; the younger one moves down */
        drain_window(e, MC_WINDOW);
        memmove(e->window, e->window + MC_WINDOW, sizeof *e->window * MC_WINDOW);
        e->window_used = MC_WINDOW;
    }
}

static bool found(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct mc_engine *e = context;
    (void)w;
    e->s.transitions++;
    if (s->fault) {
        e->s.faults++;
        note_error(e, MC_FAULT, s->fault, s->slot, e->s.expanded);
    } else {
        push(e, (uint32_t)s->root, (uint32_t)(s->root >> 32), s->ordinal);
    }
    return true;
}

static void start(struct mc_engine *e)
{
    uint64_t root = mc_initial(&e->worker);
    bool full = false;
    mc_insert(&e->roots, mc_permute(&e->roots, (uint32_t)root, (uint32_t)(root >> 32)), &full);
    e->frontier[e->s.states++] = root;
    e->level_end = 1;
}

static void measure(struct mc_engine *e)
{
    struct mc_statistics *s = &e->s;
    const struct mc_space *space = &e->space;
    s->table_bytes = mc_roots_bytes(&e->roots);
    s->nodes = s->node_bytes = s->values = s->value_bytes = 0;
    for (uint32_t n = space->p.components; n < space->nodes; n++) {
        if (n == space->root) continue;
        s->nodes += space->pairs[n].count;
        s->node_bytes += 8ull * space->pairs[n].count + mc_pairs_index_bytes(&space->pairs[n]);
    }
    for (uint32_t c = 0; c < space->p.classes; c++) {
        const struct mc_values *v = &space->values[c];
        s->values += v->count;
        s->value_bytes += (uint64_t)v->count * (v->size + 2) + 4ull * (v->mask + 1ull);
    }
    s->log_bytes = e->log_used;
    s->frontier_bytes = 8 * (s->states - e->frontier_given_back);
    s->memo_bytes = sizeof(struct mc_memo_entry) * (e->worker.memo.mask + 1ull) + 4 * space->results_used;
    s->executions = e->worker.executions;
    s->remembered = e->worker.remembered;
    s->assumed = e->worker.context->assumed;
}

/* Now and then: is it time to stop? */
static void look_at_limits(struct mc_engine *e, double begin, double seconds)
{
    if (e->worker.broken) e->s.stop = MC_BROKEN;
    if (e->interrupted) e->s.stop = MC_INTERRUPTED;
    if (mc_now() - begin > seconds) e->s.stop = MC_TIME;
    if (e->space.o.most_states && e->s.states > e->space.o.most_states) e->s.stop = MC_STATES;
    if (e->s.expanded - e->measured_at <= 1u << 17) return;
    e->measured_at = e->s.expanded;
    uint64_t n = (e->s.expanded - e->frontier_given_back) & ~511ull;
    if (!e->space.o.keep_states) { /* what has been expanded is given back */
        madvise(e->frontier + e->frontier_given_back, 8 * n, MADV_DONTNEED);
        e->frontier_given_back += n;
    }
    measure(e);
    uint64_t used = e->s.table_bytes + e->s.node_bytes + e->s.value_bytes + e->s.log_bytes + e->s.frontier_bytes + e->s.memo_bytes;
    if (e->space.o.most_memory && used > e->space.o.most_memory) e->s.stop = MC_MEMORY;
}

uint32_t mc_search(struct mc_engine *e, double seconds)
{
    double begin = mc_now();
    uint64_t look = e->s.expanded + 1024;
    e->s.stop = MC_COMPLETE;
    e->interrupted = 0;
    if (e->s.states == 0) start(e);
    while (e->s.stop == MC_COMPLETE) {
        if (e->s.expanded == e->s.states) {
            flush_window(e);
            if (e->s.expanded == e->s.states) break;
        }
        if (e->s.expanded == e->level_end) {
            flush_window(e);
            e->level_end = e->s.states;
            e->s.depth++;
        }
        mc_decode(&e->worker, e->frontier[e->s.expanded]);
        enum mc_end end = mc_expand(&e->worker, found, e);
        if (end == MC_ENDED) e->s.ends++;
        if (end == MC_DEADLOCKED) {
            e->s.deadlocks++;
            note_error(e, MC_DEADLOCK, NULL, 0, e->s.expanded);
        }
        e->s.expanded++;
        if (e->s.expanded >= look) {
            look = e->s.expanded + 1024;
            look_at_limits(e, begin, seconds);
        }
    }
    flush_window(e);
    if (e->worker.broken) e->s.stop = MC_BROKEN;
    measure(e);
    e->s.seconds += mc_now() - begin;
    return e->s.stop;
}
