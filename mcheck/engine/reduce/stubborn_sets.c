/* Which slots' steps are enough in a state: persistent sets, closed from each slot that can act. See partial_order.h;
 * docs/theory/partial-order.md has the argument. */
#include "reduce/stubborn_sets.h"

#ifndef FIND /* stubborn_sets_small.c and stubborn_sets_wide.c are this file once more */
#define FIND mc_find_enough_of_few
#define VAR_WORDS(x) (x)->o->var_words
#define SPEAK_WORDS(x) (x)->o->speak_words
enum { WORDS = MC_FOOT_WORDS }; /* of these, at most */
#endif

#ifndef SET_OF
enum { MOST = MC_MOST_OF_FEW, MOST_ALONE = MC_ALONE_OF_FEW };
typedef uint64_t set_of;

static inline uint32_t lowest(set_of set) { return (uint32_t)__builtin_ctzll(set); }
static inline uint32_t size_of(set_of set) { return (uint32_t)__builtin_popcountll(set); }
static inline set_of without_lowest(set_of set) { return set & (set - 1); }
#endif

/* Who is alive in it, by numbers from 0; sets of them are bits. */
struct look {
    const struct mc_reduction_options *o;
    uint32_t count;
    mc_slot slot[MOST];
    const struct mc_footprint *foot[MOST];
    set_of can_go, waiting, interruptible; /* who has a step; who may be let go by others; by an interrupt */
    set_of bound;
    bool interrupts;                         /* may come */
    uint64_t free[WORDS];            /* communications of two, of which it does not matter who attempts first */
    set_of known, against[MOST];  /* whose next action is dependent on what the others can do, and on whose */
    set_of looked, lets_go[MOST];
    bool needs;                         /* of some it is known what must take place before what they do */
    uint64_t unmet[MOST][WORDS]; /* communications that this one cannot come to before one of the set acts */
    uint64_t lacks[MOST][WORDS]; /* what must take place for that */
};

static inline set_of bit(uint32_t i) { return (set_of)1 << i; }

/* False: of somebody it is not known what he does. */
static bool collect(struct look *x, const struct mc_footprint *footprint, const uint16_t *stand, uint32_t slots)
{
    x->count = 0;
    x->can_go = x->waiting = x->interruptible = x->bound = x->known = x->looked = 0;
    x->needs = false;
    for (uint32_t slot = 0; slot < slots; slot++) {
        if (!stand[slot]) continue;
        uint32_t number = stand[slot] & (MC_WAKES - 1u);
        if (number == MC_FOOT_UNKNOWN || x->count == MOST) return false;
        uint32_t i = x->count++;
        const struct mc_footprint *f = &footprint[number];
        x->slot[i] = (mc_slot)slot;
        x->foot[i] = f;
        if (f->flags & MC_FOOT_BOUND) x->bound |= bit(i);
        if (f->flags & MC_FOOT_READY || stand[slot] & MC_WAKES) x->can_go |= bit(i);
        if (!(f->flags & MC_FOOT_READY)) x->waiting |= bit(i);
        if (f->flags & MC_FOOT_INTERRUPTIBLE) x->interruptible |= bit(i);
        x->needs |= f->needs != 0;
    }
    return true;
}

/* A channel that only two can speak on, both plainly: whoever attempts first, both go on from there as they would. */
static void find_free(struct look *x)
{
    uint64_t once[WORDS] = {0}, twice[WORDS] = {0}, more[WORDS] = {0};
    for (uint32_t i = 0; i < x->count; i++) {
        const struct mc_footprint *f = x->foot[i];
        for (uint32_t k = 0; k < SPEAK_WORDS(x); k++) {
            uint64_t speaks = f->later_shares[k];
            more[k] |= (twice[k] & speaks) | f->later_selects[k];
            twice[k] |= once[k] & speaks;
            once[k] |= speaks;
        }
    }
    for (uint32_t k = 0; k < SPEAK_WORDS(x); k++) x->free[k] = x->o->harmless[k] & ~more[k];
}

