/* Explicit graphs, for tests of the searches. */
#include "api/emptiness.h"

#include <stdlib.h>

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
    struct cy_graph g = {&room, initial, 0, explicit_edges, all, taken, pairs, 0, NULL};
    cy_search(&g, how, 0, NULL, out);
    free(room.edge);
}
