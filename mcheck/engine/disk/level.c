/* The end of a level whose candidates, or whose predecessors, are on disk: which candidates are new. */
#include "disk/spill.h"

enum { LOOK = 4096, STATES_AT_ONCE = 1024, MERGE_SHARE = 8 };

/* Runs are read beside the candidates, and what is new is written. */
struct level_end {
    struct mc_engine *e;
    struct mc_run_reader *old;
    uint32_t opened;
    struct mc_run made;
    struct mc_run_writer writer;
    struct mc_record *states; /* that are not written yet */
    uint64_t used, found;
    bool memory;
};

bool mc_spilled_candidates_left(const struct mc_engine *e)
{
    if (e->on_disk && e->spill->candidates.parts) return true;
    for (uint32_t i = 0; i < e->made; i++)
        if (e->searcher[i]->candidates) return true;
    return false;
}

static bool begin(struct level_end *x, struct mc_engine *e)
{
    memset(x, 0, sizeof *x);
    x->e = e;
    x->memory = mc_run_begin(&x->writer, &x->made, &e->spill->disk);
    x->states = malloc(STATES_AT_ONCE * sizeof *x->states);
    x->old = calloc(e->spill->runs + 1ull, sizeof *x->old);
    x->memory &= x->states && x->old;
    for (; x->memory && x->opened < e->spill->runs; x->opened++) x->memory = mc_run_open(&x->old[x->opened], &e->spill->run[x->opened]);
    return x->memory;
}

static void end(struct level_end *x)
{
    for (uint32_t i = 0; i < x->opened; i++) mc_run_close(&x->old[i]);
    free(x->old);
    free(x->states);
}

static bool write_states(struct level_end *x)
{
    struct mc_file *f = &x->e->spill->states;
    uint64_t bytes = x->used * sizeof *x->states;
    x->used = 0;
    return bytes == 0 || mc_file_put(f, mc_file_take(f, bytes), x->states, bytes);
}

static bool is_old(struct level_end *x, uint64_t key)
{
    for (uint32_t i = x->opened; i-- > 0;)
        if (mc_run_seek(&x->old[i], key)) return true;
    return false;
}

/* Something stops it, or fails. */
static bool must_stop(struct level_end *x)
{
    struct mc_engine *e = x->e;
    if (e->interrupted) mc_halt(e, MC_INTERRUPTED);
    if (mc_now() > e->until) mc_halt(e, MC_TIME);
    return e->interrupted || mc_now() > e->until || e->spill->disk.error;
}

/* Those that are new, in order. False: it was stopped. */
static bool write_new(struct level_end *x, struct mc_merge *m)
{
    struct mc_record r, last = {0, 0};
    uint64_t looked = 0;
    while (mc_merge_next(m, &r)) {
        bool same = looked && r.key == last.key;
        last = r;
        if (++looked % LOOK == 0 && must_stop(x)) return false;
        if (same || is_old(x, r.key)) continue;
        mc_run_add(&x->writer, r.key);
        x->states[x->used++] = (struct mc_record){mc_root_of_key(r.key), r.value};
        x->found++;
        if (x->used == STATES_AT_ONCE && !write_states(x)) return false;
    }
    x->memory = !x->writer.failed || x->e->spill->disk.error;
    return !m->failed && !x->writer.failed && write_states(x) && !x->e->spill->disk.error;
}

static bool merge(struct level_end *x)
{
    struct mc_engine *e = x->e;
    struct mc_merge m;
    uint64_t bytes = e->spill->room * sizeof(struct mc_record) * e->threads / MERGE_SHARE;
    bool done = false;
    x->memory = mc_merge_new(&m, &e->spill->candidates, e->made, bytes);
    if (x->memory) {
        for (uint32_t i = 0; i < e->made; i++) {
            struct mc_searcher *s = e->searcher[i];
            s->candidates = s->candidate ? mc_sort_records(s->candidate, s->candidates) : 0;
            mc_merge_add(&m, s->candidate, s->candidates);
        }
        mc_merge_start(&m);
        done = write_new(x, &m);
    }
    mc_merge_free(&m);
    return done;
}

/* Runs grow towards the first, so that there are few: each has at least twice the states of the next. */
static bool join_runs(struct mc_engine *e)
{
    struct mc_spill *s = e->spill;
    uint64_t last = 0;
    uint32_t n = 0;
    while (n < s->runs && (n == 0 || s->run[s->runs - 1 - n].count < 2 * last)) last += s->run[s->runs - 1 - n++].count;
    if (n < 2) return true;
    struct mc_run joined, *from = &s->run[s->runs - n];
    if (!mc_runs_join(&joined, from, n, &s->disk, &e->interrupted)) return !s->disk.error;
    for (uint32_t i = 0; i < n; i++) mc_run_free(&from[i]);
    s->runs -= n - 1;
    *from = joined;
    return true;
}

/* The new states get their numbers. `at`: where they are in the file. */
static bool take_new(struct mc_engine *e, uint64_t at, uint64_t count)
{
    if (!mc_add_mark(e, (struct mc_mark){e->levels_end, at, e->spill->level_first, MC_ON_DISK})) return false;
    for (uint64_t done = 0; done < count; done += MC_CHUNK) {
        uint64_t n = count - done < MC_CHUNK ? count - done : MC_CHUNK;
        struct mc_chunk c = {e->levels_end + done, (uint32_t)n, 0, NULL, at + done * sizeof(struct mc_record)};
        if (!mc_add_chunk(&e->level, c)) return false;
    }
    e->levels_end += count;
    e->level_states += count;
    return true;
}

bool mc_spilled_level(struct mc_engine *e)
{
    struct mc_spill *s = e->spill;
    struct level_end x;
    if (!mc_spilled_candidates_left(e)) return true;
    uint64_t at = s->states.used;
    bool done = begin(&x, e) && merge(&x);
    end(&x);
    x.writer.failed |= !done;
    done = mc_run_end(&x.writer) && done;
    if (s->disk.error) mc_halt(e, MC_DISK);
    if (!done) {
        mc_file_cut(&s->states, at);
        return x.memory || s->disk.error;
    }
    if (x.found == 0) mc_run_free(&x.made);
    else if (!mc_add_run(e, &x.made) || !take_new(e, at, x.found)) return false;
    mc_pile_clear(&s->candidates);
    for (uint32_t i = 0; i < e->made; i++) e->searcher[i]->candidates = 0;
    if (!join_runs(e)) mc_halt(e, MC_DISK);
    return true;
}

bool mc_each_run_root(struct mc_engine *e, void (*visit)(uint64_t root, void *context), void *context)
{
    bool good = true;
    for (uint32_t i = 0; i < e->spill->runs && good; i++) {
        struct mc_run_reader r;
        uint64_t key;
        good = mc_run_open(&r, &e->spill->run[i]);
        while (good && !e->interrupted && mc_run_next(&r, &key)) visit(mc_root_of_key(key), context);
        good &= !r.failed;
        mc_run_close(&r);
    }
    return good && !e->interrupted;
}
