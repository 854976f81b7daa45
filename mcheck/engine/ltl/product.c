/* A state of the product is a program's root and the automaton's state; an edge is a step of the program and a transition
 * that its letter allows. A run that ends stays in its last state.
 */
#include "api/product.h"

#include "ltl/reach_terminal.h"
#include "model/letters.h"
#include "search/bfs.h"

/* `number`: of what the atoms read; from, to, partner_to: positions before and after it, of `slot` and its partner. */
struct step {
    uint64_t root, letter, picks; /* bits: of those who are treated fairly */
    uint32_t slot, partner, ordinal, taken, number, to_value, elapsed;
    uint16_t from, to, partner_to;
};

enum { FOR_EVER = INT32_MAX, MOST_TIMERS = 32 }; /* milliseconds: of a run that stays in its last state */
static const uint32_t NOT_RUNNING = UINT32_MAX;

/* A state of the automaton, and how long its timers have been running. */
struct timed_state { uint32_t q, age[MOST_TIMERS]; };

/* Byte strings of one size, numbered from 0. */
struct watching { uint8_t *bytes; uint32_t *table; uint32_t size, count, room, mask; };

struct product {
    struct mc_worker worker;
    const struct mc_automaton *a;
    const struct mc_watcher *watcher;
    struct watching watching;          /* the bytes of a watcher, or timed states: their numbers are the automaton's states */
    struct cy_graph *graph;            /* of timed states: its strengths are by their numbers */
    uint8_t *strength;
    const struct mc_atoms *atoms;
    const struct mc_fair *fair;
    uint32_t fair_count, weak, strong; /* of each kind */
    struct mc_letters letters;         /* a step of a watcher counts its rounds before the block, too */
    uint8_t *block;                    /* theirs */
    struct step *step;
    uint32_t steps, steps_room;
    struct cy_edge *edge;
    uint32_t edges, edges_room;
    bool broken;
    struct mc_faulted faulted; /* the first; what: 0 as long as there is none */
};

static bool widen(void **at, uint32_t *room, uint32_t wanted, size_t size)
{
    if (wanted <= *room) return true;
    uint32_t n = *room ? *room : 64;
    while (n < wanted) n *= 2;
    void *p = realloc(*at, n * size);
    if (!p) return false;
    memset((char *)p + *room * size, 0, (n - *room) * size);
    *at = p;
    *room = n;
    return true;
}

static const uint8_t *watched(const struct watching *t, uint32_t number) { return t->bytes + (uint64_t)number * t->size; }

static uint32_t *place_of(const struct watching *t, const uint8_t *bytes)
{
    uint32_t i = (uint32_t)mc_hash_bytes(bytes, t->size) & t->mask;
    while (t->table[i] && memcmp(watched(t, t->table[i] - 1), bytes, t->size)) i = (i + 1) & t->mask;
    return &t->table[i];
}

static bool watching_grow(struct watching *t)
{
    uint32_t room = t->room ? t->room * 2 : 64, *table = calloc(room * 2ull, 4);
    uint8_t *bytes = table ? realloc(t->bytes, (uint64_t)room * t->size) : NULL;
    if (!bytes) {
        free(table);
        return false;
    }
    free(t->table);
    t->bytes = bytes;
    t->table = table;
    t->room = room;
    t->mask = room * 2 - 1;
    for (uint32_t n = 0; n < t->count; n++) *place_of(t, watched(t, n)) = n + 1;
    return true;
}

static uint32_t number_of(struct product *x, const uint8_t *bytes)
{
    struct watching *t = &x->watching;
    if (t->count == t->room && !watching_grow(t)) {
        x->broken = true;
        return 0;
    }
    uint32_t *place = place_of(t, bytes);
    if (!*place) {
        memcpy(t->bytes + (uint64_t)t->count * t->size, bytes, t->size);
        *place = ++t->count;
    }
    return *place - 1;
}

static void note_fault(struct product *x, uint64_t root, uint64_t what)
{
    if (!x->faulted.what) x->faulted = (struct mc_faulted){root, what};
}

static uint64_t letter_of(struct product *x, const struct step *s)
{
    const struct mc_atoms *atoms = x->atoms;
    if (!atoms->letter) return 0;
    struct mc_letter *l = mc_letter_at(&x->letters, s->number);
    if (!l) {
        x->broken = true;
        return 0;
    }
    if (!l->known) {
        mc_decode(&x->worker, s->root);
        mc_put_state(&x->worker, x->block);
        mc_read_letter(&x->letters, l, s->taken);
    }
    if (l->faults & atoms->wanted) note_fault(x, s->root, l->faults & atoms->wanted);
    return l->atoms;
}

