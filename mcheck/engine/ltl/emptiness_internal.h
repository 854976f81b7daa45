/* What the searches for cycles share: a search in progress, and room that grows. */
#ifndef MC_CYCLE_SEARCH_H
#define MC_CYCLE_SEARCH_H

#include "ltl/product_states.h"
#include "api/emptiness.h"

enum { CY_TRIES = 64 };

struct search {
    const struct cy_graph *g;
    struct cy_result *out;
    const _Atomic int *stop;
    uint64_t most_states;
    struct cy_states states;
    uint32_t *order;         /* by state */
    uint32_t *group;         /* by state, once it is needed: of what part of the graph it may be looked at */
    uint32_t per_state, per_group; /* room of these */
    uint32_t groups;
    uint32_t verdict;
    uint32_t *found; /* a component with an accepted cycle */
    uint32_t found_count;
};

static inline bool cy_room_for(void **at, uint64_t used, uint64_t more, uint64_t *room, size_t size)
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
        if (!cy_room_for(&at_, (x)->used, (more), &room_, sizeof *(x)->array)) return false; \
        (x)->array = at_;                                                               \
        (x)->room_field = room_;                                                        \
    } while (0)

/* False: no memory. */
static inline bool cy_room_for_groups(struct search *x)
{
    if (x->states.count <= x->per_group) return true;
    uint32_t *group = realloc(x->group, 4ull * x->states.count);
    if (!group) return false;
    memset(group + x->per_group, 0, 4ull * (x->states.count - x->per_group));
    x->group = group;
    x->per_group = x->states.count;
    return true;
}

static inline enum cy_strength cy_strength_of(const struct cy_graph *g, uint32_t q)
{
    return g->strength ? (enum cy_strength)g->strength[q] : CY_STRONG;
}

/* lasso.c: a way to a cycle through the component that was found, and the cycle. False: no memory. */
bool cy_tell_lasso(struct search *x);
/* ndfs.c */
void cy_search_nested(struct search *x);

#endif
