/* Chooses the slots whose steps are enough in a state: footprints by value, and what was decided for them. See partial_order.h. */
#include "reduce/partial_order.h"

#include "model/clocks_and_zones.h"
#include "model/half_state_cache.h"

struct key {
    uint32_t class_number, position;
    uint8_t constants[MC_MOST_CONSTANT_BYTES];
};

enum { INDEX = 4 * MC_MOST_FOOTPRINTS, MOST_STANDS = 1 << 20 };

/* The footprints of a half's slots, by number from 1. */
struct stands {
    struct mc_values values;
    bool made;
};

struct partial_order {
    struct mc_reduction_options o;
    uint32_t lock, count;
    struct key *key;
    struct mc_footprint *footprint;
    uint16_t *index; /* of keys, by hash; 0: free */
    struct stands stands[2];
    uint8_t *rounds; /* by component: see goes_back */
    uint32_t ***rank; /* by component; then by value in chunks that stay where they are; of 1, or 0: there is none yet */
    uint8_t *come;    /* by component, then by position: whether a value there has a rank */
    uint32_t *first;  /* by component: the first value of a process that has a rank, + 1 */
};

enum { CHUNK = 1 << 12, CHUNKS = 1 << 11 };

/* What was decided last for a pair of stands. */
struct known { uint32_t left, right, decision; }; /* decision: NONE, or its number + 1; 0: free */
enum { NONE = UINT32_MAX, KNOWN_BITS = 17, LEAST_WHOLE_BITS = 15, MOST_WHOLE_BITS = 18, WHOLE_BYTES = 1 << 24, MOST_DECISIONS = 1 << 16 };

/* Each worker has its own. */
struct feet {
    uint16_t **of; /* by class of components, then by value: the number of the footprint of who is there */
    uint32_t *room;
    struct known *known;
    uint32_t *whole_decision; /* likewise, of a state of stands by their hash, of so many bits; which they are */
    uint16_t *whole_stand;
    uint32_t whole_bits;
    struct mc_decision *decision;
    uint32_t decisions, decisions_room;
};

static struct partial_order *of_space(const struct mc_space *s) { return s->reduction[MC_CHOOSE].state; }
static struct feet *feet_of(const struct mc_worker *w) { return w->of_reduction[MC_CHOOSE]; }

static void free_partial_order(struct mc_space *s)
{
    struct partial_order *r = of_space(s);
    for (uint32_t i = 0; r->rank && i < s->p.components; i++) {
        for (uint32_t k = 0; r->rank[i] && k < CHUNKS; k++) free(r->rank[i][k]);
        free(r->rank[i]);
    }
    free(r->rank);
    free(r->come);
    free(r->first);
    free(r->key);
    free(r->index);
    free(r->rounds);
    if (r->footprint) mc_release(r->footprint, MC_MOST_FOOTPRINTS * sizeof *r->footprint);
    for (uint32_t half = 0; half < 2; half++)
        if (r->stands[half].made) mc_values_free(&r->stands[half].values);
    free(r);
}

/* Has nothing been left out so far? Then all states are expanded in full, as those before were. */
static void give_up_if_useless(struct mc_space *s, const struct mc_level *l)
{
    uint64_t after = of_space(s)->o.gives_up_after;
    const struct mc_reduced *done = &l->reduced[MC_CHOOSE];
    if (!after || l->states < after || mc_is_in_force(s, MC_PASS)) return;
    if (!done->states && !done->within) s->reduction[MC_CHOOSE].given_up = true;
}

/* --- ranks ------------------------------------------------------------------------------------------------------ */

/* The values of a slot's component have a rank: about how many of the positions that break rounds have been left on the way
 * to them. A step goes back if it leads to a value of lower rank, or from such a position if no rank rises; so have parts of
 * module variables that count, see `goes_back`. So in each cycle of states a step goes back; a set that is less than all never
 * does such a step, so that each cycle has a state in which all act. The rank that a value has got first is kept. */

static uint32_t *new_chunk(struct partial_order *r, uint32_t component, uint32_t value)
{
    mc_lock(&r->lock);
    uint32_t **chunks = r->rank[component];
    if (!chunks && (chunks = calloc(CHUNKS, sizeof *chunks))) __atomic_store_n(&r->rank[component], chunks, __ATOMIC_RELEASE);
    if (chunks && !chunks[value / CHUNK]) {
        uint32_t *chunk = calloc(CHUNK, sizeof *chunk);
        __atomic_store_n(&chunks[value / CHUNK], chunk, __ATOMIC_RELEASE);
    }
    uint32_t *found = chunks ? chunks[value / CHUNK] : NULL;
    mc_unlock(&r->lock);
    return found;
}

