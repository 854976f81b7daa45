/* When memory is used up: what goes to disk, and how what is left of memory is shared out. */
#include <errno.h>
#include <sys/mman.h>

#include "disk/spill.h"

enum { LEAST_LEFT = 1 << 18 }; /* bytes beside values and pairs without which it does not pay to go on */
enum { SORTED_AT_ONCE = 1 << 18, LEAST_SORTED = 1 << 10, LEAST_ROOM = 1 << 10, MOST_ROOM = 1 << 22 };
enum { LEAST_REMEMBERED = 1 << 16, FEW_RECORDS = 16, FEW_BYTES = 1 << 20 };

static void free_spill(struct mc_engine *e)
{
    struct mc_spill *s = e->spill;
    for (uint32_t i = 0; i < s->runs; i++) mc_run_free(&s->run[i]);
    free(s->run);
    mc_release(s->cache, 64 * s->cache_lines);
    if (e->on_disk) {
        mc_pile_free(&s->candidates);
        mc_file_free(&s->states);
        mc_file_free(&s->logs);
    }
    free(s->disk.folder);
    free(s);
}

/* A search that is saved is in memory whole. */
static bool may_spill(const struct mc_engine *e)
{
    return (e->space.o.most_memory || e->space.o.spill_at) && !e->saves && !e->spill->disk.error;
}

/* In memory, beside values, pairs, results and the ends of logs. */
static uint64_t bytes_of(const struct mc_engine *e)
{
    const struct mc_spill *s = e->spill;
    uint64_t bytes = sizeof(struct mc_chunk) * e->level.room;
    for (uint32_t i = 0; i < s->runs; i++) bytes += mc_run_memory(&s->run[i]);
    for (uint32_t i = 0; i < e->made; i++)
        if (__atomic_load_n(&e->searcher[i]->candidate, __ATOMIC_RELAXED)) bytes += s->room * sizeof(struct mc_record);
    return bytes;
}

static void measure(const struct mc_engine *e, struct mc_statistics *to)
{
    const struct mc_spill *s = e->spill;
    to->table_bytes += 64 * s->cache_lines;
    if (e->on_disk) to->frontier_bytes = bytes_of(e);
    to->disk_bytes = __atomic_load_n(&s->disk.most, __ATOMIC_RELAXED);
    to->disk_written = __atomic_load_n(&s->disk.written, __ATOMIC_RELAXED);
    to->spills = __atomic_load_n(&s->times, __ATOMIC_RELAXED);
}

static uint64_t remembered(const struct mc_engine *e) { return e->spill->remembered; }
static int error_of(const struct mc_engine *e) { return e->spill->disk.error; }

/* --- what was written is read again ------------------------------------------------------------------------------- */

static bool read_chunk(struct mc_engine *e, const struct mc_chunk *c, uint64_t *roots)
{
    struct mc_record r[MC_CHUNK];
    if (!mc_file_get(&e->spill->states, c->at, r, c->count * sizeof *r)) return false;
    for (uint32_t i = 0; i < c->count; i++) roots[i] = r[i].key;
    return true;
}

static bool read_finder(const struct mc_engine *e, const struct mc_mark *m, uint64_t state, uint64_t *owner, uint32_t *ordinal)
{
    struct mc_record found;
    if (!mc_file_get(&e->spill->states, m->at + (state - m->first) * sizeof found, &found, sizeof found)) return false;
    *owner = m->owner + (found.value >> 32);
    *ordinal = (uint32_t)found.value;
    return true;
}

static bool end_level(struct mc_engine *e)
{
    uint64_t first = e->levels_end;
    if (!mc_spilled_level(e)) return false;
    if (!mc_spilled_candidates_left(e)) e->spill->level_first = first;
    return true;
}

bool mc_add_run(struct mc_engine *e, const struct mc_run *r)
{
    struct mc_spill *s = e->spill;
    if (s->runs == s->runs_room) {
        uint32_t room = s->runs_room ? s->runs_room * 2 : 8;
        struct mc_run *run = realloc(s->run, room * sizeof *run);
        if (!run) return false;
        s->run = run;
        s->runs_room = room;
    }
    s->run[s->runs++] = *r;
    return true;
}

