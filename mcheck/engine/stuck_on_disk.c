/* Partial deadlocks of a search whose states are on disk. What is looked for is told in stuck.c.
 *
 * All states become one run, and a state is named by its place in it. Steps between states that are not known to be fine are
 * written, brought into the order of the states they lead to, and read again and again, a block at a time, while that
 * marks states as fine: of these there is a bit for each state in memory. For what is left, the slots that may be stuck
 * are two bytes for each state and 16 slots; steps carry the slots that they let go.
 */
#include "search.h"
#include "stuck.h"

enum { SLOTS = 256, GROUP = 16, LEAST_RECORDS = 1 << 12, FEW_RECORDS = 16, LOOK = 1 << 12, RANK_BITS = 512 };

struct far {
    struct mc_engine *e;
    struct mc_worker *w;
    struct mc_run_reader reader;
    struct mc_pile steps;     /* key: the state they lead to; value: the state they start from */
    struct mc_record *buffer; /* of steps; later a block of them */
    uint64_t used, room;
    uint64_t *fine;           /* a bit for each state */
    uint64_t states, now;     /* how many; the one that is looked at */
    bool failed, fault;
    /* what is left: states by their number among the left */
    uint64_t *before; /* how many are left before each RANK_BITS states */
    uint64_t left, rank;
    uint8_t slot[SLOTS];  /* that wait somewhere, in groups of GROUP */
    uint32_t slots;
    const uint8_t *group; /* that is looked at */
    uint16_t *masks, *group_masks;
};

static bool is_fine(const struct far *x, uint64_t state) { return x->fine[state / 64] >> state % 64 & 1; }
static void set_fine(struct far *x, uint64_t state) { x->fine[state / 64] |= 1ull << state % 64; }
static bool stopped(const struct far *x) { return x->e->interrupted || x->e->spill.disk.error || x->e->space.crew.out_of_memory; }

/* --- all states in one run, and room for the rest ------------------------------------------------------------------ */

static bool join_all(struct mc_engine *e)
{
    struct mc_spill *s = &e->spill;
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

static bool begin(struct far *x, struct mc_engine *e)
{
    *x = (struct far){.e = e, .w = &e->searcher[0]->worker};
    if (!join_all(e)) return false;
    drop_buffers(e);
    x->states = e->spill.run[0].count;
    uint64_t bytes = x->states / 8 + 8, room = mc_left_of_memory(e);
    if (room < 2 * bytes) return false;
    x->room = (room - bytes) / 4 / sizeof *x->buffer;
    if (x->room < LEAST_RECORDS) x->room = LEAST_RECORDS;
    if (e->space.o.spill_at) x->room = FEW_RECORDS;
    x->fine = calloc(x->states / 64 + 1, 8);
    x->buffer = malloc(x->room * sizeof *x->buffer);
    return x->fine && x->buffer && mc_pile_new(&e->spill.disk, &x->steps) && mc_run_open(&x->reader, &e->spill.run[0]);
}

static void end(struct far *x)
{
    mc_run_close(&x->reader);
    mc_pile_free(&x->steps);
    free(x->buffer);
    free(x->fine);
    free(x->before);
    free(x->masks);
}

/* --- steps --------------------------------------------------------------------------------------------------------- */

static void add_step(struct far *x, uint64_t key, uint64_t value)
{
    if (x->used == x->room) {
        mc_order_records(x->buffer, x->used);
        x->failed |= !mc_pile_put(&x->steps, x->buffer, x->used);
        x->used = 0;
    }
    x->buffer[x->used++] = (struct mc_record){key, value};
}

/* What comes of each step, its end named by its place: it stays (perhaps changed), or it goes. */
typedef bool (*keeps)(struct far *x, struct mc_record *step);

/* From the parts of the pile to one part, whose keys are places. */
static bool order_steps(struct far *x, keeps keep)
{
    struct mc_pile ordered;
    struct mc_merge m = {0};
    struct mc_record r;
    uint64_t looked = 0, count = 0, at = 0;
    mc_order_records(x->buffer, x->used);
    bool good = !x->failed && mc_pile_put(&x->steps, x->buffer, x->used);
    x->used = 0;
    if (!mc_pile_new(&x->e->spill.disk, &ordered)) return false;
    good = good && mc_merge_new(&m, &x->steps, 0, x->room * sizeof r);
    if (good) mc_merge_start(&m);
    mc_run_rewind(&x->reader);
    while (good && mc_merge_next(&m, &r)) {
        if (++looked % LOOK == 0 && stopped(x)) good = false;
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

/* All steps once, block by block; those that `work` keeps stay. False: stopped. `*changed`: it pays to do it again. */
static bool read_steps(struct far *x, uint64_t (*work)(struct far *x, uint64_t count, bool *changed), bool *changed)
{
    struct mc_part *p = &x->steps.part[0];
    uint64_t kept = 0;
    *changed = false;
    x->e->s.stuck_sweeps++;
    for (uint64_t done = 0; done < p->count;) {
        uint64_t n = p->count - done < x->room ? p->count - done : x->room;
        if (stopped(x) || !mc_file_get(&x->steps.file, done * sizeof *x->buffer, x->buffer, n * sizeof *x->buffer)) return false;
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
    struct far *x = context;
    (void)w;
    x->fault = next->fault != NULL;
    if (!x->fault) add_step(x, mc_key_of(next->root), x->now);
    return !x->fault && !x->failed;
}

static bool look_at_all(struct far *x)
{
    uint64_t key;
    mc_run_rewind(&x->reader);
    for (x->now = 0; mc_run_next(&x->reader, &key); x->now++) {
        if (x->now % LOOK == 0 && stopped(x)) return false;
        mc_decode(x->w, mc_root_of_key(key));
        x->fault = false;
        bool waits = mc_anybody_waits(x->w);
        if (waits) mc_expand(x->w, note_step, x);
        if (!waits || x->fault) set_fine(x, x->now);
        if (mc_memory_of_results(x->w) > x->e->spill.remembered) mc_forget(x->w);
    }
    return !x->reader.failed && !x->failed;
}

static bool keep_unknown(struct far *x, struct mc_record *step)
{
    if (is_fine(x, step->value)) return false;
    if (!is_fine(x, step->key)) return true;
    set_fine(x, step->value);
    return false;
}

/* In a block, states that are found fine are followed backwards at once. */
static void follow_back(struct far *x, uint64_t count, uint64_t state)
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
            if (is_fine(x, from)) continue;
            set_fine(x, from);
            if (n < sizeof todo / sizeof *todo) todo[n++] = from; /* else the next sweep follows it */
        }
    }
}

static uint64_t mark_fine(struct far *x, uint64_t count, bool *changed)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++) {
        struct mc_record *r = &x->buffer[i];
        if (is_fine(x, r->value) || !is_fine(x, r->key)) continue;
        set_fine(x, r->value);
        follow_back(x, count, r->value);
        *changed = true;
    }
    for (uint64_t i = 0; i < count; i++)
        if (!is_fine(x, x->buffer[i].value)) x->buffer[kept++] = x->buffer[i];
    return kept;
}