/* Whose branches of a choice are picked, by place in `fair`. */
static uint64_t picks_of(const struct product *x, const struct mc_successor *s)
{
    const struct mc_space *space = x->worker.space;
    uint64_t found = 0;
    if (!space->p.picks || s->blocks == MC_UNNUMBERED) return 0;
    const uint8_t *passed = mc_value(&space->passed_sets, s->blocks);
    for (uint32_t i = 0; i < x->fair_count; i++)
        if (x->fair[i].picks && passed[x->fair[i].picks - 1]) found |= 1ull << i;
    return found;
}

static bool collect(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct product *x = context;
    const struct mc_space *space = w->space;
    if (s->fault) return true; /* the run ends there; that is an error of another kind */
    void *at = x->step;
    if (!widen(&at, &x->steps_room, x->steps + 1, sizeof *x->step)) {
        x->broken = true;
        return false;
    }
    x->step = at;
    struct step *step = &x->step[x->steps++];
    uint32_t taken = mc_taken_by(&x->letters, w, s), number = mc_number_read(&x->letters, w, s, taken);
    *step = (struct step){s->root, 0, picks_of(x, s), s->slot, s->partner, s->ordinal, taken, number, 0, s->elapsed, 0, 0, 0};
    if (!x->fair_count) return true;
    if (s->slot != MC_NOBODY) {
        uint32_t component = space->p.slot_component[s->slot];
        step->to_value = mc_value_after(w, s, component);
        step->from = w->at[s->slot];
        step->to = mc_values_of(space, component)->position[step->to_value];
    }
    if (s->partner != MC_NOBODY) {
        uint32_t component = space->p.slot_component[s->partner];
        step->partner_to = mc_values_of(space, component)->position[mc_value_after(w, s, component)];
    }
    return true;
}

/* The steps that leave a state, with their letters. */
static void steps_of(struct product *x, uint64_t root)
{
    x->steps = 0;
    x->letters.source_there = false;
    mc_decode(&x->worker, root);
    mc_expand(&x->worker, collect, x);
    if (x->worker.broken || x->worker.space->crew.out_of_memory) x->broken = true; /* not all steps are there */
    if (x->steps == 0) {
        void *at = x->step;
        if (!widen(&at, &x->steps_room, 1, sizeof *x->step)) {
            x->broken = true;
        } else {
            x->step = at;
            x->step[x->steps++] =
                (struct step){root, 0, 0, MC_NOBODY, MC_NOBODY, MC_STAYS, 0, mc_number_read(&x->letters, &x->worker, NULL, 0), 0,
                              FOR_EVER, 0, 0, 0};
        }
    }
}

static void letters_of(struct product *x)
{
    for (uint32_t i = 0; i < x->steps; i++) x->step[i].letter = letter_of(x, &x->step[i]);
}

static bool is_step_of(const struct product *x, const struct mc_fair *f, const struct step *s)
{
    if (s->ordinal == MC_STAYS) return false;
    if (f->picks) return s->picks >> (f - x->fair) & 1;
    if (f->resumes) return (s->slot == f->slot && f->resumes[s->to]) || (s->partner == f->slot && f->resumes[s->partner_to]);
    return s->slot == f->slot && (!f->begins || f->begins[s->from]);
}

/* The process waits there, and offers something of it. */
static bool offers(const struct product *x, const struct mc_fair *f, uint32_t position, uint32_t value)
{
    const struct mc_offered *o = &f->offered[position];
    return o->clauses && o->clauses & ~mc_number_at(mc_frame_of(x->worker.space, x->atoms, f->slot, value) + o->closed_offset, o->closed_size);
}

/* The state whose steps are there must still be in `v`. */
static bool is_enabled(const struct product *x, const struct mc_fair *f)
{
    const struct mc_worker *w = &x->worker;
    if (f->live && offers(x, f, w->at[f->slot], w->v[w->space->p.slot_component[f->slot]])) return true;
    for (uint32_t k = 0; k < x->steps; k++) {
        const struct step *s = &x->step[k];
        if (is_step_of(x, f, s)) return true;
        if (f->live && s->slot == f->slot && offers(x, f, s->to, s->to_value)) return true;
    }
    return false;
}

/* The steps of a state, and who of those who are treated fairly has one, by place in `fair`. A reduction leaves out steps, not
 * what could be done: then all are looked at first. */