/* --- from memory to disk --------------------------------------------------------------------------------------- */

struct sorting { struct mc_pile *pile; struct mc_record *buffer; uint64_t used, room; bool failed; };

static void put_root(uint64_t root, void *context)
{
    struct sorting *x = context;
    x->buffer[x->used++] = (struct mc_record){mc_key_of(root), 0};
    if (x->used < x->room) return;
    mc_order_records(x->buffer, x->used);
    x->failed |= !mc_pile_put(x->pile, x->buffer, x->used);
    x->used = 0;
}

static bool merge_to_run(struct sorting *x, struct mc_run *run, struct mc_disk *d, const _Atomic int *stop)
{
    struct mc_merge m = {0};
    struct mc_record r;
    struct mc_run_writer w;
    mc_order_records(x->buffer, x->used);
    bool good = mc_run_begin(&w, run, d) && mc_merge_new(&m, x->pile, 1, x->room * sizeof r);
    if (good) {
        mc_merge_add(&m, x->buffer, x->used);
        mc_merge_start(&m);
        while (mc_merge_next(&m, &r) && !w.failed && !*stop) mc_run_add(&w, r.key);
        good = !m.failed && !*stop;
    }
    mc_merge_free(&m);
    w.failed |= !good;
    return mc_run_end(&w);
}

/* The table becomes the first run. It stays as it is until that is done. */
static bool write_table(struct mc_engine *e)
{
    struct mc_spill *s = e->spill;
    uint64_t room = e->space.o.most_memory / 64 / sizeof(struct mc_record);
    struct sorting x = {.pile = &s->candidates, .room = room < LEAST_SORTED ? LEAST_SORTED : room > SORTED_AT_ONCE ? SORTED_AT_ONCE : room};
    struct mc_run run;
    x.buffer = malloc(x.room * sizeof *x.buffer);
    if (!x.buffer) return false;
    mc_each_root(e, put_root, &x);
    bool good = !x.failed && !e->interrupted && merge_to_run(&x, &run, &s->disk, &e->interrupted);
    free(x.buffer);
    mc_pile_clear(&s->candidates);
    if (!good) return false;
    if (!mc_add_run(e, &run)) {
        mc_run_free(&run);
        return false;
    }
    mc_roots_free(&e->store.roots);
    return mc_roots_new(&e->store.roots);
}

/* A log is only read from now on, and looks as if it were in memory. */
static bool write_log(struct mc_engine *e, struct mc_stream *log)
{
    struct mc_spill *s = e->spill;
    if (log->used <= MC_SMALL) return true;
    uint64_t at = mc_file_take(&s->logs, mc_pages(log->used));
    if (!mc_file_put(&s->logs, at, log->byte, log->used)) return false;
    void *seen = mmap(NULL, mc_pages(log->used), PROT_READ, MAP_SHARED, s->logs.fd, (off_t)at);
    if (seen == MAP_FAILED) return false;
    mc_release(log->byte, log->room);
    *log = (struct mc_stream){seen, log->used, log->used, true};
    return true;
}

static bool write_chunks(struct mc_engine *e, struct mc_chunks *chunks)
{
    struct mc_file *f = &e->spill->states;
    struct mc_record r[MC_CHUNK];
    for (uint64_t i = 0; i < chunks->count; i++) {
        struct mc_chunk *c = &chunks->at[i];
        if (!c->root) continue;
        for (uint32_t k = 0; k < c->count; k++) r[k] = (struct mc_record){c->root[k], 0};
        c->at = mc_file_take(f, c->count * sizeof *r);
        if (!mc_file_put(f, c->at, r, c->count * sizeof *r)) return false;
        free(c->root);
        c->root = NULL;
    }
    return true;
}

static void drop_spares(struct mc_searcher *x)
{
    while (x->spares) free(x->spare[--x->spares]);
}

