/* The graph near the initial state is kept with its edges; from each of its states, the nearest first, a search in breadth
 * over states and the marks gathered so far looks for the shortest closed walk that is accepted. Exact within its bounds.
 *
 * Where the graph is larger, the same is done near states of the lasso that is there: the steps to such a state stay, what
 * follows is replaced if it becomes shorter. So a cycle far from the initial state is as short as can be near it.
 */
#include "ltl/shorten_lasso.h"

#include "ltl/product_states.h"

enum { MOST_STATES = 1 << 13, MOST_NODES = 1 << 20, MOST_VISITS = 1 << 23, PARTS = 4, MOST_ROUNDS = 4 };

/* `gathered`: bits of the marks of `all` (the i-th of them is bit i), of the strong pairs that are taken, and of those that
 * are enabled where the edge begins. */
struct near_edge { uint32_t to, ordinal, gathered; };
struct way { uint32_t from, edge; };

struct near {
    const struct cy_graph *g;
    uint32_t base;               /* steps of the lasso that stay; near where they end is looked */
    const _Atomic int *stop; /* may be NULL */
    struct cy_states states;     /* in the order of their distance */
    struct way *way;             /* by state: how it is reached */
    uint32_t *distance, *first;  /* by state; first: its edges, and one more */
    struct near_edge *edge;
    uint32_t edges, edges_room, states_room, expanded;
    uint32_t marks, bits;        /* how many of `all`, and in `gathered` */
    uint32_t *seen, *queue;      /* by node: state and gathered; in which round it was met */
    struct way *by;              /* by node */
    uint32_t round, visits;
};

static uint32_t gathered(const struct near *x, uint64_t marks, uint64_t enabled)
{
    const struct cy_graph *g = x->g;
    uint32_t found = 0, bit = 0;
    for (uint32_t i = 0; i < 64; i++)
        if (g->all >> i & 1) found |= (uint32_t)(marks >> i & 1) << bit++;
    for (uint32_t i = 0; i < g->pairs; i++) found |= (uint32_t)(marks >> (g->taken + i) & 1) << bit++;
    for (uint32_t i = 0; i < g->pairs; i++) found |= (uint32_t)(enabled >> i & 1) << bit++;
    return found;
}

static bool is_accepted(const struct near *x, uint32_t g)
{
    uint32_t all = (1u << x->marks) - 1, pairs = (1u << x->g->pairs) - 1;
    uint32_t taken = g >> x->marks & pairs, enabled = g >> (x->marks + x->g->pairs) & pairs;
    return (g & all) == all && !(enabled & ~taken);
}

static bool grow(struct near *x, uint32_t edges)
{
    if (x->edges + edges > x->edges_room) {
        uint32_t room = (x->edges + edges) * 2;
        struct near_edge *edge = realloc(x->edge, sizeof *edge * room);
        if (!edge) return false;
        x->edge = edge;
        x->edges_room = room;
    }
    uint32_t room = x->states.count + edges + 1;
    if (room <= x->states_room) return true;
    room *= 2;
    struct way *way = realloc(x->way, sizeof *way * room);
    if (way) x->way = way;
    uint32_t *distance = way ? realloc(x->distance, sizeof *distance * room) : NULL;
    if (!distance) return false;
    x->distance = distance;
    x->states_room = room;
    return true;
}

static bool is_stopped(const struct near *x) { return x->stop && *x->stop; }

/* So many states at most, and none that is `far` steps away. */
static bool look_around(struct near *x, const struct cy_result *out, uint32_t most, uint32_t far)
{
    bool fresh;
    uint64_t root = x->base ? out->steps[x->base].root : x->g->initial_root;
    cy_number(&x->states, root, x->base ? out->steps[x->base].q : x->g->initial_q, &fresh);
    if (!grow(x, 0)) return false;
    x->distance[0] = 0;
    x->first[0] = 0;
    while (x->expanded < x->states.count && x->expanded < most && x->distance[x->expanded] < far && !is_stopped(x)) {
        uint32_t at = x->expanded++;
        const struct cy_edge *edges;
        uint64_t enabled = 0;
        uint32_t n = x->g->edges(x->g->context, x->states.root[at], x->states.q[at], &edges, &enabled);
        if (!grow(x, n)) return false;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t to = cy_number(&x->states, edges[i].root, edges[i].q, &fresh);
            if (x->states.broken) return false;
            if (fresh) {
                x->way[to] = (struct way){at, x->edges};
                x->distance[to] = x->distance[at] + 1;
            }
            x->edge[x->edges++] = (struct near_edge){to, edges[i].ordinal, gathered(x, edges[i].marks, enabled)};
        }
        x->first[at + 1] = x->edges;
    }
    return true;
}