/* NULL: values beyond have none. */
static uint32_t *rank_place(struct partial_order *r, uint32_t component, uint32_t value)
{
    if (value >= CHUNK * CHUNKS) return NULL;
    uint32_t **chunks = __atomic_load_n(&r->rank[component], __ATOMIC_ACQUIRE);
    uint32_t *chunk = chunks ? __atomic_load_n(&chunks[value / CHUNK], __ATOMIC_ACQUIRE) : NULL;
    if (!chunk) chunk = new_chunk(r, component, value);
    return chunk ? &chunk[value % CHUNK] : NULL;
}

/* Where a process leaves such a position and comes to where it never was, it has got on only if its variables differ from those
 * that it began with: else the next round may well bring it to the same values. */
static bool has_got_on(const struct mc_space *s, uint32_t component, uint32_t value)
{
    struct partial_order *r = of_space(s);
    const struct mc_values *values = mc_values_of(s, component);
    uint32_t position = values->position[value], size = s->p.component[component].size;
    if (__atomic_load_n(&r->come[(size_t)component * (s->p.positions + 1) + position], __ATOMIC_RELAXED)) return true;
    uint32_t first = __atomic_load_n(&r->first[component], __ATOMIC_RELAXED), skip = s->p.component[component].position_size;
    return first && memcmp(mc_value(values, first - 1) + skip, mc_value(values, value) + skip, size - skip) != 0;
}

