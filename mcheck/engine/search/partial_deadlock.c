/* Partial deadlocks: processes that wait and that nothing lets go any more.
 *
 * A state is fine if every waiting process (servers, and waits that time or an interrupt can end, do not count) can be
 * let go in some continuation. A state in which nobody waits is fine; so is one with a successor that is fine, since who
 * is not let go on the way there still waits there; and one that can fault. So fine states are found backwards from
 * these, by sweeps over the table: from each state that is not marked yet depth first
 * until a fine one is met. What is left is closed under successors; there the waiting
 * processes are looked at one by one, as the greatest set of (state, slot) that no step contradicts: by sweeps again, in
 * which a state mostly comes after its successors.
 */
#include "search/bfs.h"
#include "search/partial_deadlock.h"

enum { MC_MASK_WORDS = MC_MOST_SLOTS / 64, MC_LINES_AT_ONCE = 256 };

struct mask { uint64_t w[MC_MASK_WORDS]; };

/* A state that a thread is to look at; `open`: it has been expanded, and those above it are its continuations. */
struct look { uint64_t root, entry; bool open; };

struct stuck {
    struct mc_engine *e;
    uint16_t *fine, *visited; /* bits of the entries, line by line */
    uint64_t line, changed;   /* of the sweep */
    uint64_t stack_room;
    _Atomic bool cut; /* a stack was too small: the sweep says nothing of what it did not mark */
    /* the second part: states that are left, and the slots that may be stuck in each */
    uint64_t *left;
    uint32_t *at; /* entry -> index in `left` + 1, by hash */
    uint64_t at_mask, count;
    uint32_t *order; /* in which these are looked at; NULL: as they are */
    struct mask *masks;
    struct mask *now;
};

/* A thread of the sweep. */
struct sweeper {
    struct stuck *s;
    struct mc_worker *w;
    struct look *stack;
    uint64_t depth, changed;
    bool found; /* the state that is looked at has a fine successor */
    pthread_t thread;
};

static bool is_fine(const struct stuck *s, uint64_t entry)
{
    return __atomic_load_n(&s->fine[entry / MC_LINE], __ATOMIC_RELAXED) >> entry % MC_LINE & 1;
}

static bool is_visited(const struct stuck *s, uint64_t entry)
{
    return __atomic_load_n(&s->visited[entry / MC_LINE], __ATOMIC_RELAXED) >> entry % MC_LINE & 1;
}

/* A bit that is set says all there is to know, and is never cleared while others look: so the order does not matter. */
static bool is_settled(const struct stuck *s, uint64_t line, uint32_t i)
{
    uint16_t fine = __atomic_load_n(&s->fine[line], __ATOMIC_RELAXED), visited = __atomic_load_n(&s->visited[line], __ATOMIC_RELAXED);
    return (fine | visited) >> i & 1;
}

/* True if it was not set. */
static bool set_bit(uint16_t *bits, uint64_t entry)
{
    uint16_t bit = (uint16_t)(1u << entry % MC_LINE);
    return !(__atomic_fetch_or(&bits[entry / MC_LINE], bit, __ATOMIC_RELAXED) & bit);
}

static uint64_t entry_of(const struct mc_engine *e, uint64_t root) { return mc_find(&e->store.roots, mc_permute_root(root)); }
static uint64_t root_of(const struct mc_engine *e, uint64_t entry)
{
    return mc_unpermute(mc_mixed_of(&e->store.roots, entry / MC_LINE, e->store.roots.entry[entry]));
}

static void expand_again(struct mc_worker *w, uint64_t root, mc_visit visit, void *context)
{
    w->early = mc_is_early_root(w->space, root);
    mc_expand_to_kept(w, visit, context);
    w->early = false;
}

static bool look_for_fine(struct mc_worker *w, const struct mc_successor *next, void *context)
{
    struct sweeper *x = context;
    struct stuck *s = x->s;
    (void)w;
    uint64_t entry = next->fault ? 0 : entry_of(s->e, next->root);
    x->found = next->fault || is_fine(s, entry);
    if (x->found) return false;
    if (is_visited(s, entry)) return true;
    if (x->depth < s->stack_room) x->stack[x->depth++] = (struct look){next->root, entry, false};
    else s->cut = true;
    return true;
}

