/* Follows chains of states with one successor. See chains.h. */
#include "reduce/chains.h"

#include "model/half_state_cache.h"
#include "search/bfs.h"
#include "reduce/symmetry.h"

/* A step from the state that is expanded, kept until it has been followed. */
struct step {
    struct mc_successor of;
    struct mc_fault fault;
    uint64_t first; /* of its changes in `words` */
};

/* The only step of a state, as long as `count` is 1. */
struct only {
    uint32_t count, slot, changed;
    bool fails;
    uint32_t changes[2 * MC_MOST_COMPONENTS + 6];
};

struct mc_chain {
    struct step *step;
    uint64_t steps, steps_room;
    uint32_t *words;
    uint64_t used, words_room;
    struct only only;
    uint32_t changed, component[MC_MOST_COMPONENTS], old[MC_MOST_COMPONENTS]; /* since the state that is expanded */
    uint8_t is_changed[MC_MOST_COMPONENTS];
    uint32_t changes[2 * MC_MOST_COMPONENTS]; /* all of these, for who visits */
};

void mc_pass_chains(struct mc_engine *e, struct mc_chains *c)
{
    c->of = e;
    e->space.chains = c;
}

enum { MOST_EARLY = 1 << 20 };

static int by_root(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

void mc_stop_chains_if_useless(struct mc_engine *e)
{
    struct mc_chains *c = e->space.chains;
    if (!c || c->stopped || !c->stops_after || e->levels_end < c->stops_after || e->levels_end > MOST_EARLY) return;
    if (e->spill.active || e->space.symmetry || 100 * mc_passed_states(e) >= c->worth * e->levels_end) return;
    c->early = mc_all_roots(e);
    if (!c->early) return;
    c->stopped_state = e->levels_end - e->level_states;
    c->stopped_level = e->s.depth;
    c->stopped = 1;
    qsort(c->early, c->stopped_state, sizeof *c->early, by_root);
    for (uint32_t i = 0; i < e->made; i++) {
        struct mc_worker *w = &e->searcher[i]->worker;
        if (mc_halves_new(w)) continue;
        mc_halves_free(w); /* it does without */
        w->halves = NULL;
    }
}

bool mc_early_root(const struct mc_space *s, uint64_t root)
{
    const struct mc_chains *c = s->chains;
    return c && c->stopped && bsearch(&root, c->early, c->stopped_state, sizeof root, by_root);
}

bool mc_early_state(const struct mc_space *s, uint64_t number)
{
    return s->chains && s->chains->stopped && number < s->chains->stopped_state;
}

bool mc_early_level(const struct mc_space *s, uint64_t level)
{
    return s->chains && s->chains->stopped && level < s->chains->stopped_level;
}

void mc_early_free(struct mc_space *s)
{
    if (s->chains) free(s->chains->early);
}

/* Where it takes long to try whether a state has one successor: it is there, so it is kept. */
static bool is_known(const struct mc_space *s, uint64_t root)
{
    const struct mc_engine *e = s->chains->of;
    if (!s->reduction || e->spill.active || s->chains->stopped || __atomic_load_n(&s->chains->cut, __ATOMIC_RELAXED)) return false;
    return mc_find(&e->roots, mc_permute_root(root)) != UINT64_MAX;
}

uint64_t mc_passed_states(const struct mc_engine *e)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < e->made; i++) n += e->searcher[i]->worker.skipped;
    return n;
}

void mc_chain_free(struct mc_worker *w)
{
    if (!w->chain) return;
    free(w->chain->step);
    free(w->chain->words);
    free(w->chain);
}

static bool room_for(struct mc_chain *c, uint32_t changed)
{
    if (c->steps == c->steps_room) {
        uint64_t room = c->steps_room ? 2 * c->steps_room : 64;
        struct step *more = realloc(c->step, room * sizeof *more);
        if (!more) return false;
        c->step = more;
        c->steps_room = room;
    }
    if (c->used + 2ull * changed > c->words_room) {
        uint64_t room = 2 * (c->used + 2ull * changed) + 256;
        uint32_t *more = realloc(c->words, 4 * room);
        if (!more) return false;
        c->words = more;
        c->words_room = room;
    }
    return true;
}

static bool collect(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct mc_chain *c = context;
    if (!room_for(c, s->changed)) {
        w->space->crew.out_of_memory = true;
        return false;
    }
    struct step *x = &c->step[c->steps++];
    x->of = *s;
    x->first = c->used;
    if (s->fault) x->fault = *s->fault;
    if (s->changed) memcpy(c->words + c->used, s->changes, 8ull * s->changed);
    c->used += 2ull * s->changed;
    return true;
}

static bool look_whether_alone(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct only *x = context;
    (void)w;
    if (x->count++) return false;
    x->slot = s->slot;
    x->fails = s->fault != NULL;
    x->changed = s->changed;
    if (s->changed) memcpy(x->changes, s->changes, 8ull * s->changed);
    return true;
}

