/* Strongly connected components on the fly, in the way of Tarjan, Couvreur, and Geldenhuys and Valmari: a cycle is seen
 * as soon as its last edge is. Strong fairness: a component that violates some pairs is searched again without the
 * states in which these are enabled (Emerson and Lei). Everything is iterative but this, which goes no deeper than there
 * are pairs.
 *
 * Invariants of one search: `order` of a state is 0 before it is met, then its place in the order of meeting, CY_DEAD when
 * its component is complete. `active` holds the met states that are not dead, in that order; the components of the part
 * of the graph that has been seen lie on it one after the other, each with an entry in `part`.
 */
#include "cycles.h"

#include "cycle_states.h"
#include "shorten.h"

enum { CY_DEAD = UINT32_MAX, CY_LOOK = 1024, CY_TRIES = 64 };

struct frame { uint32_t state, next, end; uint64_t first; }; /* its edges lie at `first` in the buffer */
struct part { uint64_t marks, incoming, enabled; uint32_t order; bool cyclic; };

struct search {
    const struct cy_graph *g;
    struct cy_result *out;
    const volatile int *stop;
    uint64_t most_states;
    struct cy_states states;
    uint32_t *order, *group; /* by state; of what part of the graph it may be looked at */
    uint32_t per_state;      /* room of these */
    uint32_t groups;
    uint32_t verdict;
    uint32_t *found; /* a component with an accepted cycle */
    uint32_t found_count;
};

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

static bool room_for(void **at, uint64_t used, uint64_t more, uint64_t *room, size_t size)
{
    if (used + more <= *room) return true;
    uint64_t wanted = *room ? *room * 2 : 256;
    while (wanted < used + more) wanted *= 2;
    void *p = realloc(*at, wanted * size);
    if (!p) return false;
    *at = p;
    *room = wanted;
    return true;
}

#define ROOM(x, array, used, more, room_field)                                          \
    do {                                                                                \
        uint64_t room_ = (x)->room_field;                                               \
        void *at_ = (x)->array;                                                         \
        if (!room_for(&at_, (x)->used, (more), &room_, sizeof *(x)->array)) return false; \
        (x)->array = at_;                                                               \
        (x)->room_field = room_;                                                        \
    } while (0)

static bool room_for_states(struct search *x)
{
    if (x->states.broken) return false;
    if (x->states.count <= x->per_state) return true;
    uint32_t room = x->states.room;
    uint32_t *order = realloc(x->order, sizeof *order * room);
    if (order) x->order = order;
    uint32_t *group = order ? realloc(x->group, sizeof *group * room) : NULL;
    if (!group) return false;
    x->group = group;
    memset(x->order + x->per_state, 0, sizeof *order * (room - x->per_state));
    memset(x->group + x->per_state, 0, sizeof *group * (room - x->per_state));
    x->per_state = room;
    return true;
}

static bool accepted(const struct cy_graph *g, const struct part *p)
{
    return p->cyclic && (p->marks & g->all) == g->all && !(p->enabled & ~(g->pairs ? p->marks >> g->taken : 0));
}