static bool all_to_disk(struct mc_engine *e)
{
    struct mc_spill *s = e->spill;
    bool files = mc_pile_new(&s->disk, &s->candidates) && mc_file_new(&s->disk, &s->states) && mc_file_new(&s->disk, &s->logs);
    bool good = files && write_table(e);
    if (!good) {
        mc_pile_free(&s->candidates);
        mc_file_free(&s->states);
        mc_file_free(&s->logs);
        return false;
    }
    e->on_disk = true; /* what fails from here on ends the search */
    s->level_first = e->levels_end - e->level_states;
    good = write_chunks(e, &e->level);
    for (uint32_t i = 0; i < e->made && good; i++) {
        good = write_chunks(e, &e->searcher[i]->next) && write_log(e, &e->searcher[i]->log);
        drop_spares(e->searcher[i]);
    }
    return good;
}

/* --- what is left of memory ------------------------------------------------------------------------------------- */

static bool empty_buffers(struct mc_engine *e)
{
    for (uint32_t i = 0; i < e->made; i++) {
        struct mc_searcher *x = e->searcher[i];
        x->candidates = x->candidate ? mc_sort_records(x->candidate, x->candidates) : 0;
        if (!mc_pile_put(&e->spill->candidates, x->candidate, x->candidates)) return false;
        free(x->candidate);
        x->candidate = NULL;
        x->candidates = 0;
    }
    return true;
}

uint64_t mc_left_of_memory(struct mc_engine *e)
{
    struct mc_spill *s = e->spill;
    mc_release(s->cache, 64 * s->cache_lines);
    s->cache = NULL;
    s->cache_lines = 0;
    uint64_t used = mc_measure(e) - e->s.memo_bytes, most = e->space.o.most_memory;
    if (e->space.o.spill_at) return FEW_BYTES;
    return used + LEAST_LEFT < most ? most - used : 0;
}

/* A quarter for candidates, three eighths for the cache, an eighth for what is remembered of actions; the rest is left to
 * values and pairs that are still to come. */
static bool share_out(struct mc_engine *e)
{
    struct mc_spill *s = e->spill;
    if (!empty_buffers(e)) return false;
    uint64_t left = mc_left_of_memory(e), room = left / 4 / e->threads / sizeof(struct mc_record);
    if (!left) return false;
    s->room = room < LEAST_ROOM ? LEAST_ROOM : room > MOST_ROOM ? MOST_ROOM : room;
    s->remembered = left / 16 / e->threads; /* of each kind */
    if (s->remembered < LEAST_REMEMBERED) s->remembered = LEAST_REMEMBERED;
    for (uint32_t i = 0; i < e->made; i++) mc_keep_memory_small(e->searcher[i]);
    s->cache_lines = left * 3 / 8 / 64;
    if (e->space.o.spill_at) {
        s->room = FEW_RECORDS;
        s->cache_lines = FEW_RECORDS;
    }
    if (s->cache_lines > UINT32_MAX) s->cache_lines = UINT32_MAX;
    s->cache = mc_grown(NULL, 0, 64 * s->cache_lines);
    if (!s->cache) return false;
    mc_huge(s->cache, 64 * s->cache_lines);
    return true;
}

static bool spill(struct mc_engine *e)
{
    e->spill->times += !e->on_disk;
    return (e->on_disk || all_to_disk(e)) && share_out(e);
}

/* --- the threads' part ------------------------------------------------------------------------------------------ */

static inline uint64_t *line_of(const struct mc_spill *s, uint64_t home) { return s->cache + home * MC_CACHE_LINE; }

/* Is it there? From now on it is; it may take the place of another one. Other threads do the same at the same time, so what
 * is there may be missed: that costs time, no more. */