static uint64_t steps_and_enabled(struct product *x, uint64_t root)
{
    struct mc_worker *w = &x->worker;
    bool reduces = x->fair_count && mc_reduces(w, MC_CHOOSE);
    if (reduces) w->unreduced = w->rootless = true;
    steps_of(x, root);
    w->unreduced = w->rootless = false;
    uint64_t can = 0;
    for (uint32_t i = 0; i < x->fair_count; i++) can |= (uint64_t)is_enabled(x, &x->fair[i]) << i;
    if (reduces) steps_of(x, root);
    return can;
}

static bool allows(const struct mc_automaton *a, uint32_t transition, uint64_t letter)
{
    for (uint32_t c = a->first_cube[transition]; c < a->first_cube[transition + 1]; c++)
        if ((letter & a->positive[c]) == a->positive[c] && !(letter & a->negative[c])) return true;
    return false;
}

static void add_edge(struct product *x, const struct step *s, uint32_t q, uint64_t marks)
{
    void *at = x->edge;
    if (!widen(&at, &x->edges_room, x->edges + 1, sizeof *x->edge)) {
        x->broken = true;
        return;
    }
    x->edge = at;
    x->edge[x->edges++] = (struct cy_edge){s->root, marks, q, s->ordinal};
}

/* The moves of a watcher whose bytes have number q, on a step. */
static void watch(struct product *x, const struct step *s, uint32_t q, uint64_t marks)
{
    const struct mc_watcher *p = x->watcher;
    mc_decode(&x->worker, s->root);
    mc_put_state(&x->worker, x->block);
    for (uint32_t branch = 0, branches = 1; branch < branches; branch++) {
        memcpy(x->block + p->offset, watched(&x->watching, q), p->size);
        uint32_t said = p->step(x->block, (uint8_t)p->which, s->taken, (uint8_t)branch);
        if (branch == 0 && (said & 0xFF)) branches = said & 0xFF;
        if (said >> 31) note_fault(x, s->root, said);
        if (said >> 9 & 1 || said >> 10 & 1 || said >> 31) continue; /* it cannot move, has ended, or faults */
        add_edge(x, s, number_of(x, x->block + p->offset), marks | (said >> 8 & 1));
    }
}

/* --- timers: docs/theory/time.md --------------------------------------------------------------------------------- */

static uint32_t timed_number(struct product *x, const struct timed_state *t)
{
    uint32_t room = x->watching.room, number = number_of(x, (const uint8_t *)t);
    if (x->broken) return 0;
    if (x->watching.room != room) {
        uint8_t *more = realloc(x->strength, x->watching.room);
        if (!more) {
            x->broken = true;
            return 0;
        }
        x->strength = more;
        if (x->graph && x->a->strength) x->graph->strength = more;
    }
    x->strength[number] = x->a->strength ? x->a->strength[t->q] : 0;
    return number;
}

static struct timed_state timed_at(const struct product *x, uint32_t number)
{
    struct timed_state t;
    memset(&t, 0xFF, sizeof t);
    memcpy(&t, watched(&x->watching, number), x->watching.size);
    return t;
}

/* One timer on a step: how long it has been running after it; whether it has expired. */
static bool has_expired(const struct mc_property_timer *t, uint32_t elapsed, bool starts, bool holds, uint32_t *age)
{
    uint64_t later = (uint64_t)*age + elapsed;
    if (*age != NOT_RUNNING) *age = later > t->most ? t->most + 1 : (uint32_t)later;
    if (!t->earliest) {
        if (starts) *age = 0;
        else if (*age != NOT_RUNNING && *age > t->most) *age = NOT_RUNNING;
        return *age == NOT_RUNNING;
    }
    bool expired = *age != NOT_RUNNING && *age > t->most;
    if (holds == (t->holds != 0)) *age = NOT_RUNNING;
    else if (starts && *age == NOT_RUNNING) *age = 0;
    return expired;
}

/* The moves of an automaton with timers. Where one may be started or not, it is not: that is never worse. */
static void move_in_time(struct product *x, const struct step *s, uint32_t number, uint64_t marks)
{
    const struct mc_automaton *a = x->a;
    struct timed_state from = timed_at(x, number);
    for (uint32_t t = a->first[from.q]; t < a->first[from.q + 1]; t++) {
        for (uint32_t c = a->first_cube[t]; c < a->first_cube[t + 1]; c++) {
            struct timed_state to = from;
            uint64_t letter = s->letter;
            for (uint32_t i = 0; i < a->timers; i++) {
                const struct mc_property_timer *timer = &a->timer[i];
                bool starts = a->positive[c] & timer->start;
                if (starts) letter |= timer->start;
                if (has_expired(timer, s->elapsed, starts, s->letter & timer->operand, &to.age[i])) letter |= timer->expired;
            }
            if ((letter & a->positive[c]) != a->positive[c] || letter & a->negative[c]) continue;
            to.q = a->target[t];
            add_edge(x, s, timed_number(x, &to), marks | a->accepts[t]);
        }
    }
}

