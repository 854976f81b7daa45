/* Partial deadlocks of a search whose states are on disk. What is looked for is told in partial_deadlock.c.
 *
 * All states become one run, and a state is named by its place in it. Steps between states that are not known to be fine are
 * written, brought into the order of the states they lead to, and read again and again, a block at a time, while that
 * marks states as fine: of these there is a bit for each state in memory. For what is left, the slots that may be stuck
 * are two bytes for each state and 16 slots; steps carry the slots that they let go.
 */
#include "disk/partial_deadlock_on_disk.h"

#include "search/partial_deadlock.h"

enum { LEAST_RECORDS = 1 << 12, FEW_RECORDS = 16 };

/* --- all states in one run, and room for the rest ------------------------------------------------------------------ */

static bool join_all(struct mc_engine *e)
{
    struct mc_spill *s = e->spill;
    struct mc_run joined;
    if (s->runs == 1) return true;
    if (!mc_runs_join(&joined, s->run, s->runs, &s->disk, &e->interrupted)) return false;
    for (uint32_t i = 0; i < s->runs; i++) mc_run_free(&s->run[i]);
    s->run[0] = joined;
    s->runs = 1;
    return true;
}

/* The search is over: it needs its buffers and its cache no more. */
static void drop_buffers(struct mc_engine *e)
{
    for (uint32_t i = 0; i < e->made; i++) {
        free(e->searcher[i]->candidate);
        e->searcher[i]->candidate = NULL;
    }
}

static bool begin(struct mc_far *x, struct mc_engine *e)
{
    *x = (struct mc_far){.e = e, .w = &e->searcher[0]->worker};
    if (!join_all(e)) return false;
    drop_buffers(e);
    x->states = e->spill->run[0].count;
    uint64_t bytes = x->states / 8 + 8, room = mc_left_of_memory(e);
    if (room < 2 * bytes) return false;
    x->room = (room - bytes) / 4 / sizeof *x->buffer;
    if (x->room < LEAST_RECORDS) x->room = LEAST_RECORDS;
    if (e->space.o.spill_at) x->room = FEW_RECORDS;
    x->fine = calloc(x->states / 64 + 1, 8);
    x->buffer = malloc(x->room * sizeof *x->buffer);
    return x->fine && x->buffer && mc_pile_new(&e->spill->disk, &x->steps) && mc_run_open(&x->reader, &e->spill->run[0]);
}

static void end(struct mc_far *x)
{
    mc_run_close(&x->reader);
    mc_pile_free(&x->steps);
    free(x->buffer);
    free(x->fine);
    free(x->before);
    free(x->masks);
}

/* --- steps --------------------------------------------------------------------------------------------------------- */

void mc_far_step(struct mc_far *x, uint64_t key, uint64_t value)
{
    if (x->used == x->room) {
        mc_order_records(x->buffer, x->used);
        x->failed |= !mc_pile_put(&x->steps, x->buffer, x->used);
        x->used = 0;
    }
    x->buffer[x->used++] = (struct mc_record){key, value};
}

bool mc_far_order(struct mc_far *x, mc_keeps keep)
{
    struct mc_pile ordered;
    struct mc_merge m = {0};
    struct mc_record r;
    uint64_t looked = 0, count = 0, at = 0;
    mc_order_records(x->buffer, x->used);
    bool good = !x->failed && mc_pile_put(&x->steps, x->buffer, x->used);
    x->used = 0;
    if (!mc_pile_new(&x->e->spill->disk, &ordered)) return false;
    good = good && mc_merge_new(&m, &x->steps, 0, x->room * sizeof r);
    if (good) mc_merge_start(&m);
    mc_run_rewind(&x->reader);
    while (good && mc_merge_next(&m, &r)) {
        if (++looked % MC_FAR_LOOK == 0 && mc_far_stopped(x)) good = false;
        if (!mc_run_seek(&x->reader, r.key)) good = false; /* it cannot be, but for the disk's error */
        r.key = x->reader.at;
        if (!good || !keep(x, &r)) continue;
        x->buffer[x->used++] = r;
        if (x->used < x->room) continue;
        good = mc_file_put(&ordered.file, mc_file_take(&ordered.file, x->used * sizeof r), x->buffer, x->used * sizeof r);
        count += x->used;
        x->used = 0;
    }
    good = good && !m.failed;
    if (good && x->used) {
        good = mc_file_put(&ordered.file, mc_file_take(&ordered.file, x->used * sizeof r), x->buffer, x->used * sizeof r);
        count += x->used;
    }
    x->used = 0;
    mc_merge_free(&m);
    mc_pile_free(&x->steps);
    x->steps = ordered;
    x->steps.part = malloc(sizeof *x->steps.part);
    if (!x->steps.part) return false;
    x->steps.part[0] = (struct mc_part){at, count};
    x->steps.parts = x->steps.room = 1;
    return good;
}