static inline bool cached(const struct mc_spill *s, const struct mc_pending *p)
{
    uint64_t *line = line_of(s, p->mixed), wanted = p->root + 1;
    uint32_t same = 0, used = 0;
    for (uint32_t i = 0; i < MC_CACHE_LINE; i++) {
        uint64_t there = __atomic_load_n(&line[i], __ATOMIC_RELAXED); /* a root is all that it says */
        same |= (uint32_t)(there == wanted);
        used += (uint32_t)(there != 0);
    }
    if (same) return true;
    uint32_t at = used < MC_CACHE_LINE ? used : (uint32_t)(mc_mix(p->root) & (MC_CACHE_LINE - 1));
    __atomic_store_n(&line[at], wanted, __ATOMIC_RELAXED);
    return false;
}

/* The buffer is full: with each state once it may be half empty again. */
static bool make_room(struct mc_searcher *x)
{
    struct mc_spill *s = x->e->spill;
    if (!x->candidate) {
        struct mc_record *room = malloc(s->room * sizeof *room);
        __atomic_store_n(&x->candidate, room, __ATOMIC_RELAXED); /* who measures memory looks whether it is there */
        if (!x->candidate) x->e->space.crew.out_of_memory = true;
        return x->candidate != NULL;
    }
    x->candidates = mc_sort_records(x->candidate, x->candidates);
    if (x->candidates < s->room / 2) return true;
    if (!mc_pile_put(&s->candidates, x->candidate, x->candidates)) {
        if (!s->disk.error) x->e->space.crew.out_of_memory = true;
        return false;
    }
    __atomic_fetch_add(&s->times, 1, __ATOMIC_RELAXED);
    x->candidates = 0;
    return true;
}

static void drain(struct mc_searcher *x, uint32_t n)
{
    struct mc_spill *s = x->e->spill;
    if (s->disk.error || x->e->space.crew.out_of_memory) return;
    for (uint32_t i = 0; i < n; i++) {
        const struct mc_pending *p = &x->window[i];
        if (cached(s, p)) continue;
        if ((!x->candidate || x->candidates == s->room) && !make_room(x)) {
            if (s->disk.error) mc_halt(x->e, MC_DISK);
            return;
        }
        x->candidate[x->candidates++] = (struct mc_record){mc_key_of(p->root), (p->owner - s->level_first) << 32 | p->ordinal};
    }
}

static void take(struct mc_searcher *x, uint64_t root, uint32_t ordinal)
{
    struct mc_spill *s = x->e->spill;
    struct mc_pending *p = &x->window[x->window_used++];
    *p = (struct mc_pending){(mc_mix(root) >> 32) * s->cache_lines >> 32, root, x->owner, ordinal};
    __builtin_prefetch(line_of(s, p->mixed), 1, 3);
    if (x->window_used == MC_WINDOW * 2) {
        drain(x, MC_WINDOW);
        memmove(x->window, x->window + MC_WINDOW, sizeof *x->window * MC_WINDOW);
        x->window_used = MC_WINDOW;
    }
}

static const struct mc_spill_ops ops = {
    .may_spill = may_spill,
    .spill = spill,
    .take = take,
    .drain = drain,
    .end_level = end_level,
    .candidates_left = mc_spilled_candidates_left,
    .read_chunk = read_chunk,
    .read_finder = read_finder,
    .each_root = mc_each_run_root,
    .find_stuck = mc_stuck_on_disk,
    .remembered = remembered,
    .measure = measure,
    .error = error_of,
    .free = free_spill,
};

/* That nothing can be written there is better known now than after hours. */
uint32_t mc_spill_into(struct mc_engine *e, const char *folder)
{
    struct mc_spill *s = e->spill ? e->spill : calloc(1, sizeof *s);
    struct mc_file tried;
    if (!s) return ENOMEM;
    e->spill = s;
    e->spills = &ops;
    free(s->disk.folder);
    s->disk.folder = strdup(folder);
    if (!s->disk.folder) return ENOMEM;
    if (!mc_file_new(&s->disk, &tried)) return (uint32_t)s->disk.error;
    mc_file_free(&tried);
    return 0;
}

uint32_t mc_spill_error(const struct mc_engine *e) { return (uint32_t)mc_disk_error(e); }