/* Marks: the automaton's sets, then one for each who is treated weakly fairly, then one for each who is strongly. */
static uint32_t product_edges(void *context, uint64_t root, uint32_t q, const struct cy_edge **edges, uint64_t *enabled)
{
    struct product *x = context;
    const struct mc_automaton *a = x->a;
    struct mc_crew *crew = &x->worker.space->crew;
    if (__builtin_expect(mc_wanted_alone(crew), 0)) mc_rest(crew);
    uint64_t can = steps_and_enabled(x, root);
    letters_of(x);
    x->edges = 0;
    *enabled = 0;
    for (uint32_t i = 0, pair = 0; i < x->fair_count; i++)
        if (x->fair[i].strong) *enabled |= (can >> i & 1) << pair++;
    for (uint32_t k = 0; k < x->steps; k++) {
        const struct step *s = &x->step[k];
        uint64_t marks = 0;
        uint32_t weak = a->sets, strong = a->sets + x->weak;
        for (uint32_t i = 0; i < x->fair_count; i++) {
            bool his = is_step_of(x, &x->fair[i], s);
            if (x->fair[i].strong) marks |= (uint64_t)his << strong++;
            else marks |= (uint64_t)(his || !(can >> i & 1)) << weak++;
        }
        if (x->watcher) {
            watch(x, s, q, marks);
            continue;
        }
        if (a->timers) {
            move_in_time(x, s, q, marks);
            continue;
        }
        for (uint32_t t = a->first[q]; t < a->first[q + 1]; t++)
            if (allows(a, t, s->letter)) add_edge(x, s, a->target[t], marks | a->accepts[t]);
    }
    *edges = x->edge;
    return x->broken || x->faulted.what ? 0 : x->edges;
}

static bool product_new(struct product *x, struct mc_engine *e, const struct mc_watcher *watcher, const struct mc_atoms *atoms)
{
    memset(x, 0, sizeof *x);
    x->atoms = atoms;
    x->watcher = watcher;
    if (watcher) x->watching.size = watcher->size;
    bool good = mc_letters_new(&x->letters, &e->space, atoms, watcher ? watcher->size : 0);
    x->block = x->letters.block;
    return mc_worker_new(&x->worker, &e->space) && good;
}

static void product_free(struct product *x)
{
    mc_worker_free(&x->worker);
    mc_letters_free(&x->letters);
    free(x->watching.bytes);
    free(x->watching.table);
    free(x->strength);
    free(x->step);
    free(x->edge);
}

/* Searches of several products may be at work at once: each is one of the crew while it lasts. */
static bool begin_work(struct mc_engine *e)
{
    struct mc_crew *crew = &e->space.crew;
    pthread_mutex_lock(&crew->mutex);
    while (crew->alone) pthread_cond_wait(&crew->changed, &crew->mutex);
    if (!e->products) e->interrupted = 0;
    crew->working = ++e->products;
    e->space.until = 1e300; /* who asks for it watches the time, and interrupts */
    e->space.interrupted = &e->interrupted;
    bool good = e->letters.room || mc_values_new(&e->letters, sizeof(uint64_t), 0, NULL, crew);
    pthread_mutex_unlock(&crew->mutex);
    return good;
}

static void end_work(struct mc_engine *e)
{
    struct mc_crew *crew = &e->space.crew;
    pthread_mutex_lock(&crew->mutex);
    if (!--e->products) e->space.interrupted = NULL;
    crew->working = e->products ? e->products : 1;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->mutex);
}

static bool note_letters(struct mc_engine *e, const struct mc_letters *l)
{
    for (uint32_t n = 0; n < l->room; n++)
        if (l->letter[n].known) mc_intern_value(&e->letters, (const uint8_t *)&l->letter[n].atoms);
    return !e->space.crew.out_of_memory;
}

static void letters_from(uint64_t root, void *context)
{
    steps_of(context, root);
    letters_of(context);
}

