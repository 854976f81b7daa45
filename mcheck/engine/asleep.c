/* Sleep sets: who is independent of whom in a state, and the sets of a level. See asleep.h. */
#include "asleep.h"

#include "search.h"

/* --- the sets of a level ---------------------------------------------------------------------------------------- */

enum { LEAST_BITS = 8, PLACES = 8, PLACES_OF_WIDE = 4 };

bool mc_let_sleep(struct mc_engine *e, uint32_t blind)
{
    struct mc_asleep *a = e->space.asleep = calloc(1, sizeof *a);
    if (!a) return false;
    uint32_t slots = e->space.p.slots - 1; /* slot 0 is the initialisation, beside which nobody lives */
    a->width = slots <= 8 ? 1 : slots <= 16 ? 2 : slots <= 32 ? 4 : 8;
    a->partners_apart = blind;
    return true;
}

void mc_asleep_free(struct mc_asleep *a)
{
    if (!a) return;
    for (uint32_t i = 0; i < 2; i++) mc_release(a->set[i], a->room[i]);
    free(a);
}

uint64_t mc_memory_of_asleep(const struct mc_asleep *a) { return a ? a->room[0] + a->room[1] : 0; }

bool mc_sleep_on(struct mc_engine *e, uint64_t states)
{
    struct mc_asleep *a = e->space.asleep;
    a->now = !a->now;
    uint32_t next = !a->now, bits = LEAST_BITS;
    uint64_t places = states * (a->width > 2 ? PLACES_OF_WIDE : PLACES);
    while (1ull << bits < places) bits++;
    uint64_t bytes = (uint64_t)a->width << bits;
    if (bytes > a->room[next]) {
        uint8_t *wider = mc_grown(a->set[next], a->room[next], bytes);
        if (!wider) return false;
        a->set[next] = wider;
        a->room[next] = bytes;
        mc_huge(wider, bytes);
    }
    a->bits[next] = bits;
    memset(a->set[next], 0xFF, bytes);
    return true;
}

static uint64_t place_of(uint64_t root, uint32_t bits) { return root * 0x9E3779B97F4A7C15u >> (64 - bits); }

static uint64_t who_sleeps(const struct mc_asleep *a, uint64_t root)
{
    const uint8_t *set = a->set[a->now];
    if (!set) return 0;
    uint64_t place = place_of(root, a->bits[a->now]);
    switch (a->width) {
    case 1: return (uint64_t)set[place] << 1;
    case 2: return (uint64_t)((const uint16_t *)(const void *)set)[place] << 1;
    case 4: return (uint64_t)((const uint32_t *)(const void *)set)[place] << 1;
    default: return ((const uint64_t *)(const void *)set)[place] << 1;
    }
}

#define LESSEN(type)                                                                                  \
    {                                                                                                 \
        type *at = (type *)(void *)set + place;                                                       \
        if (shared) __atomic_fetch_and(at, (type)who, __ATOMIC_RELAXED);                              \
        else *at &= (type)who;                                                                        \
    }

void mc_reached_asleep(struct mc_worker *w, uint64_t root, uint64_t who)
{
    const struct mc_asleep *a = w->space->asleep;
    bool shared = w->space->crew.working > 1;
    uint8_t *set = a->set[!a->now];
    uint64_t place = place_of(root, a->bits[!a->now]);
    who >>= 1;
    switch (a->width) {
    case 1: LESSEN(uint8_t) break;
    case 2: LESSEN(uint16_t) break;
    case 4: LESSEN(uint32_t) break;
    default: LESSEN(uint64_t)
    }
}

/* --- who is independent of whom --------------------------------------------------------------------------------- */

/* Of two footprints: both are ready, and one may write what the other uses, or wait for the other; one is ready, and may meet
 * the other, who waits, or has to do with what goes when its wait ends. */
enum { DEPENDENT = 1, MEETS = 2, KNOWN = 4, FEW = 1024 };

static bool writes_what_it_uses(const struct mc_reduction_options *o, const struct mc_footprint *a, const struct mc_footprint *b)
{
    for (uint32_t k = 0; k < o->var_words; k++)
        if (a->next_writes[k] & (b->next_reads[k] | b->next_writes[k])) return true;
    return false;
}

