/* Of all states that symmetry takes for the same, the one that is kept. See symmetry.h.
 *
 * Processes and channels get colours, made of what they hold and who holds them, until that tells no more of them apart. Then
 * slots are sorted by colour, and channels are numbered as they come. Where two have the same colour, either is as good as the
 * other (if not, which is rare, two states are kept that could be one): one gets a colour of its own, and so on.
 */
#include "reduce/symmetry_internal.h"

enum { SLOTS = MC_MOST_SLOTS, HELD = 0x51ED27, HELD_FOR_NOBODY = 0x9E377 };

struct coloured {
    struct mc_worker *w;
    const struct mc_symmetry *y;
    struct mc_symmetric *x;
    uint32_t slots;                        /* of the program */
    struct mc_sym_view view[SLOTS];        /* of who lives; `known` 0: nobody */
    uint64_t colour[SLOTS];
    uint32_t holders, holder[SLOTS];       /* slots that hold tokens */
    mc_slot order[SLOTS];                  /* by new slot: the old one */
    uint32_t tokens, token[MC_SYM_TOKENS]; /* that are held anywhere */
    uint16_t index[MC_SYM_TOKENS];         /* in the list, + 1 */
    uint64_t token_colour[MC_SYM_TOKENS], sum[MC_SYM_TOKENS];
    uint64_t base[MC_SYM_TOKENS];          /* what module variables make of it */
    uint16_t owner[MC_SYM_TOKENS];         /* the only slot that holds it; SLOTS: there are others, or variables */
    uint16_t to[MC_SYM_TOKENS];
    uint32_t next[MC_SYM_SPACES];
    const uint8_t *over;
    bool settled;
};

static bool is_fixed(const struct coloured *c, uint32_t token) { return token >= MC_MOST_SLOTS && !c->settled; }

static uint32_t listed(struct coloured *c, uint32_t token)
{
    if (c->index[token]) return c->index[token] - 1u;
    uint32_t i = c->tokens++;
    c->token[i] = token;
    c->index[token] = (uint16_t)c->tokens;
    c->base[i] = mc_mix(is_fixed(c, token) ? token + 1 : token >> MC_SLOT_BITS);
    c->owner[i] = MC_SYM_NONE;
    return i;
}

static const uint8_t *held_at(const struct coloured *c, const struct mc_sym_held *h)
{
    return mc_value(mc_values_of(c->w->space, h->component), c->w->v[h->component]) + h->offset;
}

static bool is_dead(const struct coloured *c, const struct mc_sym_held *h) { return h->dead && c->over[(h->dead - 1) * (c->w->space->p.positions + 1)]; }

/* Who lives, and what all hold. */
static bool collect(struct coloured *c)
{
    const struct mc_space *s = c->w->space;
    const struct mc_sym_options *o = &c->y->o;
    for (uint32_t slot = 0; slot < c->slots; slot++) {
        uint32_t component = s->p.slot_component[slot], value = c->w->v[component];
        c->order[slot] = (mc_slot)slot;
        c->view[slot].known = 0;
        uint32_t position = mc_values_of(s, component)->position[value];
        if (slot == 0) {
            c->over = o->over + position;
            c->settled = o->settled[position];
        }
        if (!position) continue;
        const struct mc_sym_view *v = mc_sym_view(c->w, slot, value);
        if (!v) return false;
        c->view[slot] = *v;
        c->colour[slot] = v->hash;
        if (!v->tokens) continue;
        c->holder[c->holders++] = slot;
        for (uint32_t i = 0; i < v->tokens; i++) {
            uint32_t t = listed(c, c->x->held[v->first + i].token);
            c->owner[t] = c->owner[t] == MC_SYM_NONE || c->owner[t] == slot ? (uint16_t)slot : SLOTS;
        }
    }
    for (uint32_t i = 0; i < o->helds; i++) {
        const struct mc_sym_held *h = &o->held[i];
        uint32_t token = mc_sym_token(c->y, held_at(c, h), h->kind, h->size);
        if (token == MC_SYM_NONE) continue;
        uint32_t t = listed(c, token);
        if (is_dead(c, h)) {
            c->base[t] += mc_mix(HELD_FOR_NOBODY);
            continue;
        }
        c->base[t] += mc_mix(HELD + i);
        c->owner[t] = SLOTS;
    }
    return true;
}

/* --- colours ------------------------------------------------------------------------------------------------------ */

