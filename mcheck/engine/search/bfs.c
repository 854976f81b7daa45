/* Breadth-first search: every state once, nearest first, level by level. The threads take chunks of a level; what each
 * finds goes into chunks of its own for the next level, and into its own log.
 */
#include "model/half_state_cache.h"
#include "model/invariants.h"
#include "model/variable_order.h"
#include "search/recompile.h"
#include "search/reductions.h"

/* --- into the table ------------------------------------------------------------------------------------------ */

/* A state that was not there before. */
static bool take_fresh(struct mc_searcher *x, const struct mc_pending *p)
{
    if (x->fresh % MC_CHUNK == 0 && !mc_add_chunk(&x->next, (struct mc_chunk){0, 0, 0, mc_chunk_room(x), 0})) return false;
    struct mc_chunk *c = &x->next.at[x->next.count - 1];
    if (!c->root || !mc_stream_room(&x->log, MC_STEP_ROOM)) return false;
    c->root[c->count++] = p->root;
    x->fresh++;
    if (x->e->shares) return true; /* its finder may be elsewhere */
    mc_write_step(&x->log, p->owner - x->last_owner, p->ordinal);
    x->last_owner = p->owner;
    return true;
}

static inline bool all_are_there(const uint8_t *results)
{
    uint64_t eight;
    _Static_assert(MC_THERE == 0, "eight at once are compared with it");
    memcpy(&eight, results, sizeof eight);
    return eight == 0;
}

static void count_fresh(struct mc_searcher *x)
{
    mc_count_fresh(x->e, x->fresh - x->counted);
    x->counted = x->fresh;
}

static void drain_window(struct mc_searcher *x, uint32_t first, uint32_t last)
{
    struct mc_engine *e = x->e;
    struct mc_crew *crew = &e->space.crew;
    uint8_t results[MC_WINDOW * 2 + sizeof(uint64_t)];
    if (crew->out_of_memory) return;
    uint32_t answered = mc_insert_batch(e, &x->window[first], last - first, results);
    memset(results + answered, MC_THERE, sizeof(uint64_t));
    for (uint32_t i = 0; i < answered; i++) {
        if (all_are_there(results + i)) i += sizeof(uint64_t) - 1; /* most successors have been found before */
        else if (results[i] == MC_ELSEWHERE) e->shares->hand_over(x, x->window[first + i].root);
        else if (results[i] == MC_FRESH && !take_fresh(x, &x->window[first + i])) {
            crew->out_of_memory = true;
            break;
        }
    }
    if (x->fresh - x->counted > e->store.roots.limit / MC_COUNTED_SHARE) count_fresh(x);
}

void mc_flush_window(struct mc_searcher *x)
{
    if (x->e->on_disk) x->e->spills->drain(x, x->window_used);
    else {
        if (x->window_older) drain_window(x, MC_WINDOW - x->window_begin, 2 * MC_WINDOW - x->window_begin);
        drain_window(x, x->window_begin, x->window_used);
        count_fresh(x);
    }
    x->window_used = x->window_begin = 0;
    x->window_older = false;
}

static inline void take(struct mc_searcher *x, uint64_t root, uint32_t ordinal)
{
    struct mc_engine *e = x->e;
    if (__builtin_expect(e->on_disk, 0)) {
        e->spills->take(x, root, ordinal);
        return;
    }
    struct mc_pending *p = &x->window[x->window_used++];
    *p = (struct mc_pending){mc_permute_root(root), root, x->owner, ordinal};
    __builtin_prefetch(e->store.roots.entry + mc_home(&e->store.roots, p->mixed) * MC_LINE, 1, 3);
    if (x->window_used == x->window_begin + MC_WINDOW) { /* the older half has had time to arrive */
        x->window_begin = MC_WINDOW - x->window_begin;
        if (x->window_older) drain_window(x, x->window_begin, x->window_begin + MC_WINDOW);
        x->window_used = x->window_begin;
        x->window_older = true;
    }
}

void mc_take_successor(struct mc_searcher *x, uint64_t root, uint32_t ordinal) { take(x, root, ordinal); }

/* `s` NULL: the state stays as it is. */
static void look_at_invariants(struct mc_searcher *x, const struct mc_successor *s)
{
    for (uint64_t bad = mc_violated(&x->worker, s); bad; bad &= bad - 1) {
        struct mc_fault which = mc_violation(bad, s);
        struct mc_successor step = {.slot = s ? s->slot : MC_NOBODY, .fault = &which};
        mc_note_error(x, MC_VIOLATION, &step);
    }
}

