/* Follows chains of states with one successor. See chains.h. */
#include "reduce/chains.h"

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

struct chain {
    struct step *step;
    uint64_t steps, steps_room;
    uint32_t *words;
    uint64_t used, words_room;
    struct only only;
    uint32_t changed, component[MC_MOST_COMPONENTS], old[MC_MOST_COMPONENTS]; /* since the state that is expanded */
    uint8_t is_changed[MC_MOST_COMPONENTS];
    uint32_t changes[2 * MC_MOST_COMPONENTS]; /* all of these, for who visits */
};

/* Of the space. */
struct chains {
    struct mc_chains *o;
    bool (*is_known)(const struct mc_engine *e, uint64_t root);
};

static const struct chains *of_space(const struct mc_space *s) { return s->reduction[MC_PASS].state; }
static struct mc_chains *options_of(const struct mc_space *s) { return of_space(s)->o; }

enum { MOST_EARLY = 1 << 20 };

static int by_root(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Is hardly any state passed? */
static void give_up_if_useless(struct mc_space *s, const struct mc_level *l)
{
    struct mc_chains *c = options_of(s);
    if (c->stopped || !c->stops_after || l->states < c->stops_after || l->states > MOST_EARLY) return;
    if (!l->in_memory || mc_is_attached(s, MC_CANONICAL) || 100 * l->reduced[MC_PASS].states >= c->worth * l->states) return;
    c->early = l->all_roots(l->search);
    if (!c->early) return;
    c->stopped_state = l->first;
    c->stopped_level = l->depth;
    c->stopped = 1;
    s->reduction[MC_PASS].given_up = true;
    qsort(c->early, c->stopped_state, sizeof *c->early, by_root);
}

static bool is_early_root(const struct mc_space *s, uint64_t root)
{
    const struct mc_chains *c = options_of(s);
    return bsearch(&root, c->early, c->stopped_state, sizeof root, by_root);
}

static bool is_early_state(const struct mc_space *s, uint64_t number) { return number < options_of(s)->stopped_state; }

static bool is_early_level(const struct mc_space *s, uint64_t level)
{
    const struct mc_chains *c = options_of(s);
    return c->stopped && level < c->stopped_level;
}

static void free_chains(struct mc_space *s)
{
    free(options_of(s)->early);
    free(s->reduction[MC_PASS].state);
}

/* Where it takes long to try whether a state has one successor: it is there, so it is kept. */
static bool is_known(const struct mc_space *s, uint64_t root)
{
    const struct chains *c = of_space(s);
    if (!mc_is_attached(s, MC_CHOOSE) || c->o->stopped || __atomic_load_n(&c->o->cut, __ATOMIC_RELAXED)) return false;
    return c->is_known(c->o->of, root);
}

static void free_chain(struct mc_worker *w)
{
    struct chain *c = w->of_reduction[MC_PASS];
    free(c->step);
    free(c->words);
    free(c);
}

static bool room_for(struct chain *c, uint32_t changed)
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
    struct chain *c = context;
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

static void go(struct mc_worker *w, struct chain *c, const uint32_t *changes, uint32_t count)
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
static void go_back(struct mc_worker *w, struct chain *c)
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
static bool passes(struct mc_worker *w, struct chain *c)
{
    const struct mc_space *s = w->space;
    if (!mc_is_attached(s, MC_CHOOSE) && ready_slots(w) > 1) return false;
    c->only.count = 0;
    mc_expand(w, look_whether_alone, &c->only);
    if (c->only.count != 1 || c->only.fails || c->only.slot == MC_NOBODY) return false;
    return !options_of(s)->keeps[w->at[c->only.slot]];
}

/* From the state after a step to one that is kept. */
static void follow(struct mc_worker *w, struct chain *c, struct mc_successor *s)
{
    struct mc_chains *o = options_of(w->space);
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

static enum mc_end expand(struct mc_worker *w, mc_visit visit, void *context)
{
    if (!w->of_reduction[MC_PASS]) w->of_reduction[MC_PASS] = calloc(1, sizeof(struct chain));
    struct chain *c = w->of_reduction[MC_PASS];
    const struct mc_reduction_ops *canonical = w->space->reduction[MC_CANONICAL].ops;
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
    struct mc_reduced *choice = &w->reduced[MC_CHOOSE];
    uint64_t reduced = choice->states;
    bool enough = false;
    for (uint64_t i = 0; i < c->steps && !enough; i++) {
        struct mc_successor *s = &c->step[i].of;
        if (s->fault) {
            s->fault = &c->step[i].fault;
        } else {
            s->changes = c->words + c->step[i].first;
            bool symmetric = !rootless && canonical;
            bool named = !rootless && !symmetric && mc_is_attached(w->space, MC_CHOOSE), known = false;
            if (named) {
                s->root = mc_root_after(w, s->changes, s->changed);
                known = is_known(w->space, s->root);
            }
            if (!known) {
                w->rootless = true;
                follow(w, c, s);
                w->rootless = rootless;
                w->reduced[MC_PASS].states += s->passed;
                if (symmetric) canonical->canonical(w, s);
                else if (!rootless && (s->passed || !named)) s->root = mc_root_after(w, s->changes, s->changed);
            }
        }
        memcpy(w->at, at, sizeof at);
        enough = !visit(w, s, context);
    }
    w->rootless = rootless;
    choice->within += choice->states - reduced;
    choice->states = reduced;
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

static uint64_t unfold(struct mc_worker *w, const uint32_t *kept, uint64_t count, uint32_t *ordinals, uint64_t room)
{
    uint64_t length = 0;
    mc_initial(w);
    for (uint64_t i = 0; i < count; i++) {
        struct wanted x = {.ordinal = kept[i]};
        w->early = is_early_level(w->space, i);
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

static const struct mc_reduction_ops chains = {
    .name = "chains",
    .expand = expand,
    .unfold = unfold,
    .is_early_root = is_early_root,
    .is_early_state = is_early_state,
    .begin_level = give_up_if_useless,
    .free_worker = free_chain,
    .free = free_chains,
};

void mc_attach_chains(struct mc_space *s, struct mc_chains *c, bool (*is_known)(const struct mc_engine *e, uint64_t root))
{
    struct chains *x = malloc(sizeof *x);
    if (!x) {
        s->crew.out_of_memory = true;
        return;
    }
    *x = (struct chains){c, is_known};
    mc_attach(s, MC_PASS, &chains, x);
}