static uint64_t mixed_with(uint64_t a, uint64_t b) { return mc_mix(a * 0x9E3779B97F4A7C15u + b); }

static uint32_t index_of(const struct coloured *c, uint32_t place) { return c->index[c->x->held[place].token] - 1u; }

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* How many colours there are. */
static uint32_t count_colours(const struct coloured *c)
{
    uint64_t all[SLOTS + MC_SYM_TOKENS];
    uint32_t n = 0, found = 0;
    for (uint32_t i = 0; i < c->holders; i++) all[n++] = c->colour[c->holder[i]];
    for (uint32_t i = 0; i < c->tokens; i++) all[n++] = c->token_colour[i];
    qsort(all, n, sizeof *all, by_number);
    for (uint32_t i = 0; i < n; i++) found += i == 0 || all[i] != all[i - 1];
    return found;
}

static void one_round(struct coloured *c)
{
    for (uint32_t i = 0; i < c->tokens; i++) c->sum[i] = c->base[i];
    for (uint32_t i = 0; i < c->holders; i++) {
        const struct mc_sym_view *v = &c->view[c->holder[i]];
        for (uint32_t k = 0; k < v->tokens; k++) c->sum[index_of(c, v->first + k)] += mixed_with(c->colour[c->holder[i]], k);
    }
    for (uint32_t i = 0; i < c->tokens; i++) c->token_colour[i] = mixed_with(c->token_colour[i], c->sum[i]);
    for (uint32_t i = 0; i < c->holders; i++) {
        const struct mc_sym_view *v = &c->view[c->holder[i]];
        uint64_t colour = c->colour[c->holder[i]];
        for (uint32_t k = 0; k < v->tokens; k++) colour = mixed_with(colour, c->token_colour[index_of(c, v->first + k)]);
        c->colour[c->holder[i]] = colour;
    }
}

static void refine(struct coloured *c)
{
    uint32_t all = c->holders + c->tokens, before = 0;
    for (;;) {
        one_round(c);
        uint32_t now = count_colours(c);
        if (now == all || now <= before) return;
        before = now;
    }
}

/* --- order -------------------------------------------------------------------------------------------------------- */

/* What stays the same from state to state comes first, so that little moves. */
static bool comes_before(const struct coloured *c, uint32_t a, uint32_t b)
{
    bool a_lives = c->view[a].known, b_lives = c->view[b].known;
    if (a_lives != b_lives || !a_lives) return a_lives && !b_lives;
    if (c->view[a].hash != c->view[b].hash) return c->view[a].hash < c->view[b].hash;
    return c->colour[a] < c->colour[b];
}

static void sort(struct coloured *c, const struct mc_sym_group *g)
{
    mc_slot *order = c->order + g->first_slot;
    for (uint32_t i = 1; i < g->slots; i++) {
        mc_slot slot = order[i];
        uint32_t k = i;
        for (; k > 0 && comes_before(c, slot, order[k - 1]); k--) order[k] = order[k - 1];
        order[k] = slot;
    }
}

static bool same_colour(const struct coloured *c, uint32_t a, uint32_t b)
{
    return c->view[a].known && c->view[b].known && c->view[a].hash == c->view[b].hash && c->colour[a] == c->colour[b];
}

/* Of the same colour, but not the same: their channels are others. */
static bool is_tie(const struct coloured *c, uint32_t a, uint32_t b)
{
    const uint32_t *component = c->w->space->p.slot_component;
    return same_colour(c, a, b) && c->view[a].tokens && c->w->v[component[a]] != c->w->v[component[b]];
}

/* Does nobody else know what this one holds, but for what `like` holds in the same place? */
static bool is_private(const struct coloured *c, uint32_t slot, uint32_t like)
{
    const struct mc_sym_view *v = &c->view[slot];
    for (uint32_t k = 0; k < v->tokens; k++) {
        uint32_t token = c->x->held[v->first + k].token;
        if (c->owner[c->index[token] - 1u] != slot && token != c->x->held[c->view[like].first + k].token) return false;
    }
    return true;
}

/* The first processes that cannot be told apart: all of them get colours of their own if nothing else depends on who gets
 * which, else one does. */