static bool found(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct mc_searcher *x = context;
    if (w->space->crew.out_of_memory) return false;
    if (__builtin_expect(x->e->only_deadlocks, 0)) return true;
    x->transitions++;
    if (s->fault) {
        x->faults++;
        mc_note_error(x, MC_FAULT, s);
        return true;
    }
    look_at_invariants(x, s);
    take(x, s->root, s->ordinal);
    return true;
}

static enum mc_end expand(struct mc_searcher *x, uint64_t root)
{
    struct mc_worker *w = &x->worker;
    const struct mc_halves *h = w->halves;
    enum mc_end end;
    bool whole = w->space->invariants || x->e->only_deadlocks;
    if (!h || whole || mc_is_attached(w->space, MC_CANONICAL) || mc_is_in_force(w->space, MC_PASS)) mc_decode(w, root);
    else if (mc_expand_halves(w, root, &end)) {
        x->transitions += h->roots;
        for (uint32_t i = 0; i < h->roots; i++) take(x, h->root[i], i);
        if (end == MC_DEADLOCKED) mc_decode_halves(w, root); /* who notes it looks at the state */
        return end;
    }
    return mc_expand_to_kept(w, found, x);
}

/* --- a level ------------------------------------------------------------------------------------------------- */

static bool save_is_due(const struct mc_engine *e) { return e->saves && mc_now() >= e->saves->due(e); }

/* A state may take long: where many are alive, where inputs make many successors, and where actions are run for it. */
static void look_at_clock(struct mc_searcher *x)
{
    struct mc_engine *e = x->e;
    uint64_t of_state = e->space.p.slots > 64 ? 32 : 1;
    uint64_t work = x->expanded * of_state + x->worker.executions * 16 + x->transitions / 16;
    if (work - x->work_at_look < 256) return;
    x->work_at_look = work;
    if (mc_now() > e->until) mc_halt(e, MC_TIME);
}

void mc_expand_chunk(struct mc_searcher *x, struct mc_chunk *c)
{
    struct mc_engine *e = x->e;
    mc_keep_memory_small(x);
    for (; c->done < c->count; c->done++) {
        if (__builtin_expect(mc_wanted_alone(&e->space.crew), 0)) mc_rest(&e->space.crew);
        if (e->halt || e->space.crew.out_of_memory || e->interrupted) return;
        x->owner = c->first + c->done;
        enum mc_end end = expand(x, c->root[c->done]);
        if (e->space.crew.out_of_memory) return;
        if (!e->only_deadlocks) {
            x->expanded++;
            x->ends += end == MC_ENDED;
            if (end != MC_GOES_ON) look_at_invariants(x, NULL);
        }
        if (end == MC_DEADLOCKED) {
            x->deadlocks++;
            mc_note_error(x, MC_DEADLOCK, NULL);
        }
        if (x->worker.broken) mc_halt(e, MC_BROKEN);
        look_at_clock(x);
    }
}

/* About what each thread has found itself, and so has in its cache. */
static void share_out(struct mc_engine *e, uint32_t threads)
{
    for (uint32_t i = 0; i < threads; i++) {
        e->searcher[i]->share = e->level.count * i / threads;
        e->searcher[i]->share_end = e->level.count * (i + 1) / threads;
    }
    e->sharing = threads;
}

/* Of its own share, and then of the others'. NULL: there is none left. */
static struct mc_chunk *next_chunk(struct mc_searcher *x)
{
    struct mc_engine *e = x->e;
    for (; x->looks_at < e->sharing; x->looks_at++) {
        struct mc_searcher *of = e->searcher[(x->number + x->looks_at) % e->sharing];
        uint64_t i = atomic_fetch_add_explicit(&of->share, 1, memory_order_relaxed);
        if (i < of->share_end) return &e->level.at[i];
    }
    return NULL;
}

static void take_part(struct mc_searcher *x)
{
    struct mc_engine *e = x->e;
    x->looks_at = 0;
    while (!e->halt && !e->space.crew.out_of_memory) {
        struct mc_chunk *c = next_chunk(x);
        if (!c) break;
        if (!c->root && !mc_fetch_chunk(x, c)) break;
        mc_expand_chunk(x, c);
        mc_show_counts(x);
        if (c->done < c->count) break;
        mc_give_back(x, c->root);
        c->root = NULL;
        if (x->number != 0) continue;
        mc_look_at_limits(e);
        if (save_is_due(e)) mc_halt(e, MC_HALT_TO_SAVE);
    }
    mc_flush_window(x);
    mc_show_counts(x);
}