static void note_first(const struct mc_space *s, uint32_t component, uint32_t value)
{
    struct partial_order *r = of_space(s);
    uint32_t position = mc_values_of(s, component)->position[value], none = 0;
    mc_set(&r->come[(size_t)component * (s->p.positions + 1) + position]);
    if (position) __atomic_compare_exchange_n(&r->first[component], &none, value + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* The value's. If it has none, it gets this one, and `more` if the process has got on. */
static uint32_t ranked(const struct mc_space *s, uint32_t component, uint32_t value, uint32_t rank, uint32_t more)
{
    uint32_t *place = rank_place(of_space(s), component, value);
    if (!place) return 0;
    uint32_t known = __atomic_load_n(place, __ATOMIC_RELAXED);
    if (known) return known;
    if (more && has_got_on(s, component, value)) rank += more;
    bool fresh = __atomic_compare_exchange_n(place, &known, rank, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    note_first(s, component, value);
    return fresh ? rank : known;
}

/* Of what counts: likewise, but each value that is new has got on. */
static uint32_t rank_of_count(const struct mc_space *s, uint32_t component, uint32_t value, uint32_t rank)
{
    uint32_t *place = rank_place(of_space(s), component, value), known = 0;
    if (!place) return 0;
    bool fresh = __atomic_compare_exchange_n(place, &known, rank, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return fresh ? rank : known;
}

/* What a step does to ranks: of processes, and of what counts; and does a process leave a position that breaks rounds? */
struct course { bool falls, rises, counts_down, counts_up, leaves; };

/* No value has a rank. What has been exchanged has the rank of another. */
static bool is_unranked(const struct mc_space *s) { return of_space(s)->o.unranked || mc_is_attached(s, MC_CANONICAL); }

static void note_course(uint32_t before, uint32_t after, bool *falls, bool *rises)
{
    *falls |= !before || !after || after < before;
    *rises |= after > before;
}

/* The step leads from the component's value in `v` to this one. */
static void follow_process(const struct mc_worker *w, uint32_t component, uint32_t value, struct course *x)
{
    const struct mc_space *s = w->space;
    struct partial_order *r = of_space(s);
    uint32_t old = w->v[component];
    if (r->rounds[component] == MC_LIVES_ONCE && !mc_values_of(s, component)->position[value]) return;
    bool breaks = r->o.breaks[mc_values_of(s, component)->position[old]];
    x->leaves |= breaks;
    if (is_unranked(s)) return;
    uint32_t before = ranked(s, component, old, 1, 0);
    note_course(before, ranked(s, component, value, before, breaks), &x->falls, &x->rises);
}

static void follow_count(const struct mc_worker *w, uint32_t component, uint32_t value, struct course *x)
{
    const struct mc_space *s = w->space;
    if (is_unranked(s)) return;
    uint32_t before = rank_of_count(s, component, w->v[component], 1);
    note_course(before, rank_of_count(s, component, value, before + 1), &x->counts_down, &x->counts_up);
}

static void follow(const struct mc_worker *w, uint32_t component, uint32_t value, struct course *x)
{
    uint8_t rounds = of_space(w->space)->rounds[component];
    if (rounds == MC_COUNTS) follow_count(w, component, value, x);
    else if (rounds) follow_process(w, component, value, x);
}

static void note_rank(const struct mc_worker *w, uint32_t component, uint32_t value)
{
    struct course x = {0};
    follow(w, component, value, &x);
}

/* In a cycle of which no step goes back no rank of a process falls, so that none rises, and then none of what counts. */
static bool goes_back(const struct mc_worker *w, uint32_t slot, const uint32_t *changes, uint32_t changed)
{
    uint32_t own = w->space->p.slot_component[slot];
    struct course x = {0};
    bool stays = true;
    for (uint32_t i = 0; i < changed; i++) {
        uint32_t c = changes[2 * i];
        if (c == own) stays = false;
        if (c < w->space->p.components) follow(w, c, changes[2 * i + 1], &x);
    }
    if (stays) follow(w, own, w->v[own], &x);
    if (x.falls || x.rises) return x.falls;
    return x.counts_down || (x.leaves && !x.counts_up);
}

/* --- footprints ------------------------------------------------------------------------------------------------- */

static void free_feet(struct mc_worker *w)
{
    struct feet *f = feet_of(w);
    for (uint32_t i = 0; f->of && i < w->space->p.classes; i++) free(f->of[i]);
    free(f->of);
    free(f->room);
    free(f->known);
    free(f->whole_decision);
    free(f->whole_stand);
    free(f->decision);
    free(f);
}

static bool has_feet(struct mc_worker *w)
{
    if (feet_of(w)) return feet_of(w)->whole_stand;
    uint32_t n = w->space->p.classes;
    struct feet *f = w->of_reduction[MC_CHOOSE] = calloc(1, sizeof *f);
    if (!f) return false;
    f->of = calloc(n, sizeof *f->of);
    f->room = calloc(n, sizeof *f->room);
    f->known = calloc(1u << KNOWN_BITS, sizeof *f->known);
    size_t stand = w->space->p.slots * sizeof *f->whole_stand;
    f->whole_bits = MOST_WHOLE_BITS;
    while (f->whole_bits > LEAST_WHOLE_BITS && stand << f->whole_bits > WHOLE_BYTES) f->whole_bits--;
    f->whole_decision = calloc(1u << f->whole_bits, sizeof *f->whole_decision);
    if (f->of && f->room && f->known && f->whole_decision) f->whole_stand = calloc(1u << f->whole_bits, stand);
    return f->whole_stand;
}

static void note_what_lacks_at_first(struct mc_footprint *f)
{
    f->lacking = 0;
    memset(f->unmet_at_first, 0, sizeof f->unmet_at_first);
    memset(f->lacks_at_first, 0, sizeof f->lacks_at_first);
    for (uint32_t n = 0; n < f->needs; n++) {
        const struct mc_need *need = &f->need[n];
        uint64_t some = 0;
        for (uint32_t k = 0; k < MC_FOOT_WORDS; k++) some |= need->of[k];
        if (!some) continue;
        f->lacking |= 1ull << n;
        f->unmet_at_first[need->bit / 64] |= 1ull << need->bit % 64;
        for (uint32_t k = 0; k < MC_FOOT_WORDS; k++) f->lacks_at_first[k] |= need->of[k];
    }
}

/* Under the lock. */
static uint16_t number_of(struct mc_worker *w, const struct key *k, uint32_t slot)
{
    const struct mc_space *s = w->space;
    struct partial_order *r = of_space(s);
    uint32_t i = (uint32_t)mc_hash_bytes((const uint8_t *)k, sizeof *k) % INDEX;
    while (r->index[i] && memcmp(&r->key[r->index[i]], k, sizeof *k)) i = (i + 1) % INDEX;
    if (r->index[i]) return r->index[i];
    if (r->count == MC_MOST_FOOTPRINTS) {
        if (r->o.unranked) w->space->crew.out_of_memory = true; /* which have room depends on what has been found before */
        return MC_FOOT_UNKNOWN;
    }
    uint16_t n = (uint16_t)r->count;
    struct mc_footprint *f = &r->footprint[n];
    if (!r->o.make(slot, k->position, k->constants, f)) return MC_FOOT_UNKNOWN;
    if (k->position < s->p.first_waiting) f->flags |= MC_FOOT_READY;
    else if (s->p.action[k->position].kind) f->flags |= MC_FOOT_INTERRUPTIBLE;
    note_what_lacks_at_first(f);
    r->count++;
    r->key[n] = *k;
    r->index[i] = n;
    return n;
}

/* Who is in `slot`: the first time that its component has this value. */
static __attribute__((noinline)) uint16_t find_footprint(struct mc_worker *w, uint32_t slot, uint32_t value)
{
    const struct mc_space *s = w->space;
    struct partial_order *r = of_space(s);
    uint32_t component = s->p.slot_component[slot], class_number = s->p.component[component].class_number;
    struct feet *f = feet_of(w);
    if (value >= f->room[class_number]) {
        uint32_t old = f->room[class_number], room = old ? old * 2 : 64;
        while (room <= value) room *= 2;
        uint16_t *wider = realloc(f->of[class_number], 2ull * room);
        if (!wider) return MC_FOOT_UNKNOWN;
        memset(wider + old, 0, 2ull * (room - old));
        f->of[class_number] = wider;
        f->room[class_number] = room;
    }
    struct key k = {class_number, w->at[slot], {0}};
    const uint8_t *bytes = mc_value(mc_values_of(s, component), value);
    uint32_t n = 0;
    for (uint32_t i = r->o.first_constant[class_number]; i < r->o.first_constant[class_number + 1]; i++)
        for (uint32_t b = 0; b < r->o.constants[i].size; b++) k.constants[n++] = bytes[r->o.constants[i].offset + b];
    mc_lock(&r->lock);
    uint16_t found = number_of(w, &k, slot);
    mc_unlock(&r->lock);
    f->of[class_number][value] = found;
    return found;
}

/* May time end its wait now? Where time is counted, sets are looked for only while somebody is ready: until one of the set has
 * acted no time passes, so these are the waits that are over already. */
static bool may_wake(struct mc_worker *w, const struct mc_action *a, uint32_t slot)
{
    uint32_t timed = mc_timed_clauses(w, a, slot);
    if (!mc_is_timed(w->space)) return timed;
    for (uint32_t c = 0; c < 32; c++) {
        struct mc_moment then;
        if (timed >> c & 1 && mc_wait_ends(w, slot, c == 31 ? MC_SLEEP_CLAUSE : c, true, &then)) return true;
    }
    return false;
}

static inline uint16_t footprint_number(struct mc_worker *w, uint32_t slot)
{
    const struct mc_space *s = w->space;
    uint32_t component = s->p.slot_component[slot], class_number = s->p.component[component].class_number;
    uint32_t value = w->v[component];
    const struct feet *f = feet_of(w);
    bool known = value < f->room[class_number] && f->of[class_number][value];
    return known ? f->of[class_number][value] : find_footprint(w, slot, value);
}

/* Who is there; 0: nobody. */
static inline uint16_t stand_of(struct mc_worker *w, uint32_t slot)
{
    const struct mc_space *s = w->space;
    uint32_t position = w->at[slot];
    if (!position) return 0;
    uint16_t foot = footprint_number(w, slot);
    const struct mc_action *a = &s->p.action[position];
    return position >= s->p.first_waiting && a->timed && may_wake(w, a, slot) ? foot | MC_WAKES : foot;
}

/* --- decisions -------------------------------------------------------------------------------------------------- */

/* The number of what is decided, + 1, or NONE. */
static uint32_t decided(struct mc_worker *w, const uint16_t *stand)
{
    const struct mc_space *s = w->space;
    struct feet *f = feet_of(w);
    if (f->decisions == f->decisions_room) {
        if (f->decisions == MOST_DECISIONS) { /* all can be decided anew */
            memset(f->known, 0, sizeof *f->known << KNOWN_BITS);
            memset(f->whole_decision, 0, sizeof *f->whole_decision << f->whole_bits);
            f->decisions = 0;
        } else {
            uint32_t room = f->decisions_room ? 2 * f->decisions_room : 64;
            struct mc_decision *more = realloc(f->decision, room * sizeof *more);
            if (!more) return NONE;
            f->decision = more;
            f->decisions_room = room;
        }
    }
    struct mc_decision *d = &f->decision[f->decisions];
    bool some = mc_find_enough(&of_space(s)->o, of_space(s)->footprint, stand, s->p.slots, s->p.interrupts != 0, d);
    return some ? ++f->decisions : NONE;
}

static const struct mc_decision *choose(struct mc_worker *w)
{
    const struct mc_program *p = &w->space->p;
    uint16_t stand[MC_MOST_SLOTS];
    if (!has_feet(w)) return NULL;
    for (uint32_t slot = 0; slot < p->slots; slot++) stand[slot] = stand_of(w, slot);
    uint64_t hash = mc_hash_bytes((const uint8_t *)stand, 2 * p->slots);
    const struct feet *f = feet_of(w);
    uint64_t at = hash >> (64 - f->whole_bits);
    if (!f->whole_decision[at] || memcmp(f->whole_stand + at * p->slots, stand, 2 * p->slots)) {
        uint32_t decision = decided(w, stand);
        memcpy(f->whole_stand + at * p->slots, stand, 2 * p->slots);
        f->whole_decision[at] = decision;
    }
    return f->whole_decision[at] == NONE ? NULL : &f->decision[f->whole_decision[at] - 1];
}

static uint32_t number_half(struct mc_worker *w, uint32_t half)
{
    const struct mc_halves *h = w->halves;
    struct partial_order *r = of_space(w->space);
    uint16_t stand[MC_MOST_SLOTS];
    if (!has_feet(w)) return 0;
    struct stands *x = &r->stands[half];
    for (uint32_t i = 0; i < h->slots[half]; i++) stand[i] = stand_of(w, h->slot[half][i]);
    mc_lock(&r->lock);
    if (!x->made) x->made = mc_values_new(&x->values, 2 * h->slots[half], 0, NULL, NULL);
    bool room = x->made && x->values.count < MOST_STANDS;
    uint32_t found = room ? mc_intern_value(&x->values, (const uint8_t *)stand) + 1 : 0;
    mc_unlock(&r->lock);
    return found;
}

static __attribute__((noinline)) uint32_t decide_anew(struct mc_worker *w, uint32_t left, uint32_t right)
{
    const struct mc_halves *h = w->halves;
    struct partial_order *r = of_space(w->space);
    const uint32_t number[2] = {left, right};
    uint16_t stand[MC_MOST_SLOTS] = {0};
    mc_lock(&r->lock);
    for (uint32_t half = 0; half < 2; half++) {
        const uint8_t *from = mc_value(&r->stands[half].values, number[half] - 1);
        for (uint32_t i = 0; i < h->slots[half]; i++) memcpy(&stand[h->slot[half][i]], from + 2 * i, 2);
    }
    mc_unlock(&r->lock);
    return decided(w, stand);
}

static const struct mc_decision *choose_halves(struct mc_worker *w, uint32_t left, uint32_t right)
{
    uint64_t hash = (left | (uint64_t)right << 32) * 0x9E3779B97F4A7C15u;
    struct known *k = &feet_of(w)->known[hash >> (64 - KNOWN_BITS)];
    if (__builtin_expect(!k->decision || k->left != left || k->right != right, 0)) {
        uint32_t decision = decide_anew(w, left, right);
        *k = (struct known){left, right, decision};
    }
    return k->decision == NONE ? NULL : &feet_of(w)->decision[k->decision - 1];
}

static const struct mc_reduction_ops partial_order = {
    .name = "partial order",
    .choose = choose,
    .choose_halves = choose_halves,
    .number_half = number_half,
    .goes_back = goes_back,
    .note_value = note_rank,
    .begin_level = give_up_if_useless,
    .free_worker = free_feet,
    .free = free_partial_order,
};

bool mc_attach_partial_order(struct mc_space *s, const struct mc_reduction_options *o)
{
    const struct mc_program *p = &s->p;
    struct partial_order *r = calloc(1, sizeof *r);
    if (!r) return false;
    r->o = *o;
    r->count = MC_FIRST_FOOTPRINT;
    r->key = calloc(MC_MOST_FOOTPRINTS, sizeof *r->key);
    r->index = calloc(INDEX, sizeof *r->index);
    r->rounds = calloc(p->components, 1);
    r->rank = calloc(p->components, sizeof *r->rank);
    r->come = calloc(p->components, p->positions + 1ull);
    r->first = calloc(p->components, sizeof *r->first);
    r->footprint = mc_grown(NULL, 0, MC_MOST_FOOTPRINTS * sizeof *r->footprint);
    mc_attach(s, MC_CHOOSE, &partial_order, r);
    if (!r->key || !r->index || !r->footprint || !r->rounds || !r->rank || !r->come || !r->first) return false;
    for (uint32_t i = 0; i < p->components; i++) r->rounds[i] = o->rounds[p->component[i].class_number];
    return true;
}