/* The search of the states has come across some, too, if it has watched invariants. */
static bool note_letters_of_search(struct mc_engine *e)
{
    for (uint32_t i = 0; i < e->made; i++)
        if (e->searcher[i]->worker.letters && !note_letters(e, e->searcher[i]->worker.letters)) return false;
    return true;
}

uint64_t mc_product_letters(struct mc_engine *e, const struct mc_atoms *atoms, uint32_t all, uint64_t *letters, uint64_t room)
{
    bool good = begin_work(e) && note_letters_of_search(e);
    if (all && good) {
        struct product x;
        good = product_new(&x, e, NULL, atoms);
        good = good && mc_each_root(e, letters_from, &x) && !x.broken && note_letters(e, &x.letters);
        product_free(&x);
    }
    end_work(e);
    if (!good) return UINT64_MAX;
    for (uint32_t n = 0; n < e->letters.count && n < room; n++) memcpy(&letters[n], mc_value(&e->letters, n), sizeof *letters);
    return e->letters.count;
}

static void tell_watched(struct product *x, struct cy_result *out)
{
    uint32_t size = x->watching.size;
    out->state = malloc((uint64_t)out->length * size + 1);
    if (!out->state) return;
    out->state_size = size;
    for (uint32_t i = 0; i < out->length; i++)
        memcpy(out->state + (uint64_t)i * size, watched(&x->watching, out->steps[i].q), size);
}

void mc_product_search(struct mc_engine *e, const struct mc_automaton *a, const struct mc_watcher *watcher, const struct mc_atoms *atoms,
                       const struct mc_fair *fair, uint32_t fair_count, uint32_t how, uint64_t most_states,
                       struct cy_result *out, struct mc_faulted *faulted)
{
    struct product x;
    memset(out, 0, sizeof *out);
    out->verdict = CY_NO_MEMORY;
    bool begun = begin_work(e);
    if (product_new(&x, e, watcher, atoms) && begun) {
        x.a = a;
        x.fair = fair;
        x.fair_count = fair_count;
        for (uint32_t i = 0; i < fair_count; i++) *(fair[i].strong ? &x.strong : &x.weak) += 1;
        uint32_t buechi = a->sets + x.weak;
        uint32_t initial = a->initial;
        if (watcher) {
            mc_initial(&x.worker);
            mc_put_state(&x.worker, x.block);
            memset(x.block + watcher->offset, 0, watcher->size);
            watcher->start(x.block, (uint8_t)watcher->which);
            initial = number_of(&x, x.block + watcher->offset);
        }
        if (a->timers) {
            struct timed_state first;
            memset(&first, 0xFF, sizeof first);
            first.q = a->initial;
            x.watching.size = 4 + 4 * a->timers;
            initial = timed_number(&x, &first);
        }
        struct cy_graph g = {&x, mc_initial(&x.worker), initial, product_edges, mc_mask(buechi), buechi, x.strong,
                             mc_mask(a->sets), a->timers && a->strength ? x.strength : a->strength};
        x.graph = &g;
        if (how == MC_REACH) cy_reach(&g, most_states, &e->interrupted, out);
        else cy_search(&g, how, most_states, &e->interrupted, out);
        if ((watcher || a->timers) && out->steps) tell_watched(&x, out);
        bool noted = note_letters(e, &x.letters);
        if (out->verdict != CY_FOUND) { /* what is found stays so, even if a look around it came upon more */
            if (x.faulted.what) out->verdict = CY_FAULTED;
            *faulted = x.faulted;
            if (x.broken || !noted) out->verdict = e->interrupted ? CY_STOPPED : CY_NO_MEMORY;
        }
    }
    product_free(&x);
    end_work(e);
}

void mc_product_block(struct mc_engine *e, uint64_t root, uint8_t *block)
{
    struct mc_worker w;
    if (mc_worker_new(&w, &e->space)) {
        mc_decode(&w, root);
        mc_put_state(&w, block);
    }
    mc_worker_free(&w);
}

uint64_t mc_product_letter(struct mc_engine *e, const struct mc_atoms *atoms, uint64_t root, uint32_t ordinal, uint32_t *slot)
{
    struct product x;
    uint64_t letter = 0;
    *slot = MC_NOBODY;
    if (product_new(&x, e, NULL, atoms)) {
        steps_of(&x, root);
        letters_of(&x);
        for (uint32_t i = 0; i < x.steps; i++) {
            if (x.step[i].ordinal != ordinal) continue;
            letter = x.step[i].letter;
            *slot = x.step[i].slot;
        }
    }
    product_free(&x);
    return letter;
}
