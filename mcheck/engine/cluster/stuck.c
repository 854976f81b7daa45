/* Partial deadlocks of a distributed search. The argument is that of search/partial_deadlock.c: fine states are found backwards, by
 * sweeps; what is left is closed under successors, and there the greatest set of (state, slot) that no step contradicts is what is
 * stuck. Here a successor may be elsewhere. Its owner is asked in each round, and answers if what it knows changes something. So
 * nothing is kept of a step, and both are fixed points that do not depend on who was asked first. */
#include "cluster/cluster.h"
#include "model/state_name.h"
#include "search/partial_deadlock.h"

enum { MASK_WORDS = MC_MOST_SLOTS / 64 };

struct slots { uint64_t w[MASK_WORDS]; };

struct mc_rank_stuck {
    uint16_t *fine;  /* bits of the table's entries, line by line */
    uint64_t line;   /* of the round */
    uint64_t changed;
    struct mc_visits rest; /* that are not fine */
    struct slots *masks;   /* who may be stuck in each of them */
    uint64_t masks_room, at;
    uint64_t *elsewhere, elsewhere_room, elsewhere_count; /* successors of one state */
    uint64_t entry;
    struct slots now;
    bool found;
};

static uint32_t mask_words(const struct mc_engine *e) { return (e->space.p.slots + 63) / 64; }

uint32_t mc_stuck_words(const struct mc_engine *e)
{
    uint32_t round = e->cluster->round, mask = 2 * mask_words(e);
    return round == MC_ROUND_ASK_STUCK ? 2 + 2 * mask : round == MC_ROUND_STUCK ? 2 + mask : 2;
}

static bool is_fine(const struct mc_rank_stuck *s, uint64_t entry) { return s->fine[entry / MC_LINE] >> entry % MC_LINE & 1; }

static void set_fine(struct mc_rank_stuck *s, uint64_t entry)
{
    s->changed += !is_fine(s, entry);
    s->fine[entry / MC_LINE] |= (uint16_t)(1u << entry % MC_LINE);
}

static uint64_t entry_of(const struct mc_engine *e, uint64_t root) { return mc_find(&e->store.roots, mc_permute_root(root)); }
static uint64_t root_of(const struct mc_engine *e, uint64_t entry)
{
    return mc_unpermute(mc_mixed_of(&e->store.roots, entry / MC_LINE, e->store.roots.entry[entry]));
}
static uint64_t entries(const struct mc_engine *e) { return (e->store.roots.lines + MC_TAIL) * MC_LINE; }

uint32_t mc_cluster_stuck_begin(struct mc_engine *e)
{
    struct mc_rank_stuck *s = calloc(1, sizeof *s);
    if (!s) return 0;
    e->cluster->stuck = s;
    s->fine = calloc(e->store.roots.lines + MC_TAIL, sizeof *s->fine);
    return s->fine && mc_visits_new(&s->rest);
}

void mc_cluster_stuck_end(struct mc_engine *e)
{
    struct mc_rank_stuck *s = e->cluster->stuck;
    if (!s) return;
    mc_visits_free(&s->rest);
    mc_release(s->masks, s->masks_room * sizeof *s->masks);
    mc_release(s->elsewhere, 8 * s->elsewhere_room);
    free(s->fine);
    free(s);
    e->cluster->stuck = NULL;
    e->cluster->round = MC_ROUND_STATES;
}

void mc_cluster_round(struct mc_engine *e, uint32_t round)
{
    e->cluster->round = round;
    e->cluster->stuck->line = e->cluster->stuck->at = 0;
}

uint64_t mc_cluster_changed(struct mc_engine *e)
{
    uint64_t changed = e->cluster->stuck->changed;
    e->cluster->stuck->changed = 0;
    return changed;
}

/* --- questions ------------------------------------------------------------------------------------------------- */

static void ask(struct mc_engine *e, uint64_t root, uint64_t number, const struct slots *mask, const struct slots *keep)
{
    struct mc_cluster *c = e->cluster;
    uint32_t rank = mc_cluster_owner(c, &e->space, root), n = mask_words(e);
    mc_cluster_put_root(e, rank, root);
    uint32_t *to = mc_cluster_room(c, &c->peer[rank].box, mc_stuck_words(e));
    if (!to) return;
    memcpy(to, &number, 8);
    if (!mask) return;
    memcpy(to + 2, mask->w, 8 * n);
    memcpy(to + 2 + 2 * n, keep->w, 8 * n);
}