static bool may_meet(const struct mc_reduction_options *o, const struct mc_footprint *a, const uint64_t *sends, const uint64_t *receives)
{
    for (uint32_t k = 0; k < o->speak_words; k++)
        if ((a->next_sends[k] & receives[k]) | (a->next_receives[k] & sends[k])) return true;
    return false;
}

static __attribute__((noinline)) uint8_t work_out(const struct mc_worker *w, uint32_t a, uint32_t b)
{
    const struct mc_reduction_options *o = mc_footprint_options(w->space);
    const struct mc_footprint *x = mc_footprint_of(w->space, a), *y = mc_footprint_of(w->space, b);
    bool touch = writes_what_it_uses(o, x, y) || writes_what_it_uses(o, y, x);
    uint8_t found = KNOWN;
    if (touch || may_meet(o, x, y->next_sends, y->next_receives)) found |= DEPENDENT;
    if ((touch || may_meet(o, x, y->offers_send, y->offers_receive)) && !w->space->asleep->partners_apart) found |= MEETS;
    if (a < FEW && b < FEW) w->sleeper->known[a * FEW + b] = found;
    return found;
}

static inline uint8_t relation(const struct mc_worker *w, uint32_t a, uint32_t b)
{
    uint8_t found = a < FEW && b < FEW ? w->sleeper->known[a * FEW + b] : 0;
    return found ? found : work_out(w, a, b);
}

/* --- of a half --------------------------------------------------------------------------------------------------- */

/* Words: how many are ready, how many wait (UINT16_MAX: of somebody nothing is known); then of each its slot and footprint,
 * and a set: of who is ready, those of the half on whom it is dependent; of who waits, those whom it may meet. */
enum { WAITS_SHIFT = 16, FOOT_SHIFT = 16 };
static uint32_t slot_in(uint32_t word) { return word & MC_NOBODY; }
static uint64_t set_of(const uint32_t *words) { return words[1] | (uint64_t)words[2] << 32; }

static void put_set(uint32_t *words, uint64_t set)
{
    words[1] = (uint32_t)set;
    words[2] = (uint32_t)(set >> 32);
}

static uint64_t slot_bit(uint32_t slot) { return slot < MC_MOST_ASLEEP ? 1ull << slot : 0; }

uint32_t mc_note_alive(struct mc_worker *w, const uint32_t *slot, uint32_t slots, uint32_t *to)
{
    uint32_t ready = 0, waiting = 0, first = w->space->p.first_waiting, *word = to + 1;
    for (uint32_t waits = 0; waits < 2; waits++) {
        for (uint32_t i = 0; i < slots; i++) {
            uint32_t position = w->at[slot[i]];
            if (!position || (position >= first) != waits) continue;
            uint32_t foot = mc_footprint_number(w, slot[i]);
            if (foot < MC_FIRST_FOOTPRINT) {
                to[0] = (uint32_t)UINT16_MAX << WAITS_SHIFT;
                return 1;
            }
            if (waits) waiting++;
            else ready++;
            *word = slot[i] | foot << FOOT_SHIFT;
            put_set(word, 0);
            word += MC_ALIVE_WORDS;
        }
    }
    to[0] = ready | waiting << WAITS_SHIFT;
    uint32_t *end = word, *waits = to + 1 + MC_ALIVE_WORDS * ready;
    for (uint32_t *a = to + 1; a < waits; a += MC_ALIVE_WORDS) {
        for (uint32_t *b = to + 1; b < waits; b += MC_ALIVE_WORDS)
            if (a != b && relation(w, *a >> FOOT_SHIFT, *b >> FOOT_SHIFT) & DEPENDENT) put_set(a, set_of(a) | slot_bit(slot_in(*b)));
        for (uint32_t *b = waits; b < end; b += MC_ALIVE_WORDS)
            if (relation(w, *a >> FOOT_SHIFT, *b >> FOOT_SHIFT) & MEETS) put_set(b, set_of(b) | slot_bit(slot_in(*a)));
    }
    return (uint32_t)(end - to);
}

/* Those who may meet the same one are dependent on each other. */
static void join(struct mc_sleeper *x, uint64_t who)
{
    if (!(who & (who - 1))) return;
    for (uint64_t left = who; left; left &= left - 1) x->apart[__builtin_ctzll(left)] &= ~who;
}