static void *thread_body(void *context)
{
    struct mc_searcher *x = context;
    take_part(x);
    mc_crew_count(&x->e->space.crew, -1);
    return NULL;
}

bool mc_make_searcher(struct mc_engine *e)
{
    struct mc_searcher *x = aligned_alloc(128, (sizeof *x + 127) & ~127ull);
    if (!x) return false;
    memset(x, 0, sizeof *x);
    x->e = e;
    x->number = e->made;
    x->errors = malloc(MC_ERRORS_ROOM * sizeof *x->errors);
    if (!x->errors || !mc_worker_new(&x->worker, &e->space)) return false;
    e->searcher[e->made++] = x;
    return true;
}

/* All threads on what is left of the level. */
static void search_level(struct mc_engine *e)
{
    struct mc_crew *crew = &e->space.crew;
    uint32_t threads = e->level_states >= e->space.o.least_shared ? e->threads : 1;
    while (e->made < threads)
        if (!mc_make_searcher(e)) threads = e->made;
    share_out(e, threads);
    for (uint32_t i = 0; i < e->made; i++) mc_show_counts(e->searcher[i]);
    crew->working = threads;
    for (uint32_t i = 1; i < threads; i++) {
        struct mc_searcher *x = e->searcher[i];
        x->runs = pthread_create(&x->thread, NULL, thread_body, x) == 0;
        if (!x->runs) mc_crew_count(crew, -1);
    }
    take_part(e->searcher[0]);
    mc_crew_count(crew, -1);
    for (uint32_t i = 1; i < threads; i++)
        if (e->searcher[i]->runs) pthread_join(e->searcher[i]->thread, NULL);
    crew->working = 1;
}

/* What was found gets its numbers, and is the next level. */
bool mc_next_level(struct mc_engine *e)
{
    struct mc_chunks *level = &e->level;
    level->count = 0;
    e->level_states = 0;
    if (e->spills && !e->spills->end_level(e)) return false;
    if (mc_candidates_left(e)) return true; /* it is tried again when the search goes on */
    for (uint32_t i = 0; i < e->made; i++) {
        struct mc_searcher *x = e->searcher[i];
        if (!x->fresh) continue;
        const struct mc_mark *last = e->marks_count ? &e->marks[e->marks_count - 1] : NULL;
        if (!last || last->searcher != i || e->levels_end - last->first > 1u << 16)
            if (!mc_add_mark(e, (struct mc_mark){e->levels_end, x->log_marked, x->owner_marked, i})) return false;
        for (uint64_t k = 0; k < x->next.count; k++) {
            x->next.at[k].first = e->levels_end;
            e->levels_end += x->next.at[k].count;
            e->level_states += x->next.at[k].count;
            if (!mc_add_chunk(level, x->next.at[k])) return false;
        }
        x->next.count = 0;
        x->fresh = x->counted = 0;
        x->log_marked = x->log.used;
        x->owner_marked = x->last_owner;
    }
    return true;
}

/* What has been expanded leaves the level. */
static void drop_done(struct mc_engine *e)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < e->level.count; i++)
        if (e->level.at[i].done < e->level.at[i].count) e->level.at[n++] = e->level.at[i];
    e->level.count = n;
}

bool mc_order_as(struct mc_engine *e, const struct mc_engine *other)
{
    const struct mc_space *s = &other->space;
    e->is_ordered = true;
    return mc_shape_tree(&e->space, s->order, s->weight, s->left);
}

static bool start(struct mc_engine *e)
{
    if (!e->is_ordered && !mc_order_by_sample(&e->space)) return false;
    if (!mc_make_searcher(e)) return false;
    struct mc_searcher *x = e->searcher[0];
    uint64_t root = mc_initial(&x->worker);
    mc_insert(&e->store.roots, mc_permute_root(root), false);
    e->store.roots.count = e->levels_end = e->level_states = 1;
    x->last_owner = x->owner_marked = 0;
    uint64_t *room = mc_chunk_room(x);
    if (!room) return false;
    room[0] = root;
    return mc_add_chunk(&e->level, (struct mc_chunk){0, 1, 0, room, 0});
}

/* The threads have stopped to let it be saved, or to go to disk; what else may have stopped them meanwhile counts now. */
static void go_on_after_halt(struct mc_engine *e)
{
    uint32_t why = e->halt;
    if (why != MC_HALT_TO_SAVE && why != MC_HALT_TO_SPILL) return;
    e->halt = MC_COMPLETE;
    if (why == MC_HALT_TO_SPILL && !e->spills->spill(e)) mc_halt(e, e->interrupted ? MC_INTERRUPTED : mc_disk_error(e) ? MC_DISK : MC_MEMORY);
    for (uint32_t i = 0; i < e->made; i++)
        if (e->searcher[i]->worker.broken) mc_halt(e, MC_BROKEN);
}