static bool look_for_fine(struct mc_worker *w, const struct mc_successor *next, void *context)
{
    struct mc_engine *e = context;
    struct mc_rank_stuck *s = e->cluster->stuck;
    (void)w;
    bool own = !next->fault && mc_cluster_owner(e->cluster, &e->space, next->root) == e->cluster->rank;
    s->found = next->fault || (own && is_fine(s, entry_of(e, next->root)));
    if (s->found || own) return !s->found;
    void *at = s->elsewhere;
    if (!mc_widen(&at, &s->elsewhere_room, s->elsewhere_count + 1, 8)) {
        e->cluster->no_memory = true;
        return false;
    }
    s->elsewhere = at;
    s->elsewhere[s->elsewhere_count++] = next->root;
    return true;
}

static void ask_who_is_fine(struct mc_engine *e, uint64_t entry)
{
    struct mc_rank_stuck *s = e->cluster->stuck;
    struct mc_worker *w = &e->searcher[0]->worker;
    uint64_t root = root_of(e, entry);
    mc_decode(w, root);
    s->elsewhere_count = 0;
    s->found = !mc_anybody_waits(w);
    if (!s->found) mc_expand(w, look_for_fine, e);
    if (s->found) set_fine(s, entry);
    for (uint64_t i = 0; i < s->elsewhere_count && !s->found; i++) ask(e, s->elsewhere[i], entry, NULL, NULL);
}

static struct slots both(struct slots a, const struct slots *b)
{
    for (uint32_t i = 0; i < MASK_WORDS; i++) a.w[i] &= b->w[i];
    return a;
}

static bool is_any(const struct slots *m)
{
    for (uint32_t i = 0; i < MASK_WORDS; i++)
        if (m->w[i]) return true;
    return false;
}

/* Who is let go by this step, or may be let go later, is not stuck here. */
static bool look_for_release(struct mc_worker *w, const struct mc_successor *next, void *context)
{
    struct mc_engine *e = context;
    struct mc_rank_stuck *s = e->cluster->stuck;
    struct slots keep;
    memset(&keep, 0xFF, sizeof keep);
    for (uint32_t i = 0; i < next->changed; i++) {
        int32_t slot = w->space->p.component[next->changes[2 * i]].slot;
        if (slot >= 0) keep.w[slot / 64] &= ~(1ull << slot % 64);
    }
    s->now = both(s->now, &keep);
    if (mc_cluster_owner(e->cluster, &e->space, next->root) == e->cluster->rank) {
        uint32_t there = mc_visits_find(&s->rest, next->root);
        s->now = both(s->now, &s->masks[there]);
    } else if (is_any(&s->now)) {
        ask(e, next->root, s->at, &s->now, &keep);
    }
    return is_any(&s->now);
}

static void ask_who_is_stuck(struct mc_engine *e)
{
    struct mc_rank_stuck *s = e->cluster->stuck;
    struct mc_worker *w = &e->searcher[0]->worker;
    s->now = s->masks[s->at];
    if (!is_any(&s->now)) return;
    mc_decode(w, s->rest.root[s->at]);
    mc_expand(w, look_for_release, e);
    s->changed += memcmp(&s->now, &s->masks[s->at], sizeof s->now) != 0;
    s->masks[s->at] = s->now;
}

uint64_t mc_cluster_ask(struct mc_engine *e, uint32_t states)
{
    struct mc_rank_stuck *s = e->cluster->stuck;
    if (e->interrupted || mc_cluster_halted(e)) return 0;
    if (e->cluster->round == MC_ROUND_ASK_STUCK) {
        for (; states && s->at < s->rest.count; states--, s->at++) ask_who_is_stuck(e);
        return s->rest.count - s->at;
    }
    uint64_t lines = entries(e) / MC_LINE;
    for (uint32_t looked = 0; looked < states && s->line < lines; s->line++) {
        for (uint32_t i = 0; i < MC_LINE && e->store.roots.entry[s->line * MC_LINE + i]; i++) {
            uint64_t entry = s->line * MC_LINE + i;
            if (is_fine(s, entry)) continue;
            ask_who_is_fine(e, entry);
            looked++;
        }
    }
    return lines - s->line;
}

/* --- answers --------------------------------------------------------------------------------------------------- */

bool mc_stuck_asked(struct mc_engine *e, uint32_t rank, uint64_t root, const uint32_t *words)
{
    struct mc_cluster *c = e->cluster;
    struct mc_rank_stuck *s = c->stuck;
    uint32_t n = mask_words(e);
    uint32_t *to;
    if (c->round == MC_ROUND_ASK_FINE) {
        uint64_t entry = entry_of(e, root);
        if (entry == UINT64_MAX) return false;
        if (is_fine(s, entry) && (to = mc_cluster_room(c, &c->peer[rank].answers, 2))) memcpy(to, words, 8);
        return true;
    }
    uint32_t there = mc_visits_find(&s->rest, root);
    if (there == UINT32_MAX) return false;
    struct slots mask = {{0}}, keep = {{0}};
    memcpy(mask.w, words + 2, 8 * n);
    memcpy(keep.w, words + 2 + 2 * n, 8 * n);
    keep = both(keep, &s->masks[there]);
    struct slots left = both(mask, &keep);
    if (!memcmp(&left, &mask, sizeof left) || !(to = mc_cluster_room(c, &c->peer[rank].answers, 2 + 2 * n))) return true;
    memcpy(to, words, 8);
    memcpy(to + 2, keep.w, 8 * n);
    return true;
}