static bool find_fine(struct far *x)
{
    bool changed = true, good = look_at_all(x) && order_steps(x, keep_unknown);
    while (good && changed) good = read_steps(x, mark_fine, &changed);
    return good;
}

/* --- what is left ----------------------------------------------------------------------------------------------------- */

static uint64_t rank_of(const struct far *x, uint64_t state)
{
    uint64_t n = x->before[state / RANK_BITS];
    for (uint64_t i = state / RANK_BITS * (RANK_BITS / 64); i < state / 64; i++) n += (uint64_t)__builtin_popcountll(~x->fine[i]);
    return n + (uint64_t)__builtin_popcountll(~x->fine[state / 64] & ((1ull << state % 64) - 1));
}

static bool count_left(struct far *x)
{
    x->before = malloc(8 * (x->states / RANK_BITS + 1));
    if (!x->before) return false;
    for (uint64_t i = 0; i < x->states; i++) {
        if (i % RANK_BITS == 0) x->before[i / RANK_BITS] = x->left;
        x->left += !is_fine(x, i);
    }
    x->e->s.stuck_left = x->left;
    return true;
}

/* Each state that is left, in `w`. */
static bool each_left(struct far *x, void (*look)(struct far *x))
{
    uint64_t key;
    mc_run_rewind(&x->reader);
    x->rank = 0;
    for (x->now = 0; mc_run_next(&x->reader, &key); x->now++) {
        if (x->now % LOOK == 0 && stopped(x)) return false;
        if (is_fine(x, x->now)) continue;
        mc_decode(x->w, mc_root_of_key(key));
        look(x);
        x->rank++;
    }
    return !x->reader.failed && !x->failed;
}

static void note_slots(struct far *x)
{
    for (uint32_t slot = 0; slot < x->e->space.p.slots; slot++) {
        bool known = false;
        if (!mc_waits_for_partner(x->w, slot)) continue;
        for (uint32_t i = 0; i < x->slots; i++) known |= x->slot[i] == slot;
        if (!known) x->slot[x->slots++] = (uint8_t)slot;
    }
}

static uint32_t in_group(const struct far *x) /* slots */
{
    uint32_t rest = x->slots - (uint32_t)(x->group - x->slot);
    return rest < GROUP ? rest : GROUP;
}

