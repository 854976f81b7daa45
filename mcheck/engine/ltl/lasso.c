/* A lasso through a component that has an accepted cycle: breadth-first from state to state that still gives a mark. */
#include "ltl/emptiness_internal.h"

struct reached { uint32_t from, ordinal; uint64_t marks; };

static bool is_stopped(const struct search *x) { return x->stop && *x->stop; }

struct walk {
    struct search *x;
    uint32_t *queue, *seen; /* seen: round in which it was reached */
    struct reached *by;
    uint32_t round;
};

/* Breadth-first from `start`, over states of `group` (0: all that were met), to the first edge with one of `wanted`, or
 * with wanted 0 to the state `goal` or to any state of `goal_group`. The edge's source is returned, and the edge. False: there
 * is none, or the search has been stopped. */
static bool walk_to(struct walk *k, uint32_t start, uint32_t group, uint64_t wanted, uint32_t goal, uint32_t goal_group,
                    uint32_t *source, struct reached *last, uint32_t *target)
{
    struct search *x = k->x;
    uint32_t head = 0, tail = 0;
    k->round++;
    k->queue[tail++] = start;
    k->seen[start] = k->round;
    while (head < tail && !is_stopped(x)) {
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
    if (!cy_room_for(&p, to->count, length, &to->room, sizeof *to->step)) return false;
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

/* A cycle from `start` through all marks that are wanted. False: the search has been stopped, or there is no memory. */
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

bool cy_tell_lasso(struct search *x)
{
    uint32_t n = x->states.count, group = ++x->groups;
    struct walk k = {x, malloc(4ull * n), calloc(n, 4), malloc(sizeof *k.by * n), 0};
    bool fine = k.queue && k.seen && k.by && cy_room_for_groups(x);
    uint64_t enabled_here = 0, marks_here = 0;
    for (uint32_t i = 0; fine && i < x->found_count; i++) x->group[x->found[i]] = group;
    for (uint32_t i = 0; fine && i < x->found_count && !is_stopped(x); i++) {
        const struct cy_edge *edges;
        uint64_t enabled = 0;
        uint32_t m = x->g->edges(x->g->context, x->states.root[x->found[i]], x->states.q[x->found[i]], &edges, &enabled);
        enabled_here |= enabled;
        for (uint32_t j = 0; j < m; j++) {
            uint32_t to = cy_find(&x->states, edges[j].root, edges[j].q);
            if (to != UINT32_MAX && x->group[to] == group) marks_here |= edges[j].marks;
        }
    }
    if (is_stopped(x)) fine = false; /* not all marks are known */
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
    for (uint32_t i = 0; fine && i < x->found_count && !is_stopped(x); i += step) {
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
