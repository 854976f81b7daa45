/* Breadth-first search: every state once, nearest first, level by level. The threads take chunks of a level; what each
 * finds goes into chunks of its own for the next level, and into its own log.
 */
#include "checkpoint.h"
#include "halves.h"

/* --- chunks -------------------------------------------------------------------------------------------------- */

bool mc_add_chunk(struct mc_chunks *c, struct mc_chunk x)
{
    if (c->count == c->room) {
        uint64_t room = c->room ? c->room * 2 : 16;
        struct mc_chunk *at = realloc(c->at, room * sizeof *at);
        if (!at) return false;
        c->at = at;
        c->room = room;
    }
    c->at[c->count++] = x;
    return true;
}

static uint64_t *chunk_room(struct mc_searcher *x)
{
    return x->spares ? x->spare[--x->spares] : malloc(8 * MC_CHUNK);
}

static void give_back(struct mc_searcher *x, uint64_t *room)
{
    if (x->spares == x->spares_room) {
        uint32_t n = x->spares_room ? x->spares_room * 2 : 16;
        uint64_t **spare = n <= 256 ? realloc(x->spare, n * sizeof *spare) : NULL;
        if (!spare) {
            free(room);
            return;
        }
        x->spare = spare;
        x->spares_room = n;
    }
    x->spare[x->spares++] = room;
}

/* --- into the table ------------------------------------------------------------------------------------------ */

