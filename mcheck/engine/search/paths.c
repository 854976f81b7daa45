/* The way to a state, from the log of a breadth-first search; and the states themselves. */
#include "search/path_log.h"

static const struct mc_mark *mark_of(const struct mc_engine *e, uint64_t state)
{
    uint64_t low = 0, high = e->marks_count;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (e->marks[middle].first <= state) low = middle;
        else high = middle;
    }
    return &e->marks[low];
}

/* Who found it, and by which successor. */
static bool read_finder(const struct mc_engine *e, uint64_t state, struct mc_steps *r)
{
    const struct mc_mark *m = mark_of(e, state);
    if (m->searcher == MC_ON_DISK) {
        r->at = NULL;
        return e->spills->read_finder(e, m, state, &r->owner, &r->ordinal);
    }
    mc_start_reading(e, m, r);
    for (uint64_t i = m->first; i <= state; i++) mc_next_step(r);
    return true;
}

uint64_t mc_path_to(struct mc_engine *e, uint64_t state, uint32_t *ordinals, uint64_t room)
{
    const struct mc_reduction_ops *passes = e->space.reduction[MC_PASS].ops;
    uint64_t length = 0, used = 0, most = 0;
    uint32_t *backwards = NULL;
    for (; state != 0; length++) {
        struct mc_steps r;
        if (!read_finder(e, state, &r)) {
            free(backwards);
            return UINT64_MAX;
        }
        if (used == most) {
            most = most ? most * 2 : 64;
            uint32_t *more = realloc(backwards, 4 * most);
            if (!more) {
                free(backwards);
                return UINT64_MAX;
            }
            backwards = more;
        }
        backwards[used++] = r.ordinal;
        state = r.owner;
    }
    for (uint64_t i = 0; i < used / 2; i++) {
        uint32_t last = backwards[used - 1 - i];
        backwards[used - 1 - i] = backwards[i];
        backwards[i] = last;
    }
    if (passes) length = passes->unfold(&e->searcher[0]->worker, backwards, used, ordinals, room);
    else if (used && room) memcpy(ordinals, backwards, 4 * (used < room ? used : room));
    free(backwards);
    return length;
}

/* Of one state's successors those that the log names, in the order of their ordinals. */
struct named { const uint32_t *ordinal; uint64_t *root; uint32_t count, found; };

static bool take_named(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct named *x = context;
    (void)w;
    if (s->ordinal == x->ordinal[x->found]) x->root[x->found++] = s->root;
    return x->found < x->count;
}

void mc_expand_named(struct mc_worker *w, const uint32_t *ordinal, uint64_t *root, uint32_t count)
{
    struct named x = {ordinal, root, count, 0};
    mc_expand_to_kept(w, take_named, &x);
}

uint64_t *mc_all_roots(struct mc_engine *e)
{
    struct mc_worker *w = &e->searcher[0]->worker;
    uint64_t *root = malloc(8 * e->levels_end);
    uint32_t *ordinals = NULL, room = 0;
    if (!root) return NULL;
    root[0] = mc_initial(w);
    for (uint64_t k = 0; k < e->marks_count; k++) {
        uint64_t end = k + 1 < e->marks_count ? e->marks[k + 1].first : e->levels_end;
        struct mc_steps r;
        mc_start_reading(e, &e->marks[k], &r);
        uint64_t n = e->marks[k].first;
        if (n < end) mc_next_step(&r);
        while (n < end) {
            uint64_t owner = r.owner;
            uint32_t count = 0;
            do {
                if (count == room) {
                    room = room ? room * 2 : 64;
                    uint32_t *more = realloc(ordinals, 4ull * room);
                    if (!more) {
                        free(ordinals);
                        free(root);
                        return NULL;
                    }
                    ordinals = more;
                }
                ordinals[count++] = r.ordinal;
                if (n + count < end) mc_next_step(&r);
            } while (n + count < end && r.owner == owner);
            mc_decode(w, root[owner]);
            w->early = mc_is_early_state(&e->space, owner);
            mc_expand_named(w, ordinals, root + n, count);
            n += count;
        }
    }
    w->early = false;
    free(ordinals);
    return root;
}

struct wanted { uint32_t ordinal; bool found; uint64_t root; uint32_t elapsed; };

static bool is_wanted(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct wanted *x = context;
    (void)w;
    if (s->ordinal != x->ordinal) return true;
    x->found = !s->fault;
    x->root = s->root;
    x->elapsed = s->elapsed;
    return false;
}

uint32_t mc_blocks_along(struct mc_engine *e, const uint32_t *ordinals, uint64_t count, uint8_t *blocks)
{
    struct mc_worker *w = &e->searcher[0]->worker;
    const struct mc_reduction_ops *canonical = e->space.reduction[MC_CANONICAL].ops;
    if (canonical) return canonical->unwind(w, ordinals, count, blocks, NULL);
    mc_initial(w);
    mc_put_state(w, blocks);
    for (uint64_t i = 0; i < count; i++) {
        struct wanted x = {ordinals[i], false, 0, 0};
        mc_expand(w, is_wanted, &x);
        if (!x.found) return 0;
        mc_decode(w, x.root);
        mc_put_state(w, blocks + (i + 1) * e->space.p.block_size);
    }
    return 1;
}

uint32_t mc_roots_along(struct mc_engine *e, const uint32_t *ordinals, uint64_t count, uint64_t *roots)
{
    struct mc_worker w;
    bool good = mc_worker_new(&w, &e->space);
    if (good) roots[0] = mc_initial(&w);
    for (uint64_t i = 0; i < count && good; i++) {
        struct wanted x = {ordinals[i], false, 0, 0};
        mc_expand(&w, is_wanted, &x);
        good = x.found;
        roots[i + 1] = x.root;
        if (good) mc_decode(&w, x.root);
    }
    mc_worker_free(&w);
    return good;
}

uint32_t mc_elapsed_along(struct mc_engine *e, const uint32_t *ordinals, uint64_t count, uint32_t *elapsed)
{
    struct mc_worker w;
    bool good = mc_worker_new(&w, &e->space);
    if (good) mc_initial(&w);
    for (uint64_t i = 0; i < count && good; i++) {
        struct wanted x = {ordinals[i], false, 0, 0};
        mc_expand(&w, is_wanted, &x);
        good = x.found;
        elapsed[i] = x.elapsed;
        if (good) mc_decode(&w, x.root);
    }
    mc_worker_free(&w);
    return good;
}

bool mc_each_root(struct mc_engine *e, void (*visit)(uint64_t root, void *context), void *context)
{
    if (e->on_disk) return e->spills->each_root(e, visit, context);
    for (uint64_t l = 0; l < e->store.roots.lines + MC_TAIL; l++) {
        for (uint32_t i = 0; i < MC_LINE; i++) {
            uint32_t entry = e->store.roots.entry[l * MC_LINE + i];
            if (!entry || e->interrupted) break;
            visit(mc_unpermute(mc_mixed_of(&e->store.roots, l, entry)), context);
        }
    }
    return e->levels_end && !e->interrupted;
}

struct shown { struct mc_worker *w; void (*visit)(const uint8_t *block, void *context); void *context; };

static void show_block(uint64_t root, void *context)
{
    struct shown *x = context;
    mc_decode(x->w, root);
    mc_put_state(x->w, x->w->before);
    x->visit(x->w->before, x->context);
}

void mc_all_states(struct mc_engine *e, void (*visit)(const uint8_t *block, void *context), void *context)
{
    struct shown x = {&e->searcher[0]->worker, visit, context};
    e->interrupted = 0;
    mc_each_root(e, show_block, &x);
}