bool mc_far_read(struct mc_far *x, uint64_t (*work)(struct mc_far *x, uint64_t count, bool *changed), bool *changed)
{
    struct mc_part *p = &x->steps.part[0];
    uint64_t kept = 0;
    *changed = false;
    x->e->s.stuck_sweeps++;
    for (uint64_t done = 0; done < p->count;) {
        uint64_t n = p->count - done < x->room ? p->count - done : x->room;
        if (mc_far_stopped(x) || !mc_file_get(&x->steps.file, done * sizeof *x->buffer, x->buffer, n * sizeof *x->buffer)) return false;
        done += n;
        n = work(x, n, changed);
        if (kept + n != done && !mc_file_put(&x->steps.file, kept * sizeof *x->buffer, x->buffer, n * sizeof *x->buffer)) return false;
        kept += n;
    }
    p->count = kept;
    return true;
}

/* --- states that are fine ------------------------------------------------------------------------------------------- */

static bool note_step(struct mc_worker *w, const struct mc_successor *next, void *context)
{
    struct mc_far *x = context;
    (void)w;
    x->fault = next->fault != NULL;
    if (!x->fault) mc_far_step(x, mc_key_of(next->root), x->now);
    return !x->fault && !x->failed;
}

static bool look_at_all(struct mc_far *x)
{
    uint64_t key;
    mc_run_rewind(&x->reader);
    for (x->now = 0; mc_run_next(&x->reader, &key); x->now++) {
        if (x->now % MC_FAR_LOOK == 0 && mc_far_stopped(x)) return false;
        mc_decode(x->w, mc_root_of_key(key));
        x->fault = false;
        bool waits = mc_anybody_waits(x->w);
        x->w->early = mc_is_early_root(&x->e->space, mc_root_of_key(key));
        if (waits) mc_expand_to_kept(x->w, note_step, x);
        x->w->early = false;
        if (!waits || x->fault) mc_set_fine(x, x->now);
        if (mc_memory_of_results(x->w) > x->e->spill->remembered) mc_forget(x->w);
    }
    return !x->reader.failed && !x->failed;
}

static bool keep_unknown(struct mc_far *x, struct mc_record *step)
{
    if (mc_is_fine(x, step->value)) return false;
    if (!mc_is_fine(x, step->key)) return true;
    mc_set_fine(x, step->value);
    return false;
}

/* In a block, states that are found fine are followed backwards at once. */
static void follow_back(struct mc_far *x, uint64_t count, uint64_t state)
{
    uint64_t todo[1024];
    uint32_t n = 0;
    for (todo[n++] = state; n > 0;) {
        uint64_t fine = todo[--n], low = 0, high = count;
        while (low < high) {
            uint64_t middle = low + (high - low) / 2;
            if (x->buffer[middle].key < fine) low = middle + 1;
            else high = middle;
        }
        for (; low < count && x->buffer[low].key == fine; low++) {
            uint64_t from = x->buffer[low].value;
            if (mc_is_fine(x, from)) continue;
            mc_set_fine(x, from);
            if (n < sizeof todo / sizeof *todo) todo[n++] = from; /* else the next sweep follows it */
        }
    }
}

static uint64_t mark_fine(struct mc_far *x, uint64_t count, bool *changed)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++) {
        struct mc_record *r = &x->buffer[i];
        if (mc_is_fine(x, r->value) || !mc_is_fine(x, r->key)) continue;
        mc_set_fine(x, r->value);
        follow_back(x, count, r->value);
        *changed = true;
    }
    for (uint64_t i = 0; i < count; i++)
        if (!mc_is_fine(x, x->buffer[i].value)) x->buffer[kept++] = x->buffer[i];
    return kept;
}

static bool find_fine(struct mc_far *x)
{
    bool changed = true, good = look_at_all(x) && mc_far_order(x, keep_unknown);
    while (good && changed) good = mc_far_read(x, mark_fine, &changed);
    return good;
}

uint32_t mc_stuck_on_disk(struct mc_engine *e, uint64_t *state, uint8_t *slots)
{
    struct mc_far x;
    struct mc_statistics of_search = e->s;
    uint32_t result = 2;
    if (begin(&x, e) && find_fine(&x) && mc_find_stuck_slots(&x)) result = mc_choose_stuck(&x, state, slots);
    end(&x);
    of_search.stuck_sweeps = e->s.stuck_sweeps;
    of_search.stuck_left = e->s.stuck_left;
    of_search.disk_bytes = e->spill->disk.most;
    of_search.disk_written = e->spill->disk.written;
    e->s = of_search; /* its memory is what is told */
    return mc_far_stopped(&x) && result != 1 ? 2 : result;
}