static bool is_against(const struct look *x, const struct mc_footprint *next, const struct mc_footprint *later)
{
    for (uint32_t k = 0; k < VAR_WORDS(x); k++)
        if ((next->next_writes[k] & later->later_uses[k]) | (next->next_reads[k] & later->later_writes[k])) return true;
    for (uint32_t k = 0; k < SPEAK_WORDS(x); k++)
        if (next->next_speaks[k] & (later->later_sends[k] | later->later_receives[k]) & ~x->free[k]) return true;
    return false;
}

static bool is_against_interrupts(const struct look *x, uint32_t i)
{
    for (uint32_t k = 0; k < VAR_WORDS(x); k++)
        if ((x->foot[i]->next_writes[k] | x->foot[i]->next_reads[k]) & x->o->interrupts[k]) return true;
    return false;
}

static set_of all_against(struct look *x, uint32_t i)
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
    for (uint32_t k = 0; k < SPEAK_WORDS(x); k++)
        if ((later->later_sends[k] & waits->offers_receive[k]) | (later->later_receives[k] & waits->offers_send[k])) return true;
    return false;
}

/* Whom this one may let go, now or later. */
static set_of all_let_go(struct look *x, uint32_t i)
{
    if (x->looked & bit(i)) return x->lets_go[i];
    x->looked |= bit(i);
    x->lets_go[i] = 0;
    for (set_of left = x->waiting & ~bit(i); left; left = without_lowest(left))
        if (may_let_go(x, x->foot[i], x->foot[lowest(left)])) x->lets_go[i] |= bit(lowest(left));
    return x->lets_go[i];
}

/* Who may act before one of `set` does. */
static set_of active_without(struct look *x, set_of set)
{
    set_of active = x->can_go & ~set, todo = active;
    if (x->interrupts) todo = active |= x->interruptible & ~set;
    while (todo) {
        uint32_t i = lowest(todo);
        todo = without_lowest(todo);
        set_of more = all_let_go(x, i) & ~active & ~set;
        active |= more;
        todo |= more;
    }
    return active;
}

/* Of what `i` needs (`left`, by bits) that is dropped which those of `can` satisfy; what it cannot come to while only they take
 * place is what the rest is for. */
static uint32_t find_unmet(struct look *x, uint32_t i, const uint64_t *can, uint32_t left)
{
    const struct mc_footprint *f = x->foot[i];
    for (uint32_t k = 0; k < SPEAK_WORDS(x); k++) x->unmet[i][k] = x->lacks[i][k] = 0;
    for (uint32_t all = left; all; all &= all - 1) {
        uint32_t n = (uint32_t)__builtin_ctz(all);
        uint64_t lacks = 0;
        for (uint32_t k = 0; k < SPEAK_WORDS(x); k++) {
            uint64_t missing = f->need[n].of[k] & ~can[k];
            x->lacks[i][k] |= missing;
            lacks |= missing;
        }
        if (lacks) x->unmet[i][f->need[n].bit / 64] |= 1ull << f->need[n].bit % 64;
        else left &= ~(1u << n);
    }
    return left;
}

/* Does it lack one of these? */
static bool lacks_some(const struct look *x, uint32_t i, const uint64_t *fresh)
{
    uint64_t some = 0;
    for (uint32_t k = 0; k < SPEAK_WORDS(x); k++) some |= x->lacks[i][k] & fresh[k];
    return some;
}

/* Before anything has taken place; which these are. */
static uint32_t unmet_at_first(struct look *x, uint32_t i)
{
    const struct mc_footprint *f = x->foot[i];
    for (uint32_t k = 0; k < SPEAK_WORDS(x); k++) {
        x->unmet[i][k] = f->unmet_at_first[k];
        x->lacks[i][k] = f->lacks_at_first[k];
    }
    return (uint32_t)f->lacking;
}

/* Communications by bits: which can take place; which are offered, newly in this round. */
struct so_far {
    uint64_t can[WORDS];
    uint64_t sends[WORDS], receives[WORDS], new_sends[WORDS], new_receives[WORDS];
};

