/* A way of states that are kept, as the program goes it: step by step the same step is looked for from the state in which the
 * program really is, and which slot of the one is which of the other. See symmetry.h.
 */
#include "reduce/symmetry_internal.h"

/* One of the steps from a state that is kept to the next one: who acts, and the states before and after it, before anything is
 * exchanged, as values of components. */
struct sought {
    uint32_t ordinal, slot, partner, meeting;
    uint32_t *before, *after;
    bool found;
};

/* The next state that is kept. */
struct kept { uint32_t ordinal, passed; uint64_t root; mc_slot moved[MC_MOST_SLOTS]; bool found; };

struct paired {
    const struct mc_symmetry *y;
    struct mc_symmetric *x;
    struct sought *sought;
    mc_slot real[MC_MOST_SLOTS];  /* by slot of the state that is kept */
    mc_slot after[MC_MOST_SLOTS]; /* and after the step */
    uint16_t token[MC_SYM_TOKENS], back[MC_SYM_TOKENS]; /* numbers here and there, + 1 */
    uint32_t *values;   /* of the real state after the step */
    uint8_t *lived;     /* in the state that is kept, before the step */
    const uint8_t *over;
    struct mc_sym_found *found;
    uint64_t root;
    uint32_t slot; /* whose the step is */
    bool there;
    bool settled;       /* names are exchanged, not only channels */
};

static void values_after(const struct mc_worker *w, const struct mc_successor *s, uint32_t *to)
{
    memcpy(to, w->v, 4ull * w->space->p.components);
    for (uint32_t i = 0; i < s->changed; i++) to[s->changes[2 * i]] = s->changes[2 * i + 1];
}

static bool is_sought(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct sought *x = context;
    if (s->ordinal != x->ordinal) return true;
    if (s->fault) return false;
    x->found = true;
    x->slot = s->slot;
    x->partner = s->partner;
    x->meeting = mc_without_partner(s->meeting);
    values_after(w, s, x->after);
    return false;
}

static bool is_kept(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct kept *x = context;
    if (s->ordinal != x->ordinal) return true;
    x->found = !s->fault;
    x->passed = s->passed;
    x->root = s->root;
    for (uint32_t slot = 0; slot < w->space->p.slots && x->found; slot++) x->moved[slot] = s->moved ? s->moved[slot] : (mc_slot)slot;
    return false;
}

static uint32_t position_of(const struct mc_space *s, uint32_t slot, const uint32_t *values)
{
    uint32_t component = s->p.slot_component[slot];
    return mc_values_of(s, component)->position[values[component]];
}

/* Who is new is the same in both: they come in the order of the slots that were free. False: others live there. */
static bool pair_slots(struct mc_worker *w, struct paired *p)
{
    const struct mc_space *s = w->space;
    for (uint32_t g = 0; g < p->y->o.groups; g++) {
        const struct mc_sym_group *group = &p->y->o.group[g];
        uint32_t end = group->first_slot + group->slots, fresh = group->first_slot, count = 0;
        for (uint32_t slot = group->first_slot; slot < end; slot++) {
            if (!position_of(s, slot, p->sought->after)) continue;
            if (p->lived[slot]) {
                p->after[slot] = p->real[slot];
            } else { /* `v` holds the real state before the step */
                while (fresh < end && (position_of(s, fresh, w->v) || !position_of(s, fresh, p->values))) fresh++;
                if (fresh == end) return false;
                p->after[slot] = (mc_slot)fresh++;
            }
            if (!position_of(s, p->after[slot], p->values)) return false;
            count++;
        }
        for (uint32_t slot = group->first_slot; slot < end; slot++) count -= position_of(s, slot, p->values) != 0;
        if (count) return false;
    }
    return true;
}

static bool pair_tokens(struct paired *p, uint32_t here, uint32_t there)
{
    if ((here == MC_SYM_NONE) != (there == MC_SYM_NONE)) return false;
    if (here == MC_SYM_NONE) return true;
    if (here >= MC_MOST_SLOTS && !p->settled && here != there) return false;
    if (!p->token[here] && !p->back[there]) {
        p->token[here] = (uint16_t)(there + 1);
        p->back[there] = (uint16_t)(here + 1);
    }
    return p->token[here] == there + 1 && here >> MC_SLOT_BITS == there >> MC_SLOT_BITS;
}