static bool enter(struct search *x, struct pass *y, uint32_t state, uint64_t incoming)
{
    const struct cy_edge *edges;
    uint64_t enabled = 0;
    uint32_t n = x->g->edges(x->g->context, x->states.root[state], x->states.q[state], &edges, &enabled);
    struct frame f = {state, 0, n, y->edges};
    ROOM(y, edge, edges, n, edges_room);
    memcpy(y->edge + y->edges, edges, sizeof *edges * n);
    y->edges += n;
    x->out->s.edges += n;
    ROOM(y, frame, frames, 1, frames_room);
    ROOM(y, part, parts, 1, parts_room);
    ROOM(y, active, actives, 1, actives_room);
    y->frame[y->frames++] = f;
    if (y->frames > x->out->s.depth) x->out->s.depth = y->frames;
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
    uint32_t look = 0;
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
            if (x->order[to] == 0) {
                if (!enter(x, y, to, e.marks)) return false;
                if (fresh && x->most_states && x->states.count > x->most_states) x->verdict = CY_STOPPED;
                if (++look == CY_LOOK) {
                    look = 0;
                    if (x->stop && *x->stop) x->verdict = CY_STOPPED;
                }
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
            if (y->part[y->parts - 1].order == order && !leave_part(x, y)) return false;
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
    bool fine = own != NULL;
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

/* --- the lasso ----------------------------------------------------------------------------------------------- */

struct reached { uint32_t from, ordinal; uint64_t marks; };

struct walk {
    struct search *x;
    uint32_t *queue, *seen; /* seen: round in which it was reached */
    struct reached *by;
    uint32_t round;
};

/* Breadth-first from `start`, over states of `group` (0: all that were met), to the first edge with one of `wanted`, or
 * with wanted 0 to the state `goal` or to any state of `goal_group`. The edge's source is returned, and the edge. */
static bool walk_to(struct walk *k, uint32_t start, uint32_t group, uint64_t wanted, uint32_t goal, uint32_t goal_group,
                    uint32_t *source, struct reached *last, uint32_t *target)
{
    struct search *x = k->x;
    uint32_t head = 0, tail = 0;
    k->round++;
    k->queue[tail++] = start;
    k->seen[start] = k->round;
    while (head < tail) {
        uint32_t at = k->queue[head++];
        const struct cy_edge *edges;
        uint64_t enabled;
        uint32_t n = x->g->edges(x->g->context, x->states.root[at], x->states.q[at], &edges, &enabled);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t to = cy_find(&x->states, edges[i].root, edges[i].q);
            if (to == UINT32_MAX || (group && x->group[to] != group)) continue;
            bool there = wanted ? (edges[i].marks & wanted) != 0
                                : to == goal || (goal_group && x->group[to] == goal_group);
            if (there) {
                *source = at;
                *last = (struct reached){at, edges[i].ordinal, edges[i].marks};
                *target = to;
                return true;
            }
            if (k->seen[to] == k->round) continue;
            k->seen[to] = k->round;
            k->by[to] = (struct reached){at, edges[i].ordinal, edges[i].marks};
            k->queue[tail++] = to;
        }
    }
    return false;
}

struct steps { struct cy_step *step; uint32_t count; uint64_t room; };

/* The way that walk_to has found, with its last edge. */
static bool append_way(struct walk *k, uint32_t start, struct reached last, struct steps *to, uint64_t *marks)
{
    uint32_t length = 1;
    for (uint32_t at = last.from; at != start; at = k->by[at].from) length++;
    void *p = to->step;
    if (!room_for(&p, to->count, length, &to->room, sizeof *to->step)) return false;
    to->step = p;
    uint32_t place = to->count + length;
    struct reached r = last;
    while (true) {
        const struct cy_states *s = &k->x->states;
        to->step[--place] = (struct cy_step){s->root[r.from], s->q[r.from], r.ordinal};
        *marks |= r.marks;
        if (r.from == start) break;
        r = k->by[r.from];
    }
    to->count += length;
    return true;
}

/* A cycle from `start` through all marks that are wanted. */
static bool cycle_from(struct walk *k, uint32_t start, uint32_t group, uint64_t wanted, struct steps *to)
{
    uint32_t at = start, source, target = start;
    uint64_t marks = 0;
    struct reached last;
    do {
        uint64_t missing = wanted & ~marks;
        if (!walk_to(k, at, group, missing, start, 0, &source, &last, &target)) return false;
        if (!append_way(k, at, last, to, &marks)) return false;
        at = target;
    } while ((wanted & ~marks) || at != start);
    return true;
}

static bool lasso(struct search *x)
{
    uint32_t n = x->states.count, group = ++x->groups;
    struct walk k = {x, malloc(4ull * n), calloc(n, 4), malloc(sizeof *k.by * n), 0};
    bool fine = k.queue && k.seen && k.by;
    uint64_t enabled_here = 0, marks_here = 0;
    for (uint32_t i = 0; fine && i < x->found_count; i++) x->group[x->found[i]] = group;
    for (uint32_t i = 0; fine && i < x->found_count; i++) {
        const struct cy_edge *edges;
        uint64_t enabled = 0;
        uint32_t m = x->g->edges(x->g->context, x->states.root[x->found[i]], x->states.q[x->found[i]], &edges, &enabled);
        enabled_here |= enabled;
        for (uint32_t j = 0; j < m; j++) {
            uint32_t to = cy_find(&x->states, edges[j].root, edges[j].q);
            if (to != UINT32_MAX && x->group[to] == group) marks_here |= edges[j].marks;
        }
    }
    uint64_t wanted = x->g->all | (x->g->pairs ? (enabled_here << x->g->taken) & marks_here : 0);
    struct steps best = {0}, stem = {0};
    uint64_t ignored = 0;
    uint32_t source, entry = 0;
    struct reached last;
    if (fine && x->group[0] != group) {
        fine = walk_to(&k, 0, 0, 0, UINT32_MAX, group, &source, &last, &entry) && append_way(&k, 0, last, &stem, &ignored);
    }
    if (fine) fine = cycle_from(&k, entry, group, wanted, &best);
    /* another start on the component may make the whole shorter */
    uint32_t step = x->found_count / CY_TRIES + 1;
    for (uint32_t i = 0; fine && i < x->found_count; i += step) {
        struct steps other = {0}, way = {0};
        uint32_t start = x->found[i];
        bool there = start == 0 || (walk_to(&k, 0, 0, 0, start, 0, &source, &last, &entry) && append_way(&k, 0, last, &way, &ignored));
        if (there && way.count < stem.count + best.count && cycle_from(&k, start, group, wanted, &other) &&
            way.count + other.count < stem.count + best.count) {
            struct steps s = stem, b = best;
            stem = way;
            best = other;
            way = s;
            other = b;
        }
        free(way.step);
        free(other.step);
    }
    struct cy_result *out = x->out;
    out->steps = fine ? malloc(sizeof *out->steps * (stem.count + best.count)) : NULL;
    fine = out->steps != NULL;
    if (fine) {
        if (stem.count) memcpy(out->steps, stem.step, sizeof *stem.step * stem.count);
        memcpy(out->steps + stem.count, best.step, sizeof *best.step * best.count);
        out->prefix = stem.count;
        out->length = stem.count + best.count;
    }
    free(stem.step);
    free(best.step);
    free(k.queue);
    free(k.seen);
    free(k.by);
    return fine;
}

static void search_components(struct search *x)
{
    struct pass y = {0};
    bool fresh;
    uint32_t first = cy_number(&x->states, x->g->initial_root, x->g->initial_q, &fresh);
    bool fine = room_for_states(x) && from_state(x, &y, first);
    pass_free(&y);
    if (fine && x->verdict == CY_FOUND) fine = lasso(x);
    if (!fine) x->verdict = CY_NO_MEMORY;
}

/* --- nested depth-first search ------------------------------------------------------------------------------- */

/* The degeneralised graph: a state is (root, q, level); level is how many marks of `all`, in their order, the run has met
 * since the last time it had met all of them, which makes it accepting. Schwoon and Esparza's colours. No strong pairs. */
enum colour { WHITE, CYAN, BLUE, RED };

struct nested { struct cy_states states; uint8_t *colour; uint32_t room; uint32_t levels; uint64_t mark[64]; };

struct nested_frame { uint64_t first; uint32_t state, next, end; bool all_red; };

static uint32_t next_level(const struct nested *n, uint32_t level, uint64_t marks)
{
    if (level == n->levels) level = 0;
    while (level < n->levels && marks & n->mark[level]) level++;
    return level;
}

struct nested_stack {
    struct nested_frame *frame;
    struct cy_edge *edge;
    uint64_t frames, frames_room, edges, edges_room;
};

static bool nested_push(const struct search *x, const struct nested *n, struct nested_stack *k, uint32_t state)
{
    const struct cy_edge *edges;
    uint64_t enabled;
    uint32_t q = n->states.q[state] / (n->levels + 1);
    uint32_t count = x->g->edges(x->g->context, n->states.root[state], q, &edges, &enabled);
    ROOM(k, edge, edges, count, edges_room);
    ROOM(k, frame, frames, 1, frames_room);
    memcpy(k->edge + k->edges, edges, sizeof *edges * count);
    k->frame[k->frames++] = (struct nested_frame){k->edges, state, 0, count, true};
    k->edges += count;
    x->out->s.edges += count;
    return true;
}

static uint32_t nested_target(struct nested *n, uint32_t from, const struct cy_edge *e)
{
    uint32_t level = next_level(n, n->states.q[from] % (n->levels + 1), e->marks);
    bool fresh;
    uint32_t to = cy_number(&n->states, e->root, e->q * (n->levels + 1) + level, &fresh);
    if (n->states.broken) return UINT32_MAX;
    if (n->states.room > n->room) {
        uint8_t *colour = realloc(n->colour, n->states.room);
        if (!colour) return UINT32_MAX;
        memset(colour + n->room, WHITE, n->states.room - n->room);
        n->colour = colour;
        n->room = n->states.room;
    }
    return to;
}

/* Steps of two stacks, the second from the end of the first back to a state of it. */
static bool nested_lasso(struct search *x, const struct nested *n, const struct nested_stack *blue,
                         const struct nested_stack *red, uint32_t closes)
{
    uint64_t reds = red ? red->frames : 0, count = blue->frames + reds;
    x->out->steps = malloc(sizeof *x->out->steps * count);
    if (!x->out->steps) return false;
    uint32_t used = 0;
    bool seen = false;
    for (uint64_t part = 0; part < 2; part++) {
        const struct nested_stack *k = part ? red : blue;
        for (uint64_t i = 0; k && i < k->frames; i++) {
            const struct nested_frame *f = &k->frame[i];
            /* the top of the blue stack is the bottom of the red one */
            if (!part && reds && i + 1 == k->frames) break;
            if (f->state == closes && !seen) {
                x->out->prefix = used;
                seen = true;
            }
            uint32_t q = n->states.q[f->state] / (n->levels + 1);
            uint32_t ordinal = k->edge[f->first + f->next - 1].ordinal;
            x->out->steps[used++] = (struct cy_step){n->states.root[f->state], q, ordinal};
        }
    }
    x->out->length = used;
    return true;
}

static bool accepting(const struct nested *n, uint32_t state) { return n->states.q[state] % (n->levels + 1) == n->levels; }

/* From an accepting state, over blue ones, to one on the blue stack. */
static bool red_search(struct search *x, struct nested *n, const struct nested_stack *blue, uint32_t seed)
{
    struct nested_stack k = {0};
    bool fine = nested_push(x, n, &k, seed);
    while (fine && k.frames && x->verdict == CY_NONE) {
        struct nested_frame *f = &k.frame[k.frames - 1];
        if (f->next == f->end) {
            k.edges = f->first;
            k.frames--;
            continue;
        }
        struct cy_edge e = k.edge[f->first + f->next++];
        uint32_t to = nested_target(n, f->state, &e);
        if (to == UINT32_MAX) fine = false;
        else if (n->colour[to] == CYAN) {
            x->verdict = CY_FOUND;
            fine = nested_lasso(x, n, blue, &k, to);
        } else if (n->colour[to] == BLUE) {
            n->colour[to] = RED;
            fine = nested_push(x, n, &k, to);
        }
    }
    free(k.frame);
    free(k.edge);
    return fine;
}

static bool blue_search(struct search *x, struct nested *n)
{
    struct nested_stack k = {0};
    bool fresh;
    uint32_t first = cy_number(&n->states, x->g->initial_root, x->g->initial_q * (n->levels + 1), &fresh);
    n->room = n->states.room;
    n->colour = calloc(n->room, 1);
    bool fine = n->colour != NULL && nested_push(x, n, &k, first);
    if (fine) n->colour[first] = CYAN;
    while (fine && k.frames && x->verdict == CY_NONE) {
        struct nested_frame *f = &k.frame[k.frames - 1];
        if (f->next < f->end) {
            struct cy_edge e = k.edge[f->first + f->next++];
            uint32_t to = nested_target(n, f->state, &e);
            if (to == UINT32_MAX) {
                fine = false;
            } else if (n->colour[to] == CYAN && (accepting(n, f->state) || accepting(n, to))) {
                x->verdict = CY_FOUND;
                fine = nested_lasso(x, n, &k, NULL, to);
            } else if (n->colour[to] == WHITE) {
                n->colour[to] = CYAN;
                fine = nested_push(x, n, &k, to);
                if (x->most_states && n->states.count > x->most_states) x->verdict = CY_STOPPED;
                if (x->stop && n->states.count % CY_LOOK == 0 && *x->stop) x->verdict = CY_STOPPED;
            } else if (n->colour[to] != RED) {
                f->all_red = false;
            }
            if (k.frames > x->out->s.depth) x->out->s.depth = (uint32_t)k.frames;
            continue;
        }
        uint32_t state = f->state;
        bool red = f->all_red;
        if (red) {
            n->colour[state] = RED;
        } else if (accepting(n, state)) {
            fine = red_search(x, n, &k, state);
            n->colour[state] = RED;
        } else {
            n->colour[state] = BLUE;
        }
        if (!fine || x->verdict != CY_NONE) break;
        k.edges = f->first;
        k.frames--;
        if (k.frames && n->colour[state] != RED) k.frame[k.frames - 1].all_red = false;
    }
    free(k.frame);
    free(k.edge);
    return fine;
}

static void search_nested(struct search *x)
{
    struct nested n = {0};
    for (uint32_t i = 0; i < 64; i++)
        if (x->g->all >> i & 1) n.mark[n.levels++] = 1ull << i;
    bool fine = cy_states_new(&n.states) && blue_search(x, &n);
    if (!fine) x->verdict = CY_NO_MEMORY;
    x->out->s.states = n.states.count;
    cy_states_free(&n.states);
    free(n.colour);
}

void cy_search(const struct cy_graph *g, enum cy_search how, uint64_t most_states, const volatile int *stop, struct cy_result *out)
{
    memset(out, 0, sizeof *out);
    struct search x = {.g = g, .out = out, .stop = stop, .most_states = most_states, .verdict = CY_NONE};
    if (how == CY_NESTED) {
        search_nested(&x);
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
    if (x.verdict == CY_FOUND) cy_shorten(g, out);
    if (x.verdict != CY_FOUND) {
        free(out->steps);
        out->steps = NULL;
    }
}

void cy_free(struct cy_result *r)
{
    free(r->steps);
    r->steps = NULL;
}

/* --- explicit graphs ----------------------------------------------------------------------------------------- */

struct explicit_room { const struct cy_explicit *x; struct cy_edge *edge; uint32_t room; };

static uint32_t explicit_edges(void *context, uint64_t root, uint32_t q, const struct cy_edge **edges, uint64_t *enabled)
{
    struct explicit_room *r = context;
    uint32_t first = r->x->first[root], n = r->x->first[root + 1] - first;
    (void)q;
    if (n > r->room) {
        free(r->edge);
        r->edge = malloc(sizeof *r->edge * n);
        r->room = r->edge ? n : 0;
        if (!r->edge) n = 0;
    }
    for (uint32_t i = 0; i < n; i++) r->edge[i] = (struct cy_edge){r->x->target[first + i], r->x->marks[first + i], 0, i};
    *edges = r->edge;
    *enabled = r->x->enabled[root];
    return n;
}

void cy_search_explicit(const struct cy_explicit *x, uint32_t initial, uint64_t all, uint32_t taken, uint32_t pairs,
                        uint32_t how, struct cy_result *out)
{
    struct explicit_room room = {x, NULL, 0};
    struct cy_graph g = {&room, initial, 0, explicit_edges, all, taken, pairs};
    cy_search(&g, how, 0, NULL, out);
    free(room.edge);
}