/* What `i` comes to. True: more communications can take place. */
static bool note_communications(const struct look *x, uint32_t i, struct so_far *y)
{
    const struct mc_footprint *f = x->foot[i];
    uint64_t more = 0;
    for (uint32_t k = 0; k < SPEAK_WORDS(x); k++) {
        uint64_t sends = f->later_sends[k] & ~x->unmet[i][k] & ~y->sends[k];
        uint64_t receives = f->later_receives[k] & ~x->unmet[i][k] & ~y->receives[k];
        y->new_sends[k] |= sends;
        y->new_receives[k] |= receives;
        y->sends[k] |= sends;
        y->receives[k] |= receives;
        uint64_t newly = y->sends[k] & y->receives[k] & ~y->can[k];
        y->can[k] |= newly;
        more |= newly;
    }
    return more;
}

/* Of those who wait, by what is newly offered. */
static set_of who_is_released(const struct look *x, set_of waiting, const struct so_far *y)
{
    uint64_t some = 0;
    for (uint32_t k = 0; k < SPEAK_WORDS(x); k++) some |= y->new_sends[k] | y->new_receives[k];
    set_of released = 0;
    for (set_of left = some ? waiting : 0; left; left = without_lowest(left)) {
        const struct mc_footprint *f = x->foot[lowest(left)];
        uint64_t met = 0;
        for (uint32_t k = 0; k < SPEAK_WORDS(x); k++)
            met |= (y->new_sends[k] & f->offers_receive[k]) | (y->new_receives[k] & f->offers_send[k]);
        if (met) released |= bit(lowest(left));
    }
    return released;
}

/* The same, more exactly: a process comes only as far as communications have taken place that it must come through, each with
 * a partner that is not of the set and comes to it. The least such sets of processes and communications: they only grow, in
 * whatever order, so each round looks at who is new and at those who lacked what has become possible. */
static set_of active_and_met_without(struct look *x, set_of set)
{
    set_of active = x->can_go & ~set, fresh = active, needing = 0;
    struct so_far y = {0};
    uint32_t needs[MOST];
    for (bool more = true; more;) {
        more = false;
        for (uint32_t k = 0; k < SPEAK_WORDS(x); k++) y.new_sends[k] = y.new_receives[k] = 0;
        for (set_of left = fresh | needing; left; left = without_lowest(left)) {
            uint32_t i = lowest(left);
            if (fresh & bit(i)) needs[i] = unmet_at_first(x, i);
            else if (!lacks_some(x, i, y.can)) continue;
            if (lacks_some(x, i, y.can)) needs[i] = find_unmet(x, i, y.can, needs[i]);
            if (needs[i]) needing |= bit(i);
            else needing &= ~bit(i);
            more |= note_communications(x, i, &y);
        }
        fresh = who_is_released(x, x->waiting & ~active & ~set, &y);
        active |= fresh;
        more |= fresh != 0;
    }
    return active;
}

static bool meets(const struct look *x, uint32_t i, uint32_t j)
{
    const struct mc_footprint *f = x->foot[i], *g = x->foot[j];
    for (uint32_t k = 0; k < VAR_WORDS(x); k++)
        if ((f->next_writes[k] & g->later_uses[k]) | (f->next_reads[k] & g->later_writes[k])) return true;
    for (uint32_t k = 0; k < SPEAK_WORDS(x); k++)
        if (f->next_speaks[k] & (g->later_sends[k] | g->later_receives[k]) & ~x->free[k] & ~x->unmet[j][k]) return true;
    return false;
}

/* Of those who may act before one of the set does: who does something then that the next action of one of the set depends on. */
static set_of dependent(struct look *x, set_of set, set_of *active)
{
    set_of against = 0, met = 0;
    *active = active_without(x, set);
    for (set_of left = set; left; left = without_lowest(left)) against |= all_against(x, lowest(left));
    against &= *active;
    if (!against || !x->needs || x->interrupts) return against;
    *active = active_and_met_without(x, set);
    against &= *active;
    for (set_of left = set; left; left = without_lowest(left))
        for (set_of all = all_against(x, lowest(left)) & against & ~met; all; all = without_lowest(all))
            if (meets(x, lowest(left), lowest(all))) met |= bit(lowest(all));
    return met;
}

/* Those who must act too so that nobody of `others`, who wait, is let go before. 0: it cannot be prevented. */
static set_of who_lets_go(struct look *x, set_of others, set_of active)
{
    set_of found = 0, seen = others;
    for (set_of now = others, next = 0; now; seen |= found | next, now = next, next = 0) {
        if (x->interrupts && x->interruptible & now) return 0;
        for (set_of left = active & ~seen; left; left = without_lowest(left)) {
            uint32_t j = lowest(left);
            if (!(all_let_go(x, j) & now)) continue;
            if (x->can_go & bit(j)) found |= bit(j);
            else next |= bit(j);
        }
    }
    return found;
}

