/* Nested depth-first search, a second and independent way to look for accepted cycles.
 *
 * The degeneralised graph: a state is (root, q, level); level is how many marks of `all`, in their order, the run has met
 * since the last time it had met all of them, which makes it accepting. Schwoon and Esparza's colours. No strong pairs.
 */
#include "ltl/emptiness_internal.h"

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
    if (count) memcpy(k->edge + k->edges, edges, sizeof *edges * count);
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

/* Is the second search needed? Not where no cycle of the automaton accepts; nor where all do: the first one sees them. */
static bool may_hide_a_cycle(const struct cy_graph *g, uint32_t q)
{
    enum cy_strength s = cy_strength_of(g, q);
    return s == CY_STRONG || ((s == CY_WEAK || s == CY_TERMINAL) && (g->all & ~g->own));
}

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
                if (x->stop && *x->stop) x->verdict = CY_STOPPED;
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
        } else if (accepting(n, state) && may_hide_a_cycle(x->g, n->states.q[state] / (n->levels + 1))) {
            x->out->s.again++;
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

void cy_search_nested(struct search *x)
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