static bool part(struct coloured *c)
{
    for (uint32_t i = 0; i < c->y->o.groups; i++) {
        const struct mc_sym_group *g = &c->y->o.group[i];
        const mc_slot *order = c->order + g->first_slot;
        for (uint32_t k = 0; k + 1 < g->slots; k++) {
            uint32_t first = order[k], m = k + 1;
            if (!is_tie(c, first, order[m])) continue;
            bool alone = is_private(c, first, first);
            for (; m < g->slots && same_colour(c, first, order[m]); m++) alone = alone && is_private(c, order[m], first);
            for (uint32_t n = k; n < (alone ? m : k + 1); n++) c->colour[order[n]] = mixed_with(c->colour[order[n]], n - k + 1);
            return true;
        }
    }
    return false;
}

static void bring_into_order(struct coloured *c)
{
    do {
        if (c->tokens) refine(c);
        for (uint32_t i = 0; i < c->y->o.groups; i++)
            if (c->y->o.group[i].slots > 1) sort(c, &c->y->o.group[i]);
    } while (c->tokens && part(c));
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static void give_number(struct coloured *c, uint32_t i)
{
    uint32_t token = c->token[i], space = token >> MC_SLOT_BITS;
    if (c->to[i] != MC_SYM_NONE) return;
    if (is_fixed(c, token)) {
        c->to[i] = token & (MC_MOST_SLOTS - 1);
        return;
    }
    while (c->y->o.fixed[space * MC_MOST_SLOTS + c->next[space]]) c->next[space]++;
    c->to[i] = (uint16_t)c->next[space]++;
}

/* As they come: in module variables, then slot by slot; then those that are only kept from others. */
static void number_tokens(struct coloured *c)
{
    const struct mc_sym_options *o = &c->y->o;
    struct { uint64_t colour, index; } rest[MC_SYM_TOKENS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->tokens; i++) c->to[i] = MC_SYM_NONE;
    for (uint32_t i = 0; i < MC_SYM_SPACES; i++) c->next[i] = 0;
    for (uint32_t i = 0; i < o->helds; i++) {
        uint32_t token = mc_sym_token(c->y, held_at(c, &o->held[i]), o->held[i].kind, o->held[i].size);
        if (token != MC_SYM_NONE && !is_dead(c, &o->held[i])) give_number(c, c->index[token] - 1u);
    }
    for (uint32_t slot = 0; slot < c->slots; slot++) {
        const struct mc_sym_view *v = &c->view[c->order[slot]];
        for (uint32_t k = 0; v->known && k < v->tokens; k++) give_number(c, index_of(c, v->first + k));
    }
    for (uint32_t i = 0; i < c->tokens; i++) {
        if (c->to[i] != MC_SYM_NONE) continue;
        rest[n].colour = c->token_colour[i];
        rest[n++].index = i;
    }
    if (n > 1) qsort(rest, n, sizeof *rest, by_number);
    for (uint32_t i = 0; i < n; i++) give_number(c, (uint32_t)rest[i].index);
}

/* --- the state ---------------------------------------------------------------------------------------------------- */

/* The value of the process in slot `from`, in slot `to`. */
static uint32_t value_in(struct coloured *c, uint32_t from, uint32_t to)
{
    const struct mc_space *s = c->w->space;
    const struct mc_sym_view *v = &c->view[from];
    uint32_t component = s->p.slot_component[from], value = c->w->v[component];
    bool same = from == to || !v->refers;
    if (!v->known) return value;
    for (uint32_t k = 0; k < v->tokens && same; k++) {
        uint32_t token = c->x->held[v->first + k].token;
        same = c->to[c->index[token] - 1u] == (token & (MC_MOST_SLOTS - 1));
    }
    if (same) return value;
    uint8_t *bytes = c->x->bytes;
    memcpy(bytes, mc_value(mc_values_of(s, component), value), s->p.component[component].size);
    if (v->refers) {
        const struct mc_sym_group *g = c->y->group_of[from];
        uint32_t places = mc_sym_places(s, from, bytes, c->x->found);
        for (uint32_t i = 0; i < places; i++) {
            uint8_t *at = bytes + c->x->found[i].offset;
            if (c->x->found[i].kind >= MC_SYM_TOKEN || !mc_sym_points(g, at, c->x->found[i].kind)) continue;
            mc_sym_put(at, 2, mc_sym_number(at, 2) + to * g->stride - from * g->stride);
        }
    }
    for (uint32_t k = 0; k < v->tokens; k++) {
        const struct mc_sym_held_at *h = &c->x->held[v->first + k];
        mc_sym_put(bytes + h->offset, h->size, c->to[index_of(c, v->first + k)]);
    }
    return mc_intern_value(mc_values_of(s, component), bytes);
}

static uint32_t renumbered(const struct coloured *c, const struct mc_sym_held *h)
{
    const uint8_t *at = held_at(c, h);
    uint32_t token = mc_sym_token(c->y, at, h->kind, h->size);
    return token == MC_SYM_NONE ? mc_sym_number(at, h->size) : c->to[c->index[token] - 1u];
}

/* What nobody asks for any more only keeps numbers from others, wherever it lies. */
static void sort_dead(const struct coloured *c, uint64_t *dead)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->y->o.helds; i++)
        if (is_dead(c, &c->y->o.held[i])) dead[n++] = renumbered(c, &c->y->o.held[i]);
    if (n > 1) qsort(dead, n, sizeof *dead, by_number);
}

