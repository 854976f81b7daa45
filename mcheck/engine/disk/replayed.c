/* Is what a checkpoint says a search of this program? Nobody vouches for it, so nothing is believed that can be found out: the
 * states are found once more, from the initial one, along the log; each must be in the table, and nothing else may be. So no
 * action ever runs on a state that the program cannot be in. What is left to believe is which of them need no visit.
 */
#include "disk/checkpoint.h"

/* Where a searcher's log is read. */
struct place { uint64_t at, owner; };

struct replayed {
    struct mc_engine *e;
    struct mc_worker *w;
    uint64_t *root;   /* by number; then those that have none yet, searcher by searcher */
    uint64_t found, states;
    uint8_t *met;     /* a bit for each entry of the table */
    struct place place[MC_MOST_THREADS];
    uint32_t *ordinal; /* of one state's successors */
    uint32_t ordinals, room;
};

/* --- the log -------------------------------------------------------------------------------------------------- */

static bool read_number(const struct mc_stream *log, uint64_t *at, uint64_t *n)
{
    *n = 0;
    for (uint32_t shift = 0; *at < log->used && shift < 64; shift += 7) {
        uint8_t byte = log->byte[(*at)++];
        *n |= (uint64_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80)) return true;
    }
    return false;
}

static bool read_step(const struct mc_stream *log, struct place *p, uint32_t *ordinal)
{
    uint64_t further, wide;
    if (p->at >= log->used) return false;
    uint8_t first = log->byte[p->at++];
    further = first >> 6;
    wide = first & 63;
    if (wide == MC_STEP_FAR && !(read_number(log, &p->at, &further) && read_number(log, &p->at, &wide))) return false;
    p->owner += further;
    *ordinal = (uint32_t)wide;
    return wide <= UINT32_MAX;
}

/* --- states --------------------------------------------------------------------------------------------------- */

static bool meet(struct replayed *r, uint64_t root)
{
    uint64_t entry = mc_find(&r->e->store.roots, mc_permute_root(root));
    if (entry == UINT64_MAX || r->met[entry / 8] >> entry % 8 & 1) return false;
    r->met[entry / 8] |= (uint8_t)(1u << entry % 8);
    r->root[r->found++] = root;
    return true;
}

struct named { struct replayed *r; uint32_t next; bool good; };

static bool take_named(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct named *x = context;
    (void)w;
    if (s->ordinal != x->r->ordinal[x->next]) return true;
    x->good = !s->fault && meet(x->r, s->root);
    return x->good && ++x->next < x->r->ordinals;
}

static void decode(struct replayed *r, uint64_t number)
{
    mc_decode(r->w, r->root[number]);
    r->w->early = mc_is_early_state(&r->e->space, number);
}

/* The successors of `owner` that have been gathered. */
static bool expand(struct replayed *r, uint64_t owner)
{
    struct named x = {r, 0, true};
    if (!r->ordinals) return true;
    decode(r, owner);
    mc_expand_to_kept(r->w, take_named, &x);
    bool all = x.good && x.next == r->ordinals;
    r->ordinals = 0;
    return all && !r->e->space.crew.out_of_memory;
}

static bool gather(struct replayed *r, uint32_t ordinal)
{
    if (r->ordinals == r->room) {
        uint32_t room = r->room ? r->room * 2 : 64, *more = realloc(r->ordinal, 4ull * room);
        if (!more) return false;
        r->ordinal = more;
        r->room = room;
    }
    r->ordinal[r->ordinals++] = ordinal;
    return true;
}

/* The next `count` states of a searcher, which states below `known` have found. */
static bool follow(struct replayed *r, uint32_t searcher, uint64_t count, bool numbered)
{
    const struct mc_stream *log = &r->e->searcher[searcher]->log;
    struct place *p = &r->place[searcher];
    uint64_t owner = UINT64_MAX;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t ordinal;
        if (!read_step(log, p, &ordinal)) return false;
        if (p->owner != owner && !expand(r, owner)) return false;
        owner = p->owner;
        if (owner >= (numbered ? r->found : r->e->levels_end) || !gather(r, ordinal)) return false;
    }
    return expand(r, owner);
}