/* The length of the shortest accepted closed walk from `start`, if it is below `limit`; its last edge's node and the edge. */
static uint32_t shortest_cycle(struct near *x, uint32_t start, uint32_t limit, struct way *last)
{
    uint32_t head = 0, tail = 0, length = 1, level_end;
    x->round++;
    x->queue[tail++] = start << x->bits;
    x->seen[start << x->bits] = x->round;
    for (level_end = tail; head < tail && length < limit; length++, level_end = tail) {
        for (; head < level_end; head++) {
            if (is_stopped(x)) return 0;
            uint32_t node = x->queue[head], at = node >> x->bits;
            for (uint32_t e = x->first[at]; e < x->first[at + 1]; e++) {
                uint32_t to = x->edge[e].to, g = (node & ((1u << x->bits) - 1)) | x->edge[e].gathered;
                if (to == start && is_accepted(x, g)) {
                    *last = (struct way){node, e};
                    return length;
                }
                if (to >= x->expanded) continue;
                uint32_t next = to << x->bits | g;
                if (x->seen[next] == x->round) continue;
                x->seen[next] = x->round;
                x->by[next] = (struct way){node, e};
                x->queue[tail++] = next;
            }
        }
        x->visits += tail - level_end;
        if (x->visits > MOST_VISITS) return 0;
    }
    return 0;
}

static struct cy_step step_from(const struct near *x, uint32_t state, uint32_t edge)
{
    return (struct cy_step){x->states.root[state], x->states.q[state], x->edge[edge].ordinal};
}

/* The way to `start`, and its cycle. */
static bool tell(const struct near *x, uint32_t start, uint32_t length, struct way last, struct cy_result *out)
{
    uint32_t prefix = x->base + x->distance[start];
    struct cy_step *steps = malloc(sizeof *steps * (prefix + length));
    if (!steps) return false;
    if (x->base) memcpy(steps, out->steps, sizeof *steps * x->base);
    for (uint32_t n = start, i = prefix; i > x->base; n = x->way[n].from) {
        steps[--i] = step_from(x, x->way[n].from, x->way[n].edge);
    }
    struct way w = last;
    for (uint32_t i = prefix + length; i > prefix; w = x->by[w.from]) steps[--i] = step_from(x, w.from >> x->bits, w.edge);
    free(out->steps);
    out->steps = steps;
    out->prefix = prefix;
    out->length = prefix + length;
    return true;
}

static void shorten(struct near *x, struct cy_result *out)
{
    for (uint32_t s = 0; s < x->expanded && x->base + x->distance[s] + 1 < out->length && x->visits <= MOST_VISITS; s++) {
        struct way last;
        uint32_t length = shortest_cycle(x, s, out->length - x->base - x->distance[s], &last);
        if (length && !tell(x, s, length, last, out)) return;
    }
}

/* After `base` steps of the lasso. False: not all that could be shorter was looked at. */
static bool shorten_behind(const struct cy_graph *g, const _Atomic int *stop, uint32_t base, struct cy_result *out)
{
    struct near x = {.g = g, .stop = stop, .base = base};
    for (uint32_t i = 0; i < 64; i++) x.marks += (uint32_t)(g->all >> i & 1);
    x.bits = x.marks + 2 * g->pairs;
    if (x.bits > 14) return true;
    uint32_t most = MOST_NODES >> x.bits;
    if (most > MOST_STATES) most = MOST_STATES;
    x.first = malloc(sizeof *x.first * (most + 1));
    x.seen = calloc((uint64_t)most << x.bits, sizeof *x.seen);
    x.queue = malloc(sizeof *x.queue * ((uint64_t)most << x.bits));
    x.by = malloc(sizeof *x.by * ((uint64_t)most << x.bits));
    bool there = cy_states_new(&x.states) && x.first && x.seen && x.queue && x.by;
    if (there && look_around(&x, out, most, out->length - base - 1)) shorten(&x, out);
    bool all = there && x.expanded < most && x.visits <= MOST_VISITS;
    cy_states_free(&x.states);
    free(x.way);
    free(x.distance);
    free(x.first);
    free(x.edge);
    free(x.seen);
    free(x.queue);
    free(x.by);
    return all;
}

void cy_shorten(const struct cy_graph *g, const _Atomic int *stop, struct cy_result *out)
{
    if (shorten_behind(g, stop, 0, out)) return;
    for (uint32_t round = 0, before = 0; round < MOST_ROUNDS && before != out->length; round++) {
        before = out->length;
        for (uint32_t part = PARTS; part > 0; part--) {
            uint32_t base = (uint32_t)((uint64_t)out->prefix * part / PARTS);
            if (stop && *stop) return;
            if (base > 0 && out->length > base + 1) shorten_behind(g, stop, base, out);
        }
    }
}