static uint32_t *change(struct coloured *c, uint32_t *out, uint32_t component, uint32_t value)
{
    if (value == c->w->v[component]) return out;
    *out++ = component;
    *out++ = value;
    return out;
}

static uint32_t *change_variables(struct coloured *c, uint32_t *out)
{
    const struct mc_space *s = c->w->space;
    const struct mc_sym_options *o = &c->y->o;
    uint64_t *dead = c->x->dead;
    uint32_t used = 0;
    sort_dead(c, dead);
    for (uint32_t i = 0, end; i < o->helds; i = end) {
        uint32_t component = o->held[i].component;
        const uint8_t *value = mc_value(mc_values_of(s, component), c->w->v[component]);
        memcpy(c->x->bytes, value, s->p.component[component].size);
        for (end = i; end < o->helds && o->held[end].component == component; end++) {
            const struct mc_sym_held *h = &o->held[end];
            mc_sym_put(c->x->bytes + h->offset, h->size, is_dead(c, h) ? (uint32_t)dead[used++] : renumbered(c, h));
        }
        if (memcmp(value, c->x->bytes, s->p.component[component].size) == 0) continue;
        out = change(c, out, component, mc_intern_value(mc_values_of(s, component), c->x->bytes));
    }
    return out;
}

/* The changes that lead to the state that is kept, from the one in `v`. */
static uint32_t *changes_of(struct coloured *c, uint32_t *out, bool *moved)
{
    const struct mc_space *s = c->w->space;
    *moved = false;
    for (uint32_t slot = 0; slot < c->slots; slot++) {
        uint32_t from = c->order[slot];
        c->x->moved[from] = (mc_slot)slot;
        *moved |= from != slot;
        out = change(c, out, s->p.slot_component[slot], value_in(c, from, slot));
    }
    return change_variables(c, out);
}

/* First those of the step, unless they are changed once more. */
static uint32_t put_together(const struct mc_successor *s, uint32_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < s->changed; i++) {
        bool there = false;
        for (uint32_t k = 0; k < n && !there; k++) there = out[2 * k] == s->changes[2 * i];
        if (there) continue;
        out[2 * n] = s->changes[2 * i];
        out[2 * n++ + 1] = s->changes[2 * i + 1];
    }
    return n;
}

void mc_symmetric_root(struct mc_worker *w, struct mc_successor *s)
{
    struct coloured c;
    uint32_t old[MC_MOST_COMPONENTS];
    bool moved = false;
    uint32_t n = 0;
    c.w = w;
    c.y = mc_symmetry_of(w->space);
    c.x = mc_symmetric_of(w);
    c.slots = w->space->p.slots;
    c.holders = c.tokens = 0;
    s->moved = NULL;
    if (!c.x) {
        w->space->crew.out_of_memory = true;
        return;
    }
    memset(c.index, 0, sizeof c.index);
    for (uint32_t i = 0; i < s->changed; i++) {
        old[i] = w->v[s->changes[2 * i]];
        w->v[s->changes[2 * i]] = s->changes[2 * i + 1];
    }
    if (collect(&c)) {
        for (uint32_t i = 0; i < c.tokens; i++) c.token_colour[i] = 0;
        bring_into_order(&c);
        number_tokens(&c);
        n = (uint32_t)(changes_of(&c, c.x->out, &moved) - c.x->out) / 2;
        w->reduced[MC_CANONICAL].states += n > 0;
    } else {
        w->space->crew.out_of_memory = true;
    }
    for (uint32_t i = s->changed; i-- > 0;) w->v[s->changes[2 * i]] = old[i];
    n = put_together(s, c.x->out, n);
    s->root = mc_root_after(w, c.x->out, n);
    if (moved) s->moved = c.x->moved;
}