/* The open states on the stack lead to a fine one. The sweep comes to the others, or has been there. */
static void all_open_are_fine(struct sweeper *x)
{
    for (uint64_t i = 0; i < x->depth; i++)
        if (x->stack[i].open) x->changed += set_bit(x->s->fine, x->stack[i].entry);
    x->depth = 0;
}

/* From this state on, depth first, until a fine state is met: then the way to it is fine too. */
static void look_from(struct sweeper *x, uint64_t entry)
{
    struct stuck *s = x->s;
    x->depth = 0;
    x->stack[x->depth++] = (struct look){root_of(s->e, entry), entry, false};
    while (x->depth) {
        struct look *top = &x->stack[x->depth - 1];
        if (mc_wanted_alone(&s->e->space.crew)) mc_rest(&s->e->space.crew);
        if (top->open || (!is_fine(s, top->entry) && !set_bit(s->visited, top->entry))) {
            x->depth--;
            continue;
        }
        top->open = true;
        x->found = is_fine(s, top->entry);
        if (!x->found) {
            mc_decode(x->w, top->root);
            if (mc_anybody_waits(x->w)) expand_again(x->w, top->root, look_for_fine, x);
            else x->found = true;
        }
        if (x->found) all_open_are_fine(x);
    }
}

static void *sweep_lines(void *context)
{
    struct sweeper *x = context;
    struct stuck *s = x->s;
    struct mc_engine *e = s->e;
    uint64_t total = e->store.roots.lines + MC_TAIL;
    while (!e->interrupted) {
        uint64_t first = __atomic_fetch_add(&s->line, MC_LINES_AT_ONCE, __ATOMIC_RELAXED);
        if (first >= total) break;
        for (uint64_t l = first; l < first + MC_LINES_AT_ONCE && l < total; l++)
            for (uint32_t i = 0; i < MC_LINE && e->store.roots.entry[l * MC_LINE + i]; i++)
                if (!is_settled(s, l, i) && !e->interrupted) look_from(x, l * MC_LINE + i);
    }
    return NULL;
}

static void *thread_body(void *context)
{
    struct sweeper *x = context;
    sweep_lines(x);
    mc_crew_count(&x->s->e->space.crew, -1);
    return NULL;
}

/* How many states it marked. The threads are a crew: what an execution only tries may have a value that is new. */
static uint64_t sweep(struct stuck *s)
{
    struct mc_engine *e = s->e;
    struct sweeper x[MC_MOST_THREADS] = {0};
    uint32_t n = 0;
    s->line = 0;
    s->cut = false;
    memset(s->visited, 0, 2 * (e->store.roots.lines + MC_TAIL));
    e->space.crew.working = e->made;
    for (; n < e->made; n++) {
        x[n].s = s;
        x[n].w = &e->searcher[n]->worker;
        x[n].stack = malloc(s->stack_room * sizeof *x[n].stack);
        if (!x[n].stack) break;
        if (n && pthread_create(&x[n].thread, NULL, thread_body, &x[n])) {
            free(x[n].stack);
            break;
        }
    }
    for (uint32_t i = n; i < e->made; i++) mc_crew_count(&e->space.crew, -1);
    if (n == 0) e->space.crew.out_of_memory = true;
    else sweep_lines(&x[0]);
    if (n) mc_crew_count(&e->space.crew, -1);
    uint64_t changed = x[0].changed;
    for (uint32_t i = 1; i < n; i++) {
        pthread_join(x[i].thread, NULL);
        changed += x[i].changed;
    }
    e->space.crew.working = 1;
    for (uint32_t i = 0; i < n; i++) free(x[i].stack);
    return changed;
}

static uint64_t home_of_left(const struct stuck *s, uint64_t entry) { return mc_mix(entry) & s->at_mask; }

static uint64_t index_of_left(const struct stuck *s, uint64_t root)
{
    uint64_t i = home_of_left(s, entry_of(s->e, root));
    while (s->at[i]) {
        if (s->left[s->at[i] - 1] == root) return s->at[i] - 1;
        i = (i + 1) & s->at_mask;
    }
    return UINT64_MAX;
}

/* The slots of a mask of the state after a step, as they were before some were exchanged. */
static struct mask before_moves(const struct mc_worker *w, const struct mc_successor *next, struct mask after)
{
    struct mask before = {{0}};
    if (!next->moved) return after;
    for (uint32_t slot = 0; slot < w->space->p.slots; slot++) {
        uint32_t to = next->moved[slot];
        before.w[slot / 64] |= (after.w[to / 64] >> to % 64 & 1) << slot % 64;
    }
    return before;
}