static bool same_record(struct mc_worker *w, struct paired *p, uint32_t slot)
{
    const struct mc_space *s = w->space;
    uint32_t other = p->after[slot], component = s->p.slot_component[slot], size = s->p.component[component].size;
    const uint8_t *here = mc_value(mc_values_of(s, component), p->sought->after[component]);
    const uint8_t *there = mc_value(mc_values_of(s, component), p->values[s->p.slot_component[other]]);
    const struct mc_sym_group *g = p->y->group_of[slot];
    uint32_t places = mc_sym_places(s, slot, here, p->found);
    memcpy(p->x->bytes, there, size);
    for (uint32_t i = 0; i < places; i++) {
        const struct mc_sym_found *f = &p->found[i];
        uint8_t *at = p->x->bytes + f->offset;
        if (f->kind >= MC_SYM_TOKEN) {
            uint32_t token = mc_sym_token(p->y, here + f->offset, f->kind, f->size);
            if (!pair_tokens(p, token, mc_sym_token(p->y, at, f->kind, f->size))) return false;
            if (token != MC_SYM_NONE) memcpy(at, here + f->offset, f->size);
        } else if (mc_sym_points(g, at, f->kind)) {
            mc_sym_put(at, 2, mc_sym_number(at, 2) + slot * g->stride - other * g->stride);
        }
    }
    return memcmp(here, p->x->bytes, size) == 0;
}

static bool same_variables(struct mc_worker *w, struct paired *p)
{
    const struct mc_space *s = w->space;
    const struct mc_sym_options *o = &p->y->o;
    uint32_t i = 0;
    for (uint32_t component = 0; component < s->p.components; component++) {
        if (s->p.component[component].slot >= 0) continue;
        const uint8_t *here = mc_value(mc_values_of(s, component), p->sought->after[component]);
        const uint8_t *there = mc_value(mc_values_of(s, component), p->values[component]);
        uint32_t size = s->p.component[component].size;
        memcpy(p->x->bytes, there, size);
        for (i = 0; i < o->helds; i++) {
            const struct mc_sym_held *h = &o->held[i];
            if (h->component != component) continue;
            uint32_t token = mc_sym_token(p->y, here + h->offset, h->kind, h->size);
            bool dead = h->dead && p->over[(h->dead - 1) * (s->p.positions + 1)];
            if (!dead && !pair_tokens(p, token, mc_sym_token(p->y, there + h->offset, h->kind, h->size))) return false;
            if (dead || token != MC_SYM_NONE) memcpy(p->x->bytes + h->offset, here + h->offset, h->size);
        }
        if (memcmp(here, p->x->bytes, size)) return false;
    }
    return true;
}

/* What is held for nobody is the same as a set: each number as often here as there. */
static bool same_dead(struct mc_worker *w, struct paired *p)
{
    const struct mc_space *s = w->space;
    const struct mc_sym_options *o = &p->y->o;
    uint32_t here[MC_SYM_TOKENS] = {0}, there[MC_SYM_TOKENS] = {0}, left[2][MC_SYM_TOKENS] = {{0}};
    for (uint32_t i = 0; i < o->helds; i++) {
        const struct mc_sym_held *h = &o->held[i];
        if (!h->dead || !p->over[(h->dead - 1) * (s->p.positions + 1)]) continue;
        const struct mc_values *v = mc_values_of(s, h->component);
        uint32_t a = mc_sym_token(p->y, mc_value(v, p->sought->after[h->component]) + h->offset, h->kind, h->size);
        uint32_t b = mc_sym_token(p->y, mc_value(v, p->values[h->component]) + h->offset, h->kind, h->size);
        if (a != MC_SYM_NONE) here[a]++;
        if (b != MC_SYM_NONE) there[b]++;
    }
    for (uint32_t t = 0; t < MC_SYM_TOKENS; t++) {
        if (p->token[t]) {
            if (here[t] != there[p->token[t] - 1]) return false;
        } else if (here[t] < MC_SYM_TOKENS) {
            left[0][here[t]] += here[t] != 0;
        }
        if (!p->back[t] && there[t] < MC_SYM_TOKENS) left[1][there[t]] += there[t] != 0;
    }
    return memcmp(left[0], left[1], sizeof left[0]) == 0;
}