/* The least set with this one that is enough; 0: there is none but all, or none of less than `most`. */
static set_of set_around(struct look *x, uint32_t seed, uint32_t most)
{
    set_of set = bit(seed);
    for (;;) {
        if (set & x->bound || size_of(set) >= most || set == x->can_go) return 0;
        set_of active, against = dependent(x, set, &active);
        for (set_of left = x->interrupts ? set : 0; left; left = without_lowest(left))
            if (is_against_interrupts(x, lowest(left))) return 0;
        if (!against) return set;
        set_of more = against & x->can_go, prevented = against & ~x->can_go;
        if (prevented) {
            set_of who = who_lets_go(x, prevented, active);
            if (!who) return 0;
            more |= who;
        }
        set |= more;
    }
}

/* Who attempts and finds nobody may begin to wait before all others act, if only it speaks on its side of these channels and
 * they attempt there plainly, with actions that touch nothing else: whoever it would have met later meets it now, and the
 * others come after that. */
static bool may_wait_first(struct look *x, uint32_t i)
{
    const struct mc_footprint *f = x->foot[i];
    if (!(f->flags & MC_FOOT_ATTEMPTS) || x->bound & bit(i) || x->interrupts) return false;
    for (uint32_t k = 0; k < SPEAK_WORDS(x); k++)
        if (f->next_speaks[k] & ~x->o->harmless[k] || f->next_sends[k] & f->next_receives[k]) return false;
    for (uint32_t j = 0; j < x->count; j++) {
        if (j == i) continue;
        const struct mc_footprint *g = x->foot[j];
        for (uint32_t k = 0; k < VAR_WORDS(x); k++)
            if ((f->next_writes[k] & g->later_uses[k]) | (f->next_reads[k] & g->later_writes[k])) return false;
        for (uint32_t k = 0; k < SPEAK_WORDS(x); k++) {
            if ((f->next_sends[k] & g->later_sends[k]) | (f->next_receives[k] & g->later_receives[k])) return false;
            if (f->next_speaks[k] & (g->later_selects[k] | g->later_entangled[k])) return false;
        }
    }
    return true;
}

/* Wherever this one attempts what the client attempts next, does it communicate only on channels on whose side nobody else
 * speaks, with partners that attempt there plainly, and do neither these nor its own actions touch anything else? */
static bool serves(const struct look *x, uint32_t s, const struct mc_footprint *client)
{
    const struct mc_footprint *f = x->foot[s];
    if (!(f->flags & MC_FOOT_ONLY_ATTEMPTS)) return false;
    bool beside = false;
    for (uint32_t k = 0; k < SPEAK_WORDS(x); k++) beside |= (client->next_speaks[k] & f->later_beside[k]) != 0;
    for (uint32_t k = 0; k < SPEAK_WORDS(x); k++) {
        uint64_t meets = client->next_speaks[k] | (beside ? f->later_beside[k] : 0);
        uint64_t sends = f->later_sends[k] & meets, receives = f->later_receives[k] & meets;
        if ((sends | receives) & (~x->o->harmless[k] | f->later_entangled[k]) || sends & receives) return false;
        for (uint32_t j = 0; j < x->count; j++) {
            const struct mc_footprint *g = x->foot[j];
            if (j == s) continue;
            if ((sends & g->later_sends[k]) | (receives & g->later_receives[k])) return false;
            if ((sends | receives) & (g->later_selects[k] | g->later_entangled[k])) return false;
        }
    }
    return true;
}

/* Who attempts plainly at one that serves, which does not wait yet, may begin to wait before all others act: what the server
 * does meanwhile without it, it does as well when those whom it meets come first. */