/* Of slots that do the same only the first one's steps are looked at: who is let go by it stands for all of them. */
static void alike_for_twins(const struct mc_worker *w, struct mask *m)
{
    const struct mc_reduction_ops *canonical = w->space->reduction[MC_CANONICAL].ops;
    uint32_t slots = w->space->p.slots;
    for (uint32_t first = 0, end; first < slots; first = end) {
        bool all = m->w[first / 64] >> first % 64 & 1;
        for (end = first + 1; end < slots && canonical->is_twin(w, end); end++) all = all && m->w[end / 64] >> end % 64 & 1;
        for (uint32_t slot = first; slot < end && !all; slot++) m->w[slot / 64] &= ~(1ull << slot % 64);
    }
}

/* Who is let go by this step, or may be let go later, is not stuck here. */
static bool look_for_release(struct mc_worker *w, const struct mc_successor *next, void *context)
{
    struct stuck *s = context;
    struct mask keep = {{0}};
    if (!next->fault) {
        keep = before_moves(w, next, s->masks[index_of_left(s, next->root)]);
        for (uint32_t i = 0; i < next->changed; i++) {
            int32_t slot = w->space->p.component[next->changes[2 * i]].slot;
            if (slot >= 0) keep.w[slot / 64] &= ~(1ull << slot % 64);
        }
    }
    bool any = false;
    for (uint32_t i = 0; i < MC_MASK_WORDS; i++) any |= (s->now->w[i] &= keep.w[i]) != 0;
    return any;
}

static bool list_rest(struct stuck *s)
{
    struct mc_engine *e = s->e;
    struct mc_worker *w = &e->searcher[0]->worker;
    s->left = malloc(8 * s->count);
    s->masks = calloc(s->count, sizeof *s->masks);
    s->at_mask = 63;
    while (s->at_mask < 2 * s->count) s->at_mask = s->at_mask * 2 + 1;
    s->at = calloc(s->at_mask + 1, 4);
    if (!s->left || !s->masks || !s->at) return false;
    uint64_t n = 0;
    for (uint64_t entry = 0; entry < (e->store.roots.lines + MC_TAIL) * MC_LINE; entry++) {
        if (!e->store.roots.entry[entry] || is_fine(s, entry)) continue;
        uint64_t k = home_of_left(s, entry);
        s->left[n] = root_of(e, entry);
        while (s->at[k]) k = (k + 1) & s->at_mask;
        s->at[k] = (uint32_t)++n;
        mc_decode(w, s->left[n - 1]);
        for (uint32_t slot = 0; slot < e->space.p.slots; slot++)
            if (mc_waits_for_partner(w, slot)) s->masks[n - 1].w[slot / 64] |= 1ull << slot % 64;
    }
    return true;
}

/* Indices in `left`, of those that wait to be looked at. */
struct pile { struct stuck *s; uint32_t *at; uint64_t used, room; uint8_t *seen; bool full; };

static bool put_on_pile(struct mc_worker *w, const struct mc_successor *next, void *context)
{
    struct pile *x = context;
    (void)w;
    uint64_t i = next->fault ? UINT64_MAX : index_of_left(x->s, next->root);
    if (i == UINT64_MAX || x->seen[i]) return true;
    if (x->used == x->room) {
        uint32_t *more = realloc(x->at, 8 * x->room);
        x->full = !more;
        if (!more) return false;
        x->at = more;
        x->room *= 2;
    }
    x->at[x->used++] = (uint32_t)i;
    return true;
}

/* A state comes after those of its successors from which the way does not lead back to it. */
static void put_rest_in_order(struct stuck *s)
{
    enum { OPEN = 1, LISTED = 2 };
    struct mc_worker *w = &s->e->searcher[0]->worker;
    struct pile x = {.s = s, .room = 1024};
    uint64_t n = 0;
    s->order = malloc(4 * s->count);
    x.at = malloc(4 * x.room);
    x.seen = calloc(s->count, 1);
    for (uint64_t i = 0; s->order && x.at && x.seen && i < s->count && !x.full && !s->e->interrupted; i++) {
        if (!x.seen[i]) x.at[x.used++] = (uint32_t)i;
        while (x.used && !x.full && !s->e->interrupted) {
            uint32_t top = x.at[x.used - 1];
            if (x.seen[top]) {
                if (x.seen[top] == OPEN) s->order[n++] = top;
                x.seen[top] = LISTED;
                x.used--;
                continue;
            }
            x.seen[top] = OPEN;
            mc_decode(w, s->left[top]);
            expand_again(w, s->left[top], put_on_pile, &x);
        }
    }
    free(x.at);
    free(x.seen);
    if (n == s->count) return;
    free(s->order);
    s->order = NULL;
}