static bool is_paired(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct paired *p = context;
    const struct sought *sought = p->sought;
    if (s->fault || s->slot != (sought->slot == MC_NOBODY ? MC_NOBODY : p->real[sought->slot])) return true;
    if (s->partner != (sought->partner == MC_NOBODY ? MC_NOBODY : p->real[sought->partner])) return true;
    if (mc_without_partner(s->meeting) != sought->meeting) return true;
    values_after(w, s, p->values);
    memset(p->token, 0, sizeof p->token);
    memset(p->back, 0, sizeof p->back);
    if (!pair_slots(w, p)) return true;
    p->over = p->y->o.over + position_of(w->space, 0, sought->after);
    p->settled = p->y->o.settled[position_of(w->space, 0, sought->after)];
    bool same = same_variables(w, p);
    for (uint32_t slot = 0; slot < w->space->p.slots && same; slot++)
        if (position_of(w->space, slot, sought->after)) same = same_record(w, p, slot);
    if (!same || !same_dead(w, p)) return true;
    p->there = true;
    p->root = s->root;
    p->slot = s->slot;
    return false;
}

/* One step of both ways. */
static bool go(struct mc_worker *w, struct paired *p, uint64_t *real)
{
    struct sought *x = p->sought;
    const struct mc_space *s = w->space;
    w->is_decoded = false;
    memcpy(w->v, x->before, 4ull * s->p.components);
    for (uint32_t slot = 0; slot < s->p.slots; slot++) p->lived[slot] = position_of(s, slot, w->v) != 0;
    x->found = p->there = false;
    w->rootless = true;
    mc_expand(w, is_sought, x);
    w->rootless = false;
    if (!x->found) return false;
    mc_decode(w, *real);
    w->unreduced = true;
    mc_expand(w, is_paired, p);
    w->unreduced = false;
    if (!p->there) return false;
    for (uint32_t slot = 0; slot < s->p.slots; slot++)
        if (position_of(s, slot, x->after)) p->real[slot] = p->after[slot];
    memcpy(x->before, x->after, 4ull * s->p.components);
    *real = p->root;
    return true;
}

/* From a state that is kept to the next, with all that lie between. */
static bool go_to_next(struct mc_worker *w, struct paired *p, struct kept *k, uint64_t *real, uint64_t most, uint8_t *blocks,
                       mc_slot *slots)
{
    const struct mc_space *s = w->space;
    k->found = false;
    mc_expand_to_kept(w, is_kept, k);
    if (!k->found || k->passed >= most) return false;
    memcpy(p->sought->before, w->v, 4ull * s->p.components);
    for (uint32_t i = 0; i <= k->passed; i++) {
        p->sought->ordinal = i ? 0 : k->ordinal;
        if (!go(w, p, real)) return false;
        if (slots) slots[i] = (mc_slot)p->slot;
        mc_decode(w, *real);
        mc_put_state(w, blocks + (uint64_t)i * s->p.block_size);
    }
    memcpy(p->after, p->real, sizeof p->after);
    for (uint32_t slot = 0; slot < s->p.slots; slot++)
        if (position_of(s, slot, p->sought->after)) p->real[k->moved[slot]] = p->after[slot];
    mc_decode(w, k->root);
    return true;
}

bool mc_symmetric_path(struct mc_worker *w, const uint32_t *ordinals, uint64_t count, uint8_t *blocks, mc_slot *slots)
{
    struct mc_symmetry *y = mc_symmetry_of(w->space);
    uint32_t n = w->space->p.components, size = w->space->p.block_size;
    uint8_t lived[MC_MOST_SLOTS];
    struct kept kept;
    struct sought sought = {.before = malloc(4ull * n), .after = malloc(4ull * n)};
    struct paired p = {.y = y, .x = mc_symmetric_of(w), .sought = &sought, .lived = lived};
    p.values = malloc(4ull * n);
    p.found = malloc((y->widest + 1ull) * sizeof *p.found);
    uint64_t real = mc_initial(w);
    mc_put_state(w, blocks);
    for (uint32_t slot = 0; slot < MC_MOST_SLOTS; slot++) p.real[slot] = (mc_slot)slot;
    bool good = sought.before && sought.after && p.values && p.found && p.x;
    for (uint64_t i = 0; i < count && good; i += 1ull + kept.passed) {
        kept.ordinal = ordinals[i];
        good = go_to_next(w, &p, &kept, &real, count - i, blocks + (i + 1) * size, slots ? slots + i : NULL);
    }
    memcpy(y->real, p.real, sizeof y->real);
    free(sought.before);
    free(sought.after);
    free(p.values);
    free(p.found);
    return good;
}
