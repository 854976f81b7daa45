/* Strongly connected components on the fly, in the way of Tarjan, Couvreur, and Geldenhuys and Valmari: a cycle is seen
 * as soon as its last edge is. Strong fairness: a component that violates some pairs is searched again without the
 * states in which these are enabled (Emerson and Lei). Everything is iterative but this, which goes no deeper than there
 * are pairs.
 *
 * Invariants of one search: `order` of a state is 0 before it is met, then its place in the order of meeting, CY_DEAD when
 * its component is complete. `active` holds the met states that are not dead, in that order; the components of the part
 * of the graph that has been seen lie on it one after the other, each with an entry in `part`.
 */
#include "ltl/emptiness_internal.h"
#include "ltl/reach_terminal.h"
#include "ltl/shorten_lasso.h"

enum { CY_DEAD = UINT32_MAX };

struct frame { uint32_t state, next, end; uint64_t first; }; /* its edges lie at `first` in the buffer */
struct part { uint64_t marks, incoming, enabled; uint32_t order; bool cyclic; };

/* What one pass over a part of the graph needs. */
struct pass {
    struct frame *frame;
    struct part *part;
    uint32_t *active;
    struct cy_edge *edge;
    uint32_t frames, parts, actives, frames_room, parts_room, actives_room;
    uint64_t edges, edges_room;
    uint32_t next_order, group;
};

static bool room_for_states(struct search *x)
{
    if (x->states.broken) return false;
    if (x->states.count <= x->per_state) return true;
    uint32_t room = x->states.room;
    uint32_t *order = realloc(x->order, sizeof *order * room);
    if (!order) return false;
    x->order = order;
    memset(x->order + x->per_state, 0, sizeof *order * (room - x->per_state));
    x->per_state = room;
    return true;
}

static bool accepted(const struct cy_graph *g, const struct part *p)
{
    return p->cyclic && (p->marks & g->all) == g->all && !(p->enabled & ~(g->pairs ? p->marks >> g->taken : 0));
}

/* No component that has this state accepts: the search goes through it, and need not know in which one it is. */
static bool only_passed(const struct search *x, uint32_t state)
{
    enum cy_strength s = cy_strength_of(x->g, x->states.q[state]);
    return s == CY_TRANSIENT || s == CY_REJECTING;
}

/* The way to a terminal state, which is on top of the stack or (`to` is a state) beside it. */
static bool tell_terminal(struct search *x, const struct pass *y, uint32_t to)
{
    struct cy_result *out = x->out;
    out->steps = malloc(sizeof *out->steps * (y->frames + 1ull));
    if (!out->steps) return false;
    for (uint32_t i = 0; i < y->frames; i++) {
        const struct frame *f = &y->frame[i];
        out->steps[i] = (struct cy_step){x->states.root[f->state], x->states.q[f->state], y->edge[f->first + f->next - 1].ordinal};
    }
    out->steps[y->frames] = (struct cy_step){x->states.root[to], x->states.q[to], CY_NO_EDGE};
    out->prefix = out->length = y->frames + 1;
    x->verdict = CY_FOUND;
    return true;
}

static bool is_terminal(const struct search *x, uint32_t state) { return cy_strength_of(x->g, x->states.q[state]) == CY_TERMINAL; }

static bool enter(struct search *x, struct pass *y, uint32_t state, uint64_t incoming)
{
    const struct cy_edge *edges;
    uint64_t enabled = 0;
    uint32_t n = x->g->edges(x->g->context, x->states.root[state], x->states.q[state], &edges, &enabled);
    struct frame f = {state, 0, n, y->edges};
    ROOM(y, edge, edges, n, edges_room);
    if (n) memcpy(y->edge + y->edges, edges, sizeof *edges * n);
    y->edges += n;
    x->out->s.edges += n;
    ROOM(y, frame, frames, 1, frames_room);
    ROOM(y, part, parts, 1, parts_room);
    ROOM(y, active, actives, 1, actives_room);
    y->frame[y->frames++] = f;
    if (y->frames > x->out->s.depth) x->out->s.depth = y->frames;
    if (only_passed(x, state)) {
        x->order[state] = CY_DEAD;
        return true;
    }
    x->order[state] = ++y->next_order;
    y->active[y->actives++] = state;
    y->part[y->parts++] = (struct part){0, incoming, enabled, y->next_order, false};
    return true;
}

/* An edge from the newest part back to a state of an older one makes them one. */
static void join(struct pass *y, uint32_t order, uint64_t marks)
{
    uint64_t enabled = 0;
    while (y->part[y->parts - 1].order > order) {
        const struct part *p = &y->part[--y->parts];
        marks |= p->marks | p->incoming;
        enabled |= p->enabled;
    }
    struct part *p = &y->part[y->parts - 1];
    p->marks |= marks;
    p->enabled |= enabled;
    p->cyclic = true;
}

static uint32_t first_of_part(const struct search *x, const struct pass *y, uint32_t order)
{
    uint32_t low = 0, high = y->actives; /* `active` is sorted by order */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (x->order[y->active[middle]] < order) low = middle + 1;
        else high = middle;
    }
    return low;
}

static bool keep_found(struct search *x, const uint32_t *members, uint32_t count)
{
    x->found = malloc(sizeof *x->found * count);
    if (!x->found) return false;
    memcpy(x->found, members, sizeof *members * count);
    x->found_count = count;
    x->verdict = CY_FOUND;
    return true;
}

static bool look_again(struct search *x, const uint32_t *members, uint32_t count, uint64_t without);