/* The boxes are empty: everything that was asked has come. */
void mc_cluster_answer(struct mc_engine *e)
{
    struct mc_cluster *c = e->cluster;
    for (uint32_t i = 0; i < c->ranks; i++) {
        struct mc_box box = c->peer[i].box;
        c->peer[i].box = c->peer[i].answers;
        c->peer[i].answers = box;
    }
}

bool mc_stuck_answered(struct mc_engine *e, const uint32_t *words, uint64_t count)
{
    struct mc_rank_stuck *s = e->cluster->stuck;
    uint32_t size = mc_stuck_words(e), n = mask_words(e);
    if (count % size) return false;
    for (const uint32_t *end = words + count; words < end; words += size) {
        uint64_t number;
        memcpy(&number, words, 8);
        if (e->cluster->round == MC_ROUND_FINE) {
            if (number >= entries(e)) return false;
            set_fine(s, number);
            continue;
        }
        if (number >= s->rest.count) return false;
        struct slots keep = {{0}};
        memcpy(keep.w, words + 2, 8 * n);
        keep = both(keep, &s->masks[number]);
        s->changed += memcmp(&keep, &s->masks[number], sizeof keep) != 0;
        s->masks[number] = keep;
    }
    return true;
}

/* --- the rest --------------------------------------------------------------------------------------------------- */

uint64_t mc_cluster_rest(struct mc_engine *e)
{
    struct mc_rank_stuck *s = e->cluster->stuck;
    struct mc_worker *w = &e->searcher[0]->worker;
    uint64_t total = entries(e);
    for (uint64_t entry = 0; entry < total; entry++) {
        uint32_t number;
        void *masks = s->masks;
        if (!e->store.roots.entry[entry] || is_fine(s, entry)) continue;
        uint64_t root = root_of(e, entry);
        if (!mc_visits_add(&s->rest, root, &number) || !mc_widen(&masks, &s->masks_room, number + 1ull, sizeof *s->masks)) return UINT64_MAX;
        s->masks = masks;
        mc_decode(w, root);
        for (uint32_t slot = 0; slot < e->space.p.slots; slot++)
            if (mc_waits_for_partner(w, slot)) s->masks[number].w[slot / 64] |= 1ull << slot % 64;
    }
    e->s.stuck_left = s->rest.count;
    return s->rest.count;
}

static uint32_t stuck_in(const struct mc_rank_stuck *s, uint64_t number)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < MASK_WORDS; k++) n += (uint32_t)__builtin_popcountll(s->masks[number].w[k]);
    return n;
}

uint32_t mc_cluster_most_stuck(const struct mc_engine *e)
{
    const struct mc_rank_stuck *s = e->cluster->stuck;
    uint32_t most = 0;
    for (uint64_t i = 0; i < s->rest.count; i++)
        if (stuck_in(s, i) > most) most = stuck_in(s, i);
    return most;
}

uint32_t mc_cluster_first_stuck(struct mc_engine *e, uint32_t count, uint32_t in_level)
{
    struct mc_rank_stuck *s = e->cluster->stuck;
    uint64_t roots[MC_CHUNK], n;
    for (uint64_t at = 0; at < e->levels_end; at += n) {
        n = mc_cluster_roots(e, at, roots);
        for (uint64_t i = 0; i < n; i++) {
            uint32_t number = mc_visits_find(&s->rest, roots[i]);
            if (number == UINT32_MAX || stuck_in(s, number) < count) continue;
            uint32_t level = mc_cluster_level_of(e, at + i);
            if (in_level == UINT32_MAX) return level;
            if (level > in_level) return level;
            if (level == in_level && !mc_cluster_look_for(e, at + i)) return UINT32_MAX;
        }
        if (!n) return UINT32_MAX;
    }
    return UINT32_MAX;
}

uint32_t mc_cluster_stuck_slots(struct mc_engine *e, const uint8_t *name, uint8_t *slots)
{
    const struct mc_rank_stuck *s = e->cluster->stuck;
    uint32_t number = mc_visits_find(&s->rest, mc_root_of_name(e->cluster->own, name));
    if (number == UINT32_MAX) return 0;
    for (uint32_t slot = 0; slot < e->space.p.slots; slot++) slots[slot] = s->masks[number].w[slot / 64] >> slot % 64 & 1;
    return 1;
}
