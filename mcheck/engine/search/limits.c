/* What a breadth-first search has come to, what it takes of memory, and whether that is enough. */
#include "model/half_state_cache.h"
#include "search/bfs.h"

void mc_halt(struct mc_engine *e, uint32_t why)
{
    uint32_t none = MC_COMPLETE;
    atomic_compare_exchange_strong_explicit(&e->halt, &none, why, memory_order_relaxed, memory_order_relaxed);
}

static void show(_Atomic uint64_t *to, uint64_t number) { atomic_store_explicit(to, number, memory_order_relaxed); }
static uint64_t shown(const _Atomic uint64_t *from) { return atomic_load_explicit(from, memory_order_relaxed); }

void mc_show_counts(struct mc_searcher *x)
{
    struct mc_shown *to = &x->shown;
    show(&to->fresh, x->fresh);
    show(&to->transitions, x->transitions);
    show(&to->expanded, x->expanded);
    show(&to->ends, x->ends);
    show(&to->deadlocks, x->deadlocks);
    show(&to->faults, x->faults);
    show(&to->executions, x->worker.executions);
    show(&to->remembered, x->worker.remembered);
    show(&to->log_bytes, x->log.on_disk ? 0 : x->log.used);
    show(&to->memo_bytes, mc_memory_of_results(&x->worker) + mc_memory_of_halves(&x->worker));
    atomic_store_explicit(&to->assumed, x->worker.context->assumed, memory_order_relaxed);
}

/* While other threads work, what they have shown; else exactly. */
static void sum_up(struct mc_engine *e)
{
    struct mc_statistics sum = {.states = e->levels_end};
    bool exact = mc_works_alone(&e->space.crew);
    for (uint32_t i = 0; i < e->made; i++) {
        const struct mc_shown *x = &e->searcher[i]->shown;
        if (exact) mc_show_counts(e->searcher[i]);
        sum.states += shown(&x->fresh);
        sum.transitions += shown(&x->transitions);
        sum.expanded += shown(&x->expanded);
        sum.ends += shown(&x->ends);
        sum.deadlocks += shown(&x->deadlocks);
        sum.faults += shown(&x->faults);
        sum.executions += shown(&x->executions);
        sum.remembered += shown(&x->remembered);
        sum.log_bytes += shown(&x->log_bytes);
        sum.memo_bytes += shown(&x->memo_bytes);
        sum.assumed |= atomic_load_explicit(&x->assumed, memory_order_relaxed);
    }
    e->s.states = sum.states;
    e->s.transitions = sum.transitions;
    e->s.expanded = sum.expanded;
    e->s.ends = sum.ends;
    e->s.deadlocks = sum.deadlocks;
    e->s.faults = sum.faults;
    e->s.executions = sum.executions;
    e->s.remembered = sum.remembered;
    e->s.log_bytes = sum.log_bytes + sizeof *e->marks * e->marks_count;
    e->s.memo_bytes = sum.memo_bytes;
    e->s.assumed |= sum.assumed;
}

uint64_t mc_measure(struct mc_engine *e)
{
    struct mc_statistics *s = &e->s;
    sum_up(e);
    s->table_bytes = mc_roots_bytes(&e->store.roots);
    mc_space_measure(&e->space, s);
    s->frontier_bytes = e->on_disk ? 0 : 8 * (s->states - s->expanded);
    if (e->spills) e->spills->measure(e, s);
    if (e->shares) s->log_bytes += e->shares->bytes(e);
    return s->table_bytes + s->node_bytes + s->value_bytes + s->log_bytes + s->frontier_bytes + s->memo_bytes;
}

bool mc_room_for(struct mc_engine *e, uint64_t more)
{
    return !e->space.o.most_memory || mc_measure(e) + more <= e->space.o.most_memory;
}

static bool may_spill(const struct mc_engine *e) { return e->spills && e->spills->may_spill(e); }

void mc_halt_for_memory(struct mc_engine *e) { mc_halt(e, may_spill(e) ? MC_HALT_TO_SPILL : MC_MEMORY); }

/* In states: what they take between two looks is little also where each has a large value of its own. */
static uint64_t between_measures(const struct mc_engine *e)
{
    uint64_t room = e->space.o.most_memory && e->space.o.most_memory < 64u << 20 ? e->space.o.most_memory / 16 : 4u << 20;
    uint64_t most = room / (e->space.p.block_size | 1);
    return most > 1u << 16 ? 1u << 16 : most + 1;
}

/* Now and then, by the first thread: is it time to stop? */
void mc_look_at_limits(struct mc_engine *e)
{
    if (e->interrupted) mc_halt(e, MC_INTERRUPTED);
    if (mc_now() > e->until) mc_halt(e, MC_TIME);
    sum_up(e);
    if (e->space.o.most_states && e->s.states > e->space.o.most_states) mc_halt(e, MC_STATES);
    if (e->pause_at && e->s.states > e->pause_at) mc_halt(e, MC_PAUSED);
    if (e->most_transitions && e->s.transitions > e->most_transitions) mc_halt(e, MC_STATES);
    if (e->space.o.spill_at && !e->on_disk && e->s.states >= e->space.o.spill_at && may_spill(e)) mc_halt(e, MC_HALT_TO_SPILL);
    if (e->s.expanded - e->measured_at < between_measures(e)) return;
    e->measured_at = e->s.expanded;
    uint64_t used = mc_measure(e); /* for who looks on, too; while other threads work only roughly */
    if (e->space.o.most_memory && used > e->space.o.most_memory) mc_halt_for_memory(e);
}

/* What is remembered takes no more than some bytes for each state. */
void mc_keep_memory_small(struct mc_searcher *x)
{
    const struct mc_engine *e = x->e;
    uint64_t most = MC_REMEMBERED_LEAST + MC_REMEMBERED_BYTES * e->levels_end / e->threads;
    if (e->on_disk) most = e->spills->remembered(e);
    if (mc_memory_of_results(&x->worker) > most) mc_forget(&x->worker);
    if (mc_memory_of_halves(&x->worker) > most) mc_forget_halves(&x->worker);
}

void mc_stop_after(struct mc_engine *e, uint64_t transitions) { e->most_transitions = transitions; }

void mc_pause_at(struct mc_engine *e, uint64_t states) { e->pause_at = states; }

void mc_rest_after(struct mc_engine *e, double seconds) { e->rest = seconds > 0 ? mc_now() + seconds : 0; }

void mc_go_on_to(struct mc_engine *e, uint64_t states)
{
    e->space.o.most_states = states;
    e->most_transitions = 0;
}