/* The newest part is complete. */
static bool leave_part(struct search *x, struct pass *y)
{
    struct part p = y->part[--y->parts];
    uint32_t first = first_of_part(x, y, p.order), count = y->actives - first;
    x->out->s.components++;
    y->actives = first;
    for (uint32_t i = 0; i < count; i++) x->order[y->active[first + i]] = CY_DEAD;
    const struct cy_graph *g = x->g;
    if (!p.cyclic || (p.marks & g->all) != g->all) return true;
    uint64_t violated = p.enabled & ~(g->pairs ? p.marks >> g->taken : 0);
    return !violated || look_again(x, y->active + first, count, violated);
}

static bool from_state(struct search *x, struct pass *y, uint32_t state)
{
    if (is_terminal(x, state)) return tell_terminal(x, y, state);
    if (!enter(x, y, state, 0)) return false;
    while (y->frames && x->verdict == CY_NONE) {
        struct frame *f = &y->frame[y->frames - 1];
        if (f->next < f->end) {
            struct cy_edge e = y->edge[f->first + f->next++];
            bool fresh = false;
            uint32_t to;
            if (y->group) { /* what has been met already, and not all of it */
                to = cy_find(&x->states, e.root, e.q);
                if (to == UINT32_MAX || x->group[to] != y->group) continue;
            } else {
                to = cy_number(&x->states, e.root, e.q, &fresh);
                if (!room_for_states(x)) return false;
            }
            if (x->order[to] == 0 && is_terminal(x, to)) {
                if (!tell_terminal(x, y, to)) return false;
            } else if (x->order[to] == 0) {
                if (!enter(x, y, to, e.marks)) return false;
                if (fresh && x->most_states && x->states.count > x->most_states) x->verdict = CY_STOPPED;
                if (x->stop && *x->stop) x->verdict = CY_STOPPED;
            } else if (x->order[to] != CY_DEAD) {
                join(y, x->order[to], e.marks);
                const struct part *p = &y->part[y->parts - 1];
                if (accepted(x->g, p)) {
                    uint32_t first = first_of_part(x, y, p->order);
                    if (!keep_found(x, y->active + first, y->actives - first)) return false;
                }
            }
        } else {
            uint32_t order = x->order[f->state];
            y->edges = f->first;
            y->frames--;
            if (order != CY_DEAD && y->part[y->parts - 1].order == order && !leave_part(x, y)) return false;
        }
    }
    return true;
}

static void pass_free(struct pass *y)
{
    free(y->frame);
    free(y->part);
    free(y->active);
    free(y->edge);
}

static bool look_again(struct search *x, const uint32_t *members, uint32_t count, uint64_t without)
{
    struct pass y = {0};
    uint32_t *own = malloc(sizeof *own * count), kept = 0;
    bool fine = own != NULL && cy_room_for_groups(x);
    y.group = ++x->groups;
    x->out->s.again++;
    for (uint32_t i = 0; fine && i < count; i++) {
        const struct cy_edge *edges;
        uint64_t enabled = 0;
        x->g->edges(x->g->context, x->states.root[members[i]], x->states.q[members[i]], &edges, &enabled);
        if (enabled & without) continue;
        own[kept++] = members[i];
        x->group[members[i]] = y.group;
        x->order[members[i]] = 0;
    }
    for (uint32_t i = 0; fine && i < kept && x->verdict == CY_NONE; i++)
        if (x->order[own[i]] == 0) fine = from_state(x, &y, own[i]);
    for (uint32_t i = 0; i < kept; i++) x->order[own[i]] = CY_DEAD;
    pass_free(&y);
    free(own);
    return fine;
}

static void search_components(struct search *x)
{
    struct pass y = {0};
    bool fresh;
    uint32_t first = cy_number(&x->states, x->g->initial_root, x->g->initial_q, &fresh);
    bool fine = room_for_states(x) && from_state(x, &y, first);
    pass_free(&y);
    if (fine && x->found) fine = cy_tell_lasso(x);
    if (!fine) x->verdict = x->stop && *x->stop ? CY_STOPPED : CY_NO_MEMORY; /* a cycle that cannot be shown counts as none */
}

/* There is a shortest one. */
static void shorten_way(const struct cy_graph *g, uint64_t most_states, const _Atomic int *stop, struct cy_result *out)
{
    struct cy_result other;
    cy_reach(g, most_states, stop, &other);
    if (other.verdict != CY_FOUND) {
        free(other.steps);
        return;
    }
    free(out->steps);
    out->steps = other.steps;
    out->prefix = out->length = other.length;
    out->shortest = 1;
}

void cy_search(const struct cy_graph *g, enum cy_search how, uint64_t most_states, const _Atomic int *stop, struct cy_result *out)
{
    memset(out, 0, sizeof *out);
    struct search x = {.g = g, .out = out, .stop = stop, .most_states = most_states, .verdict = CY_NONE};
    if (how == CY_NESTED) {
        cy_search_nested(&x);
    } else {
        if (cy_states_new(&x.states)) search_components(&x);
        else x.verdict = CY_NO_MEMORY;
        out->s.states = x.states.count;
        cy_states_free(&x.states);
        free(x.order);
        free(x.group);
        free(x.found);
    }
    out->verdict = x.verdict;
    if (x.verdict == CY_FOUND) {
        if (out->prefix < out->length) cy_shorten(g, stop, out);
        else shorten_way(g, most_states, stop, out);
    }
    if (x.verdict != CY_FOUND) {
        free(out->steps);
        out->steps = NULL;
    }
}

void cy_free(struct cy_result *r)
{
    free(r->steps);
    free(r->state);
    r->steps = NULL;
    r->state = NULL;
}