static void look_at_rest(struct stuck *s)
{
    struct mc_engine *e = s->e;
    struct mc_worker *w = &e->searcher[0]->worker;
    for (bool changed = true; changed && !e->interrupted;) {
        changed = false;
        e->s.stuck_sweeps++;
        for (uint64_t k = 0; k < s->count && !e->interrupted; k++) {
            uint64_t i = s->order ? s->order[k] : k;
            struct mask before = s->masks[i], now = before;
            mc_decode(w, s->left[i]);
            s->now = &now;
            expand_again(w, s->left[i], look_for_release, s);
            if (mc_is_attached(&e->space, MC_CANONICAL)) alike_for_twins(w, &now);
            if (memcmp(&now, &before, sizeof now)) {
                s->masks[i] = now;
                changed = true;
            }
        }
    }
}

static int stuck_in(const struct stuck *s, uint64_t index)
{
    int n = 0;
    for (uint32_t k = 0; k < MC_MASK_WORDS; k++) n += __builtin_popcountll(s->masks[index].w[k]);
    return n;
}

/* Of all, the first with the most stuck processes: there it can be seen who waits for whom. */
static uint32_t choose(struct stuck *s, uint64_t *state, uint8_t *slots)
{
    struct mc_engine *e = s->e;
    int most = 0;
    for (uint64_t i = 0; i < s->count; i++)
        if (stuck_in(s, i) > most) most = stuck_in(s, i);
    if (!most) return 0;
    uint64_t *roots = mc_all_roots(e);
    if (!roots) return 2;
    for (uint64_t n = 0; n < e->levels_end; n++) {
        if (is_fine(s, entry_of(e, roots[n]))) continue;
        uint64_t i = index_of_left(s, roots[n]);
        if (stuck_in(s, i) < most) continue;
        *state = n;
        for (uint32_t slot = 0; slot < e->space.p.slots; slot++) slots[slot] = s->masks[i].w[slot / 64] >> slot % 64 & 1;
        break;
    }
    free(roots);
    return 1;
}

uint32_t mc_stuck(struct mc_engine *e, uint64_t *state, uint8_t *slots)
{
    struct stuck s = {.e = e, .stack_room = 1 << 16};
    uint32_t result = 0;
    double begin = mc_now();
    e->interrupted = 0;
    if (e->on_disk && mc_is_attached(&e->space, MC_CANONICAL)) return 2; /* slots on disk are not exchanged */
    if (e->on_disk) {
        result = e->spills->find_stuck(e, state, slots);
        e->s.seconds += mc_now() - begin;
        return result;
    }
    s.fine = calloc(e->store.roots.lines + MC_TAIL, 2);
    s.visited = calloc(e->store.roots.lines + MC_TAIL, 2);
    uint64_t fine = 0, changed = 1;
    bool memory = s.fine && s.visited;
    while (memory && fine < e->levels_end && !e->interrupted) {
        changed = sweep(&s);
        fine += changed;
        e->s.stuck_sweeps++;
        memory = !e->space.crew.out_of_memory;
        if (!changed && !s.cut) break;
        if (!changed) s.stack_room *= 8;
    }
    s.count = e->levels_end - fine;
    e->s.stuck_left = s.count;
    if (memory && s.count && !e->interrupted) {
        memory = list_rest(&s);
        if (memory) put_rest_in_order(&s);
        if (memory) look_at_rest(&s);
        if (memory && !e->interrupted) result = choose(&s, state, slots);
    }
    if (e->interrupted || !memory) result = 2;
    free(s.fine);
    free(s.visited);
    free(s.left);
    free(s.masks);
    free(s.at);
    free(s.order);
    e->s.seconds += mc_now() - begin;
    return result;
}
