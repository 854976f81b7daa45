/* Chooses the slots whose steps are enough in a state. See reduce.h; docs/checker.md has the argument. */
#include "reduce.h"

#include "search.h"

enum { UNKNOWN = 1, FIRST_FOOTPRINT = 2 }; /* 0: not looked for yet */

struct key {
    uint32_t class_number, position;
    uint8_t constants[MC_MOST_CONSTANT_BYTES];
};

struct mc_reduction {
    struct mc_reduction_options o;
    uint32_t lock, count;
    struct key *key;
    struct mc_footprint *footprint;
    uint16_t *index; /* of keys, by hash; 0: free */
};

enum { INDEX = 4 * MC_MOST_FOOTPRINTS };

/* By class of components, then by value: the number of the footprint of who is there. Each worker has its own. */
struct mc_feet {
    uint16_t **of;
    uint32_t *room;
};

bool mc_reduce(struct mc_engine *e, const struct mc_reduction_options *o)
{
    struct mc_reduction *r = calloc(1, sizeof *r);
    if (!r) return false;
    r->o = *o;
    r->count = FIRST_FOOTPRINT;
    r->key = calloc(MC_MOST_FOOTPRINTS, sizeof *r->key);
    r->index = calloc(INDEX, sizeof *r->index);
    uint64_t bytes = MC_MOST_FOOTPRINTS * sizeof *r->footprint;
    r->footprint = mc_grown(NULL, 0, bytes);
    e->space.reduction = r;
    return r->key && r->index && r->footprint;
}

void mc_reset_dead(struct mc_engine *e, const uint32_t *first, const struct mc_piece *pieces)
{
    e->space.first_dead = first;
    e->space.dead = pieces;
}

void mc_reduction_free(struct mc_reduction *r)
{
    if (!r) return;
    free(r->key);
    free(r->index);
    mc_release(r->footprint, MC_MOST_FOOTPRINTS * sizeof *r->footprint);
    free(r);
}

uint64_t mc_reduced_states(const struct mc_engine *e)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < e->made; i++) n += e->searcher[i]->worker.reduced;
    return n;
}

void mc_feet_free(struct mc_worker *w)
{
    struct mc_feet *f = w->feet;
    if (!f) return;
    for (uint32_t i = 0; i < w->space->p.classes; i++) free(f->of[i]);
    free(f->of);
    free(f->room);
    free(f);
}

static bool new_feet(struct mc_worker *w)
{
    uint32_t n = w->space->p.classes;
    struct mc_feet *f = calloc(1, sizeof *f);
    if (!f) return false;
    f->of = calloc(n, sizeof *f->of);
    f->room = calloc(n, sizeof *f->room);
    w->feet = f;
    return f->of && f->room;
}

/* Under the lock. */
static uint16_t number_of(struct mc_reduction *r, const struct key *k, uint32_t slot)
{
    uint32_t i = (uint32_t)mc_hash_bytes((const uint8_t *)k, sizeof *k) % INDEX;
    while (r->index[i] && memcmp(&r->key[r->index[i]], k, sizeof *k)) i = (i + 1) % INDEX;
    if (r->index[i]) return r->index[i];
    if (r->count == MC_MOST_FOOTPRINTS) return UNKNOWN;
    uint16_t n = (uint16_t)r->count;
    if (!r->o.make(slot, k->position, k->constants, &r->footprint[n])) return UNKNOWN;
    r->count++;
    r->key[n] = *k;
    r->index[i] = n;
    return n;
}

