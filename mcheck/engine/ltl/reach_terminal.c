/* States are numbered in the order of their discovery, so their list is the queue of the search. */
#include "ltl/reach_terminal.h"

#include "ltl/product_states.h"

struct way { uint32_t from, ordinal; };

static bool tell_way(const struct cy_states *s, const struct way *way, uint32_t last, struct cy_result *out)
{
    uint32_t length = 1;
    for (uint32_t n = last; n; n = way[n].from) length++;
    out->steps = malloc(sizeof *out->steps * length);
    if (!out->steps) return false;
    out->prefix = out->length = length;
    uint32_t ordinal = CY_NO_EDGE;
    for (uint32_t n = last;; n = way[n].from) {
        out->steps[--length] = (struct cy_step){s->root[n], s->q[n], ordinal};
        ordinal = way[n].ordinal;
        if (!n) return true;
    }
}

static uint32_t search(const struct cy_graph *g, uint64_t most_states, const _Atomic int *stop,
                       struct cy_states *s, struct way **way, struct cy_result *out)
{
    uint32_t room = 0;
    bool fresh;
    cy_number(s, g->initial_root, g->initial_q, &fresh);
    if (g->strength[g->initial_q] == CY_TERMINAL) return tell_way(s, *way, 0, out) ? CY_FOUND : CY_NO_MEMORY;
    for (uint32_t at = 0; at < s->count; at++) {
        const struct cy_edge *edges;
        uint64_t enabled;
        uint32_t n = g->edges(g->context, s->root[at], s->q[at], &edges, &enabled);
        out->s.edges += n;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t to = cy_number(s, edges[i].root, edges[i].q, &fresh);
            if (s->broken) return CY_NO_MEMORY;
            if (!fresh) continue;
            if (s->room > room) {
                struct way *more = realloc(*way, sizeof *more * s->room);
                if (!more) return CY_NO_MEMORY;
                *way = more;
                room = s->room;
            }
            (*way)[to] = (struct way){at, edges[i].ordinal};
            if (g->strength[edges[i].q] == CY_TERMINAL) return tell_way(s, *way, to, out) ? CY_FOUND : CY_NO_MEMORY;
        }
        if ((most_states && s->count > most_states) || (stop && *stop)) return CY_STOPPED;
    }
    return CY_NONE;
}

void cy_reach(const struct cy_graph *g, uint64_t most_states, const _Atomic int *stop, struct cy_result *out)
{
    struct cy_states s;
    struct way *way = NULL;
    memset(out, 0, sizeof *out);
    out->verdict = cy_states_new(&s) ? search(g, most_states, stop, &s, &way, out) : CY_NO_MEMORY;
    out->s.states = s.count;
    out->shortest = 1;
    cy_states_free(&s);
    free(way);
}