void mc_look_at_halves(struct mc_worker *w, const uint32_t *left, const uint32_t *right)
{
    struct mc_sleeper *x = w->sleeper;
    const uint32_t *half[2] = {left, right};
    const uint32_t *ready[2], *waits[2], *end[2];
    uint64_t all = 0;
    x->is_looked_at = true;
    bool known = left[0] >> WAITS_SHIFT != UINT16_MAX && right[0] >> WAITS_SHIFT != UINT16_MAX;
    for (uint32_t i = 0; known && i < 2; i++) {
        ready[i] = half[i] + 1;
        waits[i] = ready[i] + MC_ALIVE_WORDS * (half[i][0] & 0xFFFF);
        end[i] = waits[i] + MC_ALIVE_WORDS * (half[i][0] >> WAITS_SHIFT);
        for (const uint32_t *a = ready[i]; a < waits[i]; a += MC_ALIVE_WORDS) all |= slot_bit(slot_in(*a));
    }
    x->ready = all & (all - 1) ? all : 0;
    if (!x->ready) return;
    for (uint32_t i = 0; i < 2; i++)
        for (const uint32_t *a = ready[i]; a < waits[i]; a += MC_ALIVE_WORDS) {
            uint32_t slot = slot_in(*a);
            if (slot < MC_MOST_ASLEEP) x->apart[slot] = all & ~set_of(a) & ~slot_bit(slot);
        }
    for (const uint32_t *a = ready[0]; a < waits[0]; a += MC_ALIVE_WORDS)
        for (const uint32_t *b = ready[1]; b < waits[1]; b += MC_ALIVE_WORDS)
            if (relation(w, *a >> FOOT_SHIFT, *b >> FOOT_SHIFT) & DEPENDENT) {
                uint64_t p = slot_bit(slot_in(*a)), q = slot_bit(slot_in(*b));
                if (p) x->apart[slot_in(*a)] &= ~q;
                if (q) x->apart[slot_in(*b)] &= ~p;
            }
    for (uint32_t i = 0; i < 2; i++)
        for (const uint32_t *m = waits[i]; m < end[i]; m += MC_ALIVE_WORDS) {
            uint64_t who = set_of(m);
            for (const uint32_t *a = ready[!i]; a < waits[!i]; a += MC_ALIVE_WORDS)
                if (relation(w, *a >> FOOT_SHIFT, *m >> FOOT_SHIFT) & MEETS) who |= slot_bit(slot_in(*a));
            join(x, who);
        }
}

/* --- a state ------------------------------------------------------------------------------------------------------ */

void mc_sleeper_free(struct mc_worker *w)
{
    if (!w->sleeper) return;
    mc_release(w->sleeper->known, FEW * FEW);
    free(w->sleeper);
}

bool mc_begin_state(struct mc_worker *w, uint64_t root)
{
    struct mc_sleeper *x = w->sleeper;
    if (!x) {
        x = w->sleeper = calloc(1, sizeof *x);
        if (x) x->known = mc_grown(NULL, 0, FEW * FEW);
        if (!x || !x->known) return false;
    }
    x->before = w->asleep = who_sleeps(w->space->asleep, root);
    x->acting = MC_NOBODY;
    x->is_looked_at = false;
    x->count += (uint64_t)__builtin_popcountll(w->asleep);
    return true;
}

/* The whole state, as if it were one half. */
static void look_at_state(struct mc_worker *w)
{
    const uint32_t none[1] = {0};
    uint32_t slot[MC_MOST_SLOTS], words[1 + MC_MOST_SLOTS * MC_ALIVE_WORDS];
    for (uint32_t i = 0; i < w->space->p.slots; i++) slot[i] = i;
    mc_note_alive(w, slot, w->space->p.slots, words);
    mc_look_at_halves(w, words, none);
}

uint64_t mc_who_may_sleep(struct mc_worker *w, uint32_t slot)
{
    struct mc_sleeper *x = w->sleeper;
    if (!x->is_looked_at) look_at_state(w);
    if (slot != x->acting) {
        if (x->acting != MC_NOBODY) x->before |= slot_bit(x->acting);
        x->acting = slot;
    }
    return x->ready & slot_bit(slot) ? x->before & x->apart[slot] : 0;
}

uint64_t mc_slept(const struct mc_engine *e)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < e->made; i++) n += e->searcher[i]->worker.sleeper ? e->searcher[i]->worker.sleeper->count : 0;
    return n;
}