/* Who is in `slot`: the first time that its component has this value. */
static __attribute__((noinline)) uint16_t find_footprint(struct mc_worker *w, uint32_t slot, uint32_t value)
{
    const struct mc_space *s = w->space;
    struct mc_reduction *r = s->reduction;
    uint32_t component = s->p.slot_component[slot], class_number = s->p.component[component].class_number;
    if (!w->feet && !new_feet(w)) return UNKNOWN;
    struct mc_feet *f = w->feet;
    if (value >= f->room[class_number]) {
        uint32_t old = f->room[class_number], room = old ? old * 2 : 64;
        while (room <= value) room *= 2;
        uint16_t *wider = realloc(f->of[class_number], 2ull * room);
        if (!wider) return UNKNOWN;
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
    uint16_t found = number_of(r, &k, slot);
    mc_unlock(&r->lock);
    f->of[class_number][value] = found;
    return found;
}

static inline uint16_t footprint_of(struct mc_worker *w, uint32_t slot)
{
    const struct mc_space *s = w->space;
    uint32_t component = s->p.slot_component[slot], class_number = s->p.component[component].class_number;
    uint32_t value = w->v[component];
    const struct mc_feet *f = w->feet;
    if (f && value < f->room[class_number] && f->of[class_number][value]) return f->of[class_number][value];
    return find_footprint(w, slot, value);
}

/* --- one state ------------------------------------------------------------------------------------------------- */

/* Who is alive in it, by numbers from 0; sets of them are bits. */
struct look {
    const struct mc_reduction *r;
    uint32_t count;
    uint8_t slot[MC_MOST_ALIVE];
    const struct mc_footprint *foot[MC_MOST_ALIVE];
    uint64_t can_go, waiting, interruptible; /* who has a step; who may be let go by others; by an interrupt */
    uint64_t bound;
    bool interrupts;                         /* may come */
    uint64_t free[MC_FOOT_WORDS];            /* communications of two, of which it does not matter who attempts first */
    uint64_t known, against[MC_MOST_ALIVE];  /* whose next action is dependent on what the others can do, and on whose */
    uint64_t looked, lets_go[MC_MOST_ALIVE];
};

static inline uint64_t bit(uint32_t i) { return 1ull << i; }
static inline uint32_t lowest(uint64_t set) { return (uint32_t)__builtin_ctzll(set); }

static bool collect(struct mc_worker *w, struct look *x, bool wakes)
{
    const struct mc_program *p = &w->space->p;
    x->count = 0;
    x->can_go = x->waiting = x->interruptible = x->bound = 0;
    for (uint32_t slot = 0; slot < p->slots; slot++) {
        uint32_t position = w->at[slot];
        if (!position) continue;
        if (x->count == MC_MOST_ALIVE) return false;
        uint16_t number = footprint_of(w, slot);
        if (number == UNKNOWN) return false;
        uint32_t i = x->count++;
        const struct mc_action *a = &p->action[position];
        x->slot[i] = (uint8_t)slot;
        x->foot[i] = &x->r->footprint[number];
        if (x->foot[i]->bound) x->bound |= bit(i);
        if (position < p->first_waiting) {
            x->can_go |= bit(i);
            continue;
        }
        if (wakes && mc_timed_clauses(w, a, slot)) x->can_go |= bit(i);
        x->waiting |= bit(i);
        if (a->kind) x->interruptible |= bit(i);
    }
    x->interrupts = p->interrupts != 0;
    return true;
}

/* A channel that only two can speak on, both plainly: whoever attempts first, both go on from there as they would. */
static void find_free(struct look *x)
{
    uint64_t once[MC_FOOT_WORDS] = {0}, twice[MC_FOOT_WORDS] = {0}, more[MC_FOOT_WORDS] = {0};
    for (uint32_t i = 0; i < x->count; i++) {
        const struct mc_footprint *f = x->foot[i];
        for (uint32_t k = 0; k < x->r->o.speak_words; k++) {
            uint64_t speaks = f->later_sends[k] | f->later_receives[k];
            more[k] |= (twice[k] & speaks) | f->later_selects[k];
            twice[k] |= once[k] & speaks;
            once[k] |= speaks;
        }
    }
    for (uint32_t k = 0; k < x->r->o.speak_words; k++) x->free[k] = x->r->o.harmless[k] & ~more[k];
}

static bool is_against(const struct look *x, const struct mc_footprint *next, const struct mc_footprint *later)
{
    for (uint32_t k = 0; k < x->r->o.var_words; k++)
        if ((next->next_writes[k] & later->later_uses[k]) | (next->next_reads[k] & later->later_writes[k])) return true;
    for (uint32_t k = 0; k < x->r->o.speak_words; k++)
        if (next->next_speaks[k] & (later->later_sends[k] | later->later_receives[k]) & ~x->free[k]) return true;
    return false;
}

static bool is_against_interrupts(const struct look *x, uint32_t i)
{
    for (uint32_t k = 0; k < x->r->o.var_words; k++)
        if ((x->foot[i]->next_writes[k] | x->foot[i]->next_reads[k]) & x->r->o.interrupts[k]) return true;
    return false;
}

static uint64_t all_against(struct look *x, uint32_t i)
{
    if (x->known & bit(i)) return x->against[i];
    x->known |= bit(i);
    x->against[i] = 0;
    for (uint32_t j = 0; j < x->count; j++)
        if (j != i && is_against(x, x->foot[i], x->foot[j])) x->against[i] |= bit(j);
    return x->against[i];
}

static bool may_let_go(const struct look *x, const struct mc_footprint *later, const struct mc_footprint *waits)
{
    for (uint32_t k = 0; k < x->r->o.speak_words; k++)
        if ((later->later_sends[k] & waits->offers_receive[k]) | (later->later_receives[k] & waits->offers_send[k])) return true;
    return false;
}

/* Whom this one may let go, now or later. */
static uint64_t all_let_go(struct look *x, uint32_t i)
{
    if (x->looked & bit(i)) return x->lets_go[i];
    x->looked |= bit(i);
    x->lets_go[i] = 0;
    for (uint64_t left = x->waiting & ~bit(i); left; left &= left - 1)
        if (may_let_go(x, x->foot[i], x->foot[lowest(left)])) x->lets_go[i] |= bit(lowest(left));
    return x->lets_go[i];
}

/* Who may act before one of `set` does. */
static uint64_t active_without(struct look *x, uint64_t set)
{
    uint64_t active = x->can_go & ~set, todo = active;
    if (x->interrupts) todo = active |= x->interruptible & ~set;
    while (todo) {
        uint32_t i = lowest(todo);
        todo &= todo - 1;
        uint64_t more = all_let_go(x, i) & ~active & ~set;
        active |= more;
        todo |= more;
    }
    return active;
}

/* Those who must act too so that nobody of `others`, who wait, is let go before. 0: it cannot be prevented. */
static uint64_t who_lets_go(struct look *x, uint64_t others, uint64_t active)
{
    uint64_t found = 0, todo = others, seen = others;
    while (todo) {
        uint32_t i = lowest(todo);
        todo &= todo - 1;
        if (x->interrupts && x->interruptible & bit(i)) return 0;
        for (uint64_t left = active & ~seen; left; left &= left - 1) {
            uint32_t j = lowest(left);
            if (!(all_let_go(x, j) & bit(i))) continue;
            seen |= bit(j);
            if (x->can_go & bit(j)) found |= bit(j);
            else todo |= bit(j);
        }
    }
    return found;
}

/* The least set with this one that is enough; 0: there is none but all, or none of less than `most`. */
static uint64_t set_around(struct look *x, uint32_t seed, uint32_t most)
{
    uint64_t set = bit(seed);
    for (;;) {
        if (set & x->bound || (uint32_t)__builtin_popcountll(set) >= most || set == x->can_go) return 0;
        uint64_t active = active_without(x, set), against = 0;
        for (uint64_t left = set; left; left &= left - 1) {
            against |= all_against(x, lowest(left));
            if (x->interrupts && is_against_interrupts(x, lowest(left))) return 0;
        }
        against &= active;
        if (!against) return set;
        uint64_t more = against & x->can_go, prevented = against & ~x->can_go;
        if (prevented) {
            uint64_t who = who_lets_go(x, prevented, active);
            if (!who) return 0;
            more |= who;
        }
        set |= more;
    }
}

bool mc_choose(struct mc_worker *w, bool wakes, struct mc_chosen *chosen)
{
    struct look x;
    x.r = w->space->reduction;
    if (!collect(w, &x, wakes) || !(x.can_go & ~x.bound)) return false;
    if (!(x.can_go & (x.can_go - 1)) && !x.interrupts) return false; /* there is nobody to leave out */
    find_free(&x);
    x.known = x.looked = 0;
    uint64_t best = 0;
    uint32_t most = (uint32_t)__builtin_popcountll(x.can_go) + x.interrupts;
    for (uint64_t left = x.can_go & ~x.bound; left && most > 1; left &= left - 1) {
        uint64_t set = set_around(&x, lowest(left), most);
        if (!set) continue;
        best = set;
        most = (uint32_t)__builtin_popcountll(set);
    }
    if (!best) return false;
    memset(chosen, 0, sizeof *chosen);
    for (; best; best &= best - 1) chosen->slots[x.slot[lowest(best)] / 64] |= bit(x.slot[lowest(best)] % 64);
    return true;
}