static void save(struct mc_engine *e)
{
    mc_measure(e);
    e->saves->save(e);
}

/* An end after which it is worth while to go on some day, or to have the states again. */
static bool worth_saving(const struct mc_engine *e)
{
    return e->saves && e->halt != MC_ERROR && e->halt != MC_BROKEN && e->halt != MC_PAUSED;
}

/* Without memory it is not known. */
void mc_begin_level(struct mc_engine *e)
{
    uint64_t depth = ++e->s.depth;
    if (depth >= e->within_room) {
        uint64_t room = depth * 2 + 64, *wider = realloc(e->within, room * sizeof *wider);
        if (!wider) return;
        memset(wider + e->within_room, 0, (room - e->within_room) * sizeof *wider);
        e->within = wider;
        e->within_room = room;
    }
    e->within[depth] = e->levels_end;
}

uint64_t mc_states_within(const struct mc_engine *e, uint32_t depth)
{
    return !depth ? e->levels_end != 0 : depth < e->within_room ? e->within[depth] : 0;
}

/* Of the errors that have been found so far. */
bool mc_ends_with_errors(const struct mc_engine *e)
{
    const struct mc_invariants *i = e->space.invariants;
    if (!e->space.o.keep_going) return e->s.errors != 0;
    for (uint32_t k = 0; i && !i->goes_on && k < e->s.errors; k++)
        if (e->errors[k].kind == MC_VIOLATION) return true;
    return false;
}

bool mc_may_be_deadlock(const struct mc_engine *e)
{
    for (uint32_t k = 0; k < e->s.errors; k++)
        if (e->errors[k].kind != MC_VIOLATION) return false;
    return !e->space.o.keep_going;
}

/* A deadlock as near as what violates invariants comes first; it is a state of the level that begins. */
static void look_for_deadlocks(struct mc_engine *e)
{
    if (!mc_may_be_deadlock(e) || !e->level.count) return;
    e->only_deadlocks = true;
    search_level(e);
    e->only_deadlocks = false;
    mc_gather_errors(e);
}

static bool too_deep(const struct mc_engine *e) { return e->s.depth > e->space.o.most_depth; }

uint32_t mc_search(struct mc_engine *e, double seconds)
{
    double begin = mc_now();
    e->until = e->space.until = begin + seconds;
    if (e->rest && e->rest < e->until) e->until = e->rest;
    e->space.interrupted = &e->interrupted;
    e->s.stop = MC_COMPLETE;
    e->halt = MC_COMPLETE;
    e->interrupted = 0;
    bool memory = e->levels_end || start(e);
    if (mc_disk_error(e)) mc_halt(e, MC_DISK);
    if (too_deep(e)) mc_halt(e, MC_BOUND);
    while (memory && !e->halt && (e->level.count || mc_candidates_left(e))) {
        search_level(e);
        drop_done(e);
        if (e->space.crew.out_of_memory) memory = false;
        else go_on_after_halt(e);
        if (e->interrupted) mc_halt(e, MC_INTERRUPTED);
        if (!memory || (e->level.count && e->halt)) break; /* stopped within the level */
        if (!e->level.count) {
            mc_gather_errors(e);
            bool enough = mc_ends_with_errors(e);
            memory = mc_next_level(e);
            if (e->level.count) {
                mc_begin_level(e);
                mc_reductions_at_level(e);
                mc_ask_if_slow(e);
            }
            if (enough) {
                if (memory) look_for_deadlocks(e);
                e->halt = MC_ERROR;
            }
            if (too_deep(e)) mc_halt(e, MC_BOUND);
            mc_look_at_limits(e);
            go_on_after_halt(e);
            if (e->s.deadlocks + e->s.faults >= e->space.o.most_errors) mc_halt(e, MC_ERROR);
            if (e->halt) break;
        }
        if (memory && e->level.count && save_is_due(e)) save(e);
    }
    if (memory && worth_saving(e)) save(e);
    mc_gather_errors(e);
    mc_measure(e);
    e->s.stop = !memory ? MC_MEMORY : e->halt;
    bool all = !e->level.count && !mc_candidates_left(e) && !mc_disk_error(e);
    if (memory && all && e->halt != MC_ERROR && e->halt != MC_BROKEN) e->s.stop = MC_COMPLETE;
    e->space.interrupted = NULL;
    e->s.seconds += mc_now() - begin;
    return e->s.stop;
}