static void halt(struct mc_engine *e, uint32_t why)
{
    uint32_t none = MC_COMPLETE;
    __atomic_compare_exchange_n(&e->halt, &none, why, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Small steps keep the memory small, large ones the time. */
static uint64_t more_lines(const struct mc_engine *e)
{
    uint64_t lines = e->roots.lines;
    if (lines < 1u << 14) return lines * 2;
    return lines + lines / (e->space.o.compact ? 8 : 4);
}

static void grow_roots(struct mc_engine *e, uint64_t mixed)
{
    mc_alone(&e->space.crew);
    if (e->roots.count + e->threads * MC_WINDOW >= e->roots.limit || !mc_fits(&e->roots, mixed)) {
        uint32_t a, b;
        mc_halves(&e->space, &a, &b);
        if (!mc_roots_grow(&e->roots, more_lines(e), 2ull * a, 2ull * b)) e->space.crew.out_of_memory = true;
    }
    mc_together(&e->space.crew);
}

static void grow_full_roots(struct mc_engine *e, uint64_t lines)
{
    mc_alone(&e->space.crew);
    if (e->roots.lines == lines) {
        uint32_t a, b;
        mc_halves(&e->space, &a, &b);
        if (!mc_roots_grow(&e->roots, more_lines(e), 2ull * a, 2ull * b)) e->space.crew.out_of_memory = true;
    }
    mc_together(&e->space.crew);
}

/* A state that was not there before. */
static bool take_fresh(struct mc_searcher *x, const struct mc_pending *p)
{
    if (x->fresh % MC_CHUNK == 0 && !mc_add_chunk(&x->next, (struct mc_chunk){0, 0, 0, chunk_room(x)})) return false;
    struct mc_chunk *c = &x->next.at[x->next.count - 1];
    if (!c->root || !mc_stream_room(&x->log, MC_STEP_ROOM)) return false;
    c->root[c->count++] = p->root;
    x->fresh++;
    mc_write_step(&x->log, p->owner - x->last_owner, p->ordinal);
    x->last_owner = p->owner;
    return true;
}

static void drain_window(struct mc_searcher *x, uint32_t n)
{
    struct mc_engine *e = x->e;
    struct mc_crew *crew = &e->space.crew;
    bool shared = crew->working > 1;
    uint64_t before = x->fresh;
    for (uint32_t i = 0; i < n && !crew->out_of_memory; i++) {
        const struct mc_pending *p = &x->window[i];
        while (!mc_fits(&e->roots, p->mixed) && !crew->out_of_memory) grow_roots(e, p->mixed);
        if (crew->out_of_memory) break;
        enum mc_inserted how = mc_insert(&e->roots, p->mixed, shared);
        while (how == MC_FULL && !crew->out_of_memory) {
            grow_full_roots(e, e->roots.lines);
            if (!crew->out_of_memory) how = mc_insert(&e->roots, p->mixed, shared);
        }
        if (how == MC_FRESH && !take_fresh(x, p)) crew->out_of_memory = true;
    }
    __atomic_fetch_add(&e->roots.count, x->fresh - before, __ATOMIC_RELAXED);
    if (mc_wanted_alone(crew)) mc_rest(crew);
    while (e->roots.count + e->threads * MC_WINDOW >= e->roots.limit && !crew->out_of_memory) grow_roots(e, 0);
}

static void flush_window(struct mc_searcher *x)
{
    drain_window(x, x->window_used);
    x->window_used = 0;
}

static void take(struct mc_searcher *x, uint64_t root, uint32_t ordinal)
{
    struct mc_engine *e = x->e;
    struct mc_pending *p = &x->window[x->window_used++];
    *p = (struct mc_pending){mc_permute_root(root), root, x->owner, ordinal};
    __builtin_prefetch(e->roots.entry + mc_home(&e->roots, p->mixed) * MC_LINE, 1, 3);
    if (x->window_used == MC_WINDOW * 2) {
        /* the older half has had time to arrive; the younger one moves down */
        drain_window(x, MC_WINDOW);
        memmove(x->window, x->window + MC_WINDOW, sizeof *x->window * MC_WINDOW);
        x->window_used = MC_WINDOW;
    }
}

static bool found(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct mc_searcher *x = context;
    if (w->space->crew.out_of_memory) return false;
    x->transitions++;
    if (s->fault) {
        x->faults++;
        mc_note_error(x, MC_FAULT, s);
        return true;
    }
    take(x, s->root, s->ordinal);
    return true;
}

static enum mc_end expand(struct mc_searcher *x, uint64_t root)
{
    struct mc_worker *w = &x->worker;
    const struct mc_halves *h = w->halves;
    enum mc_end end;
    if (!h || w->space->reduction) mc_decode(w, root);
    else if (mc_expand_halves(w, root, &end)) {
        x->transitions += h->roots;
        for (uint32_t i = 0; i < h->roots; i++) take(x, h->root[i], i);
        if (end == MC_DEADLOCKED) mc_decode_halves(w, root); /* who notes it looks at the state */
        return end;
    }
    return mc_expand(w, found, x);
}

/* Beside enum mc_stop: the level goes on after it. */
enum { HALT_TO_SAVE = 0xFF };

/* --- a level ------------------------------------------------------------------------------------------------- */

static uint64_t states_so_far(const struct mc_engine *e)
{
    uint64_t n = e->levels_end;
    for (uint32_t i = 0; i < e->made; i++) n += __atomic_load_n(&e->searcher[i]->fresh, __ATOMIC_RELAXED);
    return n;
}

static void sum_up(struct mc_engine *e)
{
    struct mc_statistics sum = {0};
    for (uint32_t i = 0; i < e->made; i++) {
        const struct mc_searcher *x = e->searcher[i];
        sum.transitions += x->transitions;
        sum.expanded += x->expanded;
        sum.ends += x->ends;
        sum.deadlocks += x->deadlocks;
        sum.faults += x->faults;
        sum.executions += x->worker.executions;
        sum.remembered += x->worker.remembered;
        sum.log_bytes += x->log.used;
        sum.memo_bytes += mc_memory_of_results(&x->worker) + mc_memory_of_halves(&x->worker);
        sum.assumed |= x->worker.context->assumed;
    }
    e->s.states = states_so_far(e);
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

static uint64_t measure(struct mc_engine *e)
{
    struct mc_statistics *s = &e->s;
    sum_up(e);
    s->table_bytes = mc_roots_bytes(&e->roots);
    mc_space_measure(&e->space, s);
    s->frontier_bytes = 8 * (s->states - s->expanded);
    return s->table_bytes + s->node_bytes + s->value_bytes + s->log_bytes + s->frontier_bytes + s->memo_bytes;
}

/* In states: what they take between two looks is little also where each has a large value of its own. */
static uint64_t between_measures(const struct mc_engine *e)
{
    uint64_t most = (4u << 20) / (e->space.p.block_size | 1);
    return most > 1u << 16 ? 1u << 16 : most + 1;
}

/* Now and then, by the first thread: is it time to stop? */
static void look_at_limits(struct mc_engine *e)
{
    if (e->interrupted) halt(e, MC_INTERRUPTED);
    if (mc_now() > e->until) halt(e, MC_TIME);
    sum_up(e);
    if (e->space.o.most_states && e->s.states > e->space.o.most_states) halt(e, MC_STATES);
    if (e->s.expanded - e->measured_at < between_measures(e)) return;
    e->measured_at = e->s.expanded;
    uint64_t used = measure(e); /* for who looks on, too; while other threads work only roughly */
    if (e->space.o.most_memory && used > e->space.o.most_memory) halt(e, MC_MEMORY);
}

static bool save_is_due(const struct mc_engine *e) { return e->checkpoint.path && mc_now() >= e->checkpoint.due; }

/* What is remembered takes no more than some bytes for each state. */
static void keep_memory_small(struct mc_searcher *x)
{
    const struct mc_engine *e = x->e;
    uint64_t most = MC_REMEMBERED_LEAST + MC_REMEMBERED_BYTES * e->levels_end / e->threads;
    if (mc_memory_of_results(&x->worker) > most) mc_forget(&x->worker);
    if (mc_memory_of_halves(&x->worker) > most) mc_forget_halves(&x->worker);
}

static void expand_chunk(struct mc_searcher *x, struct mc_chunk *c)
{
    struct mc_engine *e = x->e;
    keep_memory_small(x);
    for (; c->done < c->count; c->done++) {
        if (__builtin_expect(mc_wanted_alone(&e->space.crew), 0)) mc_rest(&e->space.crew);
        if (__atomic_load_n(&e->halt, __ATOMIC_RELAXED) || e->space.crew.out_of_memory || e->interrupted) return;
        x->owner = c->first + c->done;
        enum mc_end end = expand(x, c->root[c->done]);
        if (e->space.crew.out_of_memory) return;
        x->expanded++;
        if (end == MC_ENDED) x->ends++;
        if (end == MC_DEADLOCKED) {
            x->deadlocks++;
            mc_note_error(x, MC_DEADLOCK, NULL);
        }
        if (x->worker.broken) halt(e, MC_BROKEN);
        if (x->number == 0 && x->expanded % 256 == 0 && mc_now() > e->until) halt(e, MC_TIME);
    }
}

static void take_part(struct mc_searcher *x)
{
    struct mc_engine *e = x->e;
    while (!e->halt && !e->space.crew.out_of_memory) {
        uint64_t i = __atomic_fetch_add(&e->taken, 1, __ATOMIC_RELAXED);
        if (i >= e->level.count) break;
        struct mc_chunk *c = &e->level.at[i];
        expand_chunk(x, c);
        if (c->done < c->count) break;
        give_back(x, c->root);
        c->root = NULL;
        if (x->number != 0) continue;
        look_at_limits(e);
        if (save_is_due(e)) halt(e, HALT_TO_SAVE);
    }
    flush_window(x);
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
    e->taken = 0;
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

bool mc_add_mark(struct mc_engine *e, struct mc_mark m)
{
    if (e->marks_count == e->marks_room) {
        uint64_t room = e->marks_room ? e->marks_room * 2 : 64;
        struct mc_mark *marks = realloc(e->marks, room * sizeof *marks);
        if (!marks) return false;
        e->marks = marks;
        e->marks_room = room;
    }
    e->marks[e->marks_count++] = m;
    return true;
}

/* What was found gets its numbers, and is the next level. */
static bool next_level(struct mc_engine *e)
{
    struct mc_chunks *level = &e->level;
    level->count = 0;
    e->level_states = 0;
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
        x->fresh = 0;
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
        if (e->level.at[i].root) e->level.at[n++] = e->level.at[i];
    e->level.count = n;
}

static bool start(struct mc_engine *e)
{
    if (!mc_make_searcher(e)) return false;
    struct mc_searcher *x = e->searcher[0];
    uint64_t root = mc_initial(&x->worker);
    mc_insert(&e->roots, mc_permute_root(root), false);
    e->roots.count = e->levels_end = e->level_states = 1;
    x->last_owner = x->owner_marked = 0;
    uint64_t *room = chunk_room(x);
    if (!room) return false;
    room[0] = root;
    return mc_add_chunk(&e->level, (struct mc_chunk){0, 1, 0, room});
}

/* The threads have stopped to let it be saved; what else may have stopped them meanwhile counts now. */
static void go_on_after_halt(struct mc_engine *e)
{
    if (e->halt != HALT_TO_SAVE) return;
    e->halt = MC_COMPLETE;
    for (uint32_t i = 0; i < e->made; i++)
        if (e->searcher[i]->worker.broken) halt(e, MC_BROKEN);
}

static void save(struct mc_engine *e)
{
    measure(e);
    mc_save(e);
}

/* An end after which it is worth while to go on some day, or to have the states again. */
static bool worth_saving(const struct mc_engine *e)
{
    return e->checkpoint.path && e->halt != MC_ERROR && e->halt != MC_BROKEN;
}

uint32_t mc_search(struct mc_engine *e, double seconds)
{
    double begin = mc_now();
    e->until = begin + seconds;
    e->s.stop = MC_COMPLETE;
    e->halt = MC_COMPLETE;
    e->interrupted = 0;
    bool memory = e->levels_end || start(e);
    while (memory && e->level.count) {
        search_level(e);
        drop_done(e);
        if (e->space.crew.out_of_memory) memory = false;
        go_on_after_halt(e);
        if (e->interrupted) halt(e, MC_INTERRUPTED);
        if (!memory || (e->level.count && e->halt)) break; /* stopped within the level */
        if (!e->level.count) {
            mc_gather_errors(e);
            if (!e->space.o.keep_going && e->s.errors) halt(e, MC_ERROR);
            memory = next_level(e);
            if (e->level.count) e->s.depth++;
            look_at_limits(e);
            if (e->s.deadlocks + e->s.faults >= e->space.o.most_errors) halt(e, MC_ERROR);
            if (e->halt) break;
        }
        if (memory && e->level.count && save_is_due(e)) save(e);
    }
    if (memory && worth_saving(e)) save(e);
    mc_gather_errors(e);
    measure(e);
    e->s.stop = !memory ? MC_MEMORY : e->halt;
    if (memory && !e->level.count && e->halt != MC_ERROR && e->halt != MC_BROKEN) e->s.stop = MC_COMPLETE;
    e->s.seconds += mc_now() - begin;
    return e->s.stop;
}