static bool may_come_first(struct look *x, uint32_t i)
{
    const struct mc_footprint *f = x->foot[i];
    if (!(f->flags & MC_FOOT_ATTEMPTS) || x->bound & bit(i) || x->interrupts) return false;
    for (uint32_t k = 0; k < SPEAK_WORDS(x); k++)
        if (f->next_speaks[k] & (f->later_selects[k] | f->later_entangled[k])) return false;
    for (uint32_t j = 0; j < x->count; j++) {
        if (j == i) continue;
        const struct mc_footprint *g = x->foot[j];
        bool met = false;
        for (uint32_t k = 0; k < SPEAK_WORDS(x); k++)
            met |= (f->next_sends[k] & g->later_receives[k]) | (f->next_receives[k] & g->later_sends[k]);
        if (met && !serves(x, j, f)) return false;
        for (uint32_t k = 0; k < VAR_WORDS(x); k++)
            if ((f->next_writes[k] & g->later_uses[k]) | (f->next_reads[k] & g->later_writes[k])) return false;
    }
    return true;
}

/* Does somebody wait plainly for what this one attempts? Then it does not begin to wait. */
static bool is_awaited(const struct look *x, uint32_t i)
{
    const struct mc_footprint *f = x->foot[i];
    for (set_of left = x->waiting & ~bit(i); left; left = without_lowest(left)) {
        const struct mc_footprint *g = x->foot[lowest(left)];
        for (uint32_t k = 0; k < SPEAK_WORDS(x); k++)
            if (((f->next_sends[k] & g->offers_receive[k]) | (f->next_receives[k] & g->offers_send[k])) & ~g->later_selects[k])
                return true;
    }
    return false;
}

static void keep(const struct look *x, set_of set, struct mc_chosen *to)
{
    memset(to, 0, sizeof *to);
    for (; set; set = without_lowest(set)) to->slots[x->slot[lowest(set)] / 64] |= 1ull << x->slot[lowest(set)] % 64;
}

/* The smallest sets come first, of equally small ones that of the first slot; each once. */
static uint32_t put_in_order(set_of *set, uint32_t count, set_of more)
{
    uint32_t at = count;
    for (uint32_t i = 0; i < count; i++)
        if (set[i] == more) return count;
    while (at > 0 && size_of(set[at - 1]) > size_of(more)) at--;
    if (at == MC_MOST_SETS) return count;
    if (count < MC_MOST_SETS) count++;
    memmove(set + at + 1, set + at, (count - 1 - at) * sizeof *set);
    set[at] = more;
    return count;
}

/* Who is enough alone, and sets of several. */
static set_of find_sets(struct look *x, struct mc_decision *to)
{
    uint32_t all = size_of(x->can_go) + x->interrupts;
    set_of set[MC_MOST_SETS], alone = 0;
    const struct mc_footprint *failed = NULL;
    for (set_of left = x->can_go & ~x->bound; left && size_of(alone) < MOST_ALONE; left = without_lowest(left)) {
        const struct mc_footprint *f = x->foot[lowest(left)];
        if (failed && !memcmp(f, failed, sizeof *f)) continue; /* there is no set around the like of it */
        set_of found = set_around(x, lowest(left), all);
        if (!found) failed = f;
        else if (found & (found - 1)) to->count = put_in_order(set, to->count, found);
        else alone |= found;
    }
    for (uint32_t i = 0; i < to->count; i++) keep(x, set[i], &to->set[i]);
    return alone;
}

static set_of find_first(struct look *x, set_of alone)
{
    set_of first = 0;
    for (set_of left = x->can_go & ~x->bound & ~alone; left && size_of(alone | first) < MOST_ALONE; left = without_lowest(left)) {
        if (is_awaited(x, lowest(left))) continue;
        if (may_wait_first(x, lowest(left)) || may_come_first(x, lowest(left))) first |= bit(lowest(left));
    }
    return first;
}

bool FIND(const struct mc_reduction_options *o, const struct mc_footprint *footprint, const uint16_t *stand,
                    uint32_t slots, bool interrupts, struct mc_decision *to)
{
    struct look x = {.o = o, .interrupts = interrupts};
    to->count = 0;
    if (!collect(&x, footprint, stand, slots)) return false;
    if (!(x.can_go & (x.can_go - 1)) && !x.interrupts) return false; /* there is nobody to leave out */
    find_free(&x);
    set_of alone = find_sets(&x, to), first = find_first(&x, alone);
    keep(&x, alone, &to->alone);
    keep(&x, first, &to->first);
    return to->count || alone || first;
}