static void go(struct mc_worker *w, struct mc_chain *c, const uint32_t *changes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t component = changes[2 * i];
        if (!c->is_changed[component]) {
            c->is_changed[component] = 1;
            c->component[c->changed] = component;
            c->old[c->changed++] = w->v[component];
        }
        w->v[component] = changes[2 * i + 1];
    }
}

/* Back to the state that is expanded; what there was to change is in `changes`. */
static void go_back(struct mc_worker *w, struct mc_chain *c)
{
    for (uint32_t i = 0; i < c->changed; i++) {
        uint32_t component = c->component[i];
        c->changes[2 * i] = component;
        c->changes[2 * i + 1] = w->v[component];
        w->v[component] = c->old[i];
        c->is_changed[component] = 0;
    }
}

static uint32_t ready_slots(const struct mc_worker *w)
{
    const struct mc_program *p = &w->space->p;
    uint32_t n = 0;
    for (uint32_t slot = 0; slot < p->slots; slot++) {
        uint32_t component = p->slot_component[slot];
        uint32_t position = mc_values_of(w->space, component)->position[w->v[component]];
        n += position && position < p->first_waiting;
    }
    return n;
}

/* Is there only one step, and may it be passed over? */
static bool passes(struct mc_worker *w, struct mc_chain *c)
{
    const struct mc_space *s = w->space;
    if (!s->reduction && ready_slots(w) > 1) return false;
    c->only.count = 0;
    mc_expand(w, look_whether_alone, &c->only);
    if (c->only.count != 1 || c->only.fails || c->only.slot == MC_NOBODY) return false;
    return !s->chains->keeps[w->at[c->only.slot]];
}

/* From the state after a step to one that is kept. */
static void follow(struct mc_worker *w, struct mc_chain *c, struct mc_successor *s)
{
    struct mc_chains *o = w->space->chains;
    c->changed = 0;
    go(w, c, s->changes, s->changed);
    s->passed = 0;
    while (s->passed < o->longest && passes(w, c)) {
        go(w, c, c->only.changes, c->only.changed);
        s->passed++;
    }
    if (s->passed == o->longest) __atomic_store_n(&o->cut, 1, __ATOMIC_RELAXED);
    go_back(w, c);
    s->changes = c->changes;
    s->changed = c->changed;
}

enum mc_end mc_expand_to_kept(struct mc_worker *w, mc_visit visit, void *context)
{
    if (!w->space->chains || (w->space->chains->stopped && !w->early)) return mc_expand(w, visit, context);
    if (!w->chain) w->chain = calloc(1, sizeof *w->chain);
    struct mc_chain *c = w->chain;
    if (!c) {
        w->space->crew.out_of_memory = true;
        return MC_GOES_ON;
    }
    bool rootless = w->rootless;
    uint16_t at[MC_MOST_SLOTS];
    c->steps = c->used = 0;
    w->rootless = true;
    enum mc_end end = mc_expand(w, collect, c);
    memcpy(at, w->at, sizeof at);
    uint64_t reduced = w->reduced;
    bool enough = false;
    for (uint64_t i = 0; i < c->steps && !enough; i++) {
        struct mc_successor *s = &c->step[i].of;
        if (s->fault) {
            s->fault = &c->step[i].fault;
        } else {
            s->changes = c->words + c->step[i].first;
            bool symmetric = !rootless && w->space->symmetry;
            bool named = !rootless && !symmetric && w->space->reduction, known = false;
            if (named) {
                s->root = mc_root_after(w, s->changes, s->changed);
                known = is_known(w->space, s->root);
            }
            if (!known) {
                w->rootless = true;
                follow(w, c, s);
                w->rootless = rootless;
                w->skipped += s->passed;
                if (symmetric) mc_symmetric_root(w, s);
                else if (!rootless && (s->passed || !named)) s->root = mc_root_after(w, s->changes, s->changed);
            }
        }
        memcpy(w->at, at, sizeof at);
        enough = !visit(w, s, context);
    }
    w->rootless = rootless;
    w->reduced_within += w->reduced - reduced;
    w->reduced = reduced;
    memcpy(w->at, at, sizeof at);
    return end;
}

struct wanted { uint32_t ordinal, passed; bool found; uint64_t root; };

static bool is_wanted(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct wanted *x = context;
    (void)w;
    if (s->ordinal != x->ordinal) return true;
    x->found = !s->fault;
    x->passed = s->passed;
    x->root = s->root;
    return false;
}

uint64_t mc_way_through_chains(struct mc_worker *w, const uint32_t *kept, uint64_t count, uint32_t *ordinals, uint64_t room)
{
    uint64_t length = 0;
    mc_initial(w);
    for (uint64_t i = 0; i < count; i++) {
        struct wanted x = {.ordinal = kept[i]};
        w->early = mc_early_level(w->space, i);
        mc_expand_to_kept(w, is_wanted, &x);
        if (!x.found) length = UINT64_MAX;
        if (!x.found) break;
        for (uint32_t k = 0; k <= x.passed; k++, length++)
            if (length < room) ordinals[length] = k ? 0 : kept[i];
        mc_decode(w, x.root);
    }
    w->early = false;
    return length;
}