static bool note_release(struct mc_worker *w, const struct mc_successor *next, void *context)
{
    struct far *x = context;
    uint32_t released = 0;
    for (uint32_t i = 0; i < next->changed; i++) {
        int32_t slot = w->space->p.component[next->changes[2 * i]].slot;
        for (uint32_t k = 0; k < in_group(x) && slot >= 0; k++) released |= (uint32_t)(x->group[k] == slot) << k;
    }
    add_step(x, mc_key_of(next->root), x->rank << GROUP | released); /* no step of it can fault: it would be fine */
    return !x->failed;
}

static void note_releases(struct far *x)
{
    uint32_t mask = 0;
    for (uint32_t k = 0; k < in_group(x); k++) mask |= (uint32_t)mc_waits_for_partner(x->w, x->group[k]) << k;
    x->group_masks[x->rank] = (uint16_t)mask;
    if (mask) mc_expand(x->w, note_release, x);
    if (mc_memory_of_results(x->w) > x->e->spill.remembered) mc_forget(x->w);
}

static bool name_by_rank(struct far *x, struct mc_record *step)
{
    step->key = rank_of(x, step->key); /* what is left leads to what is left */
    return true;
}

static uint64_t let_go(struct far *x, uint64_t count, bool *changed)
{
    uint64_t kept = 0;
    for (bool more = true; more;) {
        more = false;
        for (uint64_t i = 0; i < count; i++) {
            const struct mc_record *r = &x->buffer[i];
            uint16_t *mask = &x->group_masks[r->value >> GROUP], stays = (uint16_t)(x->group_masks[r->key] & ~r->value);
            if (!(*mask & ~stays)) continue;
            *mask &= stays;
            more = *changed = true;
        }
    }
    for (uint64_t i = 0; i < count; i++)
        if (x->group_masks[x->buffer[i].value >> GROUP]) x->buffer[kept++] = x->buffer[i];
    return kept;
}

static bool find_stuck_slots(struct far *x)
{
    if (!count_left(x) || (x->left && !each_left(x, note_slots))) return false;
    uint32_t groups = (x->slots + GROUP - 1) / GROUP;
    bool good = true;
    if (x->left == 0 || groups == 0) return true;
    if (mc_left_of_memory(x->e) < 2 * x->left * groups) return false;
    x->masks = malloc(2 * x->left * groups);
    if (!x->masks) return false;
    for (uint32_t g = 0; g < groups && good; g++) {
        bool changed = true;
        x->group = x->slot + g * GROUP;
        x->group_masks = x->masks + x->left * g;
        mc_pile_free(&x->steps);
        good = mc_pile_new(&x->e->spill.disk, &x->steps) && each_left(x, note_releases) && order_steps(x, name_by_rank);
        while (good && changed) good = read_steps(x, let_go, &changed);
    }
    return good;
}

/* --- the state that is told ------------------------------------------------------------------------------------------- */

static uint32_t stuck_in(const struct far *x, uint64_t rank)
{
    uint32_t n = 0;
    for (uint32_t g = 0; g * GROUP < x->slots; g++) n += (uint32_t)__builtin_popcount(x->masks[x->left * g + rank]);
    return n;
}

struct wanted { struct far *x; uint32_t most; uint64_t number; uint8_t *slots; bool found; };

static bool is_it(uint64_t root, uint64_t number, void *context)
{
    struct wanted *want = context;
    struct far *x = want->x;
    mc_run_rewind(&x->reader);
    if (!mc_run_seek(&x->reader, mc_key_of(root)) || is_fine(x, x->reader.at)) return true;
    uint64_t rank = rank_of(x, x->reader.at);
    if (stuck_in(x, rank) < want->most) return true;
    want->number = number;
    want->found = true;
    for (uint32_t i = 0; i < x->slots; i++) want->slots[x->slot[i]] = x->masks[x->left * (i / GROUP) + rank] >> i % GROUP & 1;
    return false;
}

/* Of all, the first with the most stuck processes, as in memory. */
static uint32_t choose(struct far *x, uint64_t *state, uint8_t *slots)
{
    struct wanted want = {x, 0, 0, slots, false};
    for (uint64_t i = 0; i < x->left && x->masks; i++)
        if (stuck_in(x, i) > want.most) want.most = stuck_in(x, i);
    if (!want.most) return 0;
    memset(slots, 0, x->e->space.p.slots);
    bool good = mc_each_by_number(x->e, is_it, &want);
    *state = want.number;
    return want.found ? 1 : good ? 0 : 2;
}

uint32_t mc_stuck_on_disk(struct mc_engine *e, uint64_t *state, uint8_t *slots)
{
    struct far x;
    uint32_t result = 2;
    if (begin(&x, e) && find_fine(&x) && find_stuck_slots(&x)) result = choose(&x, state, slots);
    end(&x);
    return stopped(&x) && result != 1 ? 2 : result;
}