static bool follow_marks(struct replayed *r)
{
    const struct mc_engine *e = r->e;
    for (uint64_t k = 0; k < e->marks_count; k++) {
        const struct mc_mark *m = &e->marks[k];
        uint64_t end = k + 1 < e->marks_count ? e->marks[k + 1].first : e->levels_end;
        const struct place *p = &r->place[m->searcher];
        if (m->first != r->found || end < m->first || end > e->levels_end) return false;
        if (m->at != p->at || m->owner != p->owner || !follow(r, m->searcher, end - m->first, true)) return false;
    }
    return r->found == e->levels_end;
}

/* What has been found of the next level. */
static bool follow_fresh(struct replayed *r)
{
    for (uint32_t i = 0; i < r->e->made; i++) {
        const struct mc_searcher *x = r->e->searcher[i];
        const struct place *p = &r->place[i];
        uint64_t first = r->found, n = 0;
        if (x->log_marked != p->at || x->owner_marked != p->owner || !follow(r, i, x->fresh, false)) return false;
        if (p->at != x->log.used || p->owner != x->last_owner) return false;
        for (uint64_t k = 0; k < x->next.count; k++)
            for (uint32_t j = 0; j < x->next.at[k].count; j++, n++)
                if (n >= x->fresh || x->next.at[k].root[j] != r->root[first + n]) return false;
        if (n != x->fresh) return false;
    }
    return r->found == r->states;
}

/* --- the rest ------------------------------------------------------------------------------------------------- */

static bool level_is_right(const struct replayed *r)
{
    const struct mc_engine *e = r->e;
    uint64_t first = e->levels_end - e->level_states;
    for (uint64_t k = 0; k < e->level.count; k++) {
        const struct mc_chunk *c = &e->level.at[k];
        if (c->first < first || c->first > e->levels_end || c->count > e->levels_end - c->first) return false;
        if (memcmp(c->root, r->root + c->first, 8ull * c->count) != 0) return false;
    }
    return true;
}

struct claimed { const struct mc_error *error; bool found; };

static bool is_claimed(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct claimed *x = context;
    const struct mc_error *e = x->error;
    (void)w;
    if (s->fault)
        x->found |= s->slot == e->slot && s->fault->kind == e->fault_kind && s->fault->site == e->fault_site &&
                    s->fault->first == e->fault_first && s->fault->second == e->fault_second;
    return !x->found;
}

static bool errors_come(struct replayed *r, const struct mc_error *error, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct claimed x = {&error[i], false};
        if (error[i].state >= r->e->levels_end || error[i].depth > r->e->s.depth) return false;
        decode(r, error[i].state);
        enum mc_end end = mc_expand_to_kept(r->w, is_claimed, &x);
        bool comes = error[i].kind == MC_FAULT ? x.found : error[i].kind == MC_DEADLOCK && end == MC_DEADLOCKED;
        if (!comes || r->e->space.crew.out_of_memory) return false;
    }
    return true;
}

static bool all_errors_come(struct replayed *r)
{
    bool come = errors_come(r, r->e->errors, r->e->s.errors);
    for (uint32_t i = 0; i < r->e->made && come; i++)
        come = errors_come(r, r->e->searcher[i]->errors, r->e->searcher[i]->error_count);
    return come;
}

/* As many states as the table has entries, and numbers that lie within each other. */
static bool counts_are_right(const struct mc_engine *e, uint64_t *states)
{
    uint64_t entries = 0, room = (e->store.roots.lines + MC_TAIL) * MC_LINE;
    for (uint64_t i = 0; i < room; i++) entries += e->store.roots.entry[i] != 0;
    *states = e->levels_end;
    for (uint32_t i = 0; i < e->made; i++) {
        if (e->searcher[i]->fresh > entries) return false;
        *states += e->searcher[i]->fresh;
    }
    if (e->levels_end < 1 || e->levels_end > entries || *states != entries || e->store.roots.count != entries) return false;
    return e->level_states <= e->levels_end && e->s.depth <= e->levels_end;
}

bool mc_is_replayed(struct mc_engine *e)
{
    struct replayed r = {.e = e, .w = &e->searcher[0]->worker};
    bool good = counts_are_right(e, &r.states);
    if (good) {
        r.root = malloc(8 * r.states);
        r.met = calloc(1, (e->store.roots.lines + MC_TAIL) * MC_LINE / 8);
        good = r.root && r.met && meet(&r, mc_initial(r.w));
    }
    good = good && follow_marks(&r) && follow_fresh(&r) && level_is_right(&r) && all_errors_come(&r);
    r.w->early = false;
    free(r.root);
    free(r.met);
    free(r.ordinal);
    return good;
}
