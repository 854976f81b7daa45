/* A way to a state of a distributed search, which no log tells: backwards from it, level by level. In each level the states with a
 * step to one that is looked for are found by expanding all of them once more, and are looked for in turn; forwards again, the first
 * successor that is on a way is taken. So it is the way that the search of one thread would have gone: its words of ordinals is
 * the least of all shortest ones (docs/theory/distributed.md). */
#include "cluster/cluster.h"
#include "model/half_state_cache.h"
#include "model/state_name.h"

/* Those of one level; NULL: no memory. */
static struct mc_on_way *on_level(struct mc_cluster *c, uint64_t level)
{
    void *way = c->way;
    if (!mc_widen(&way, &c->ways_room, level + 1, sizeof *c->way)) return NULL;
    c->way = way;
    return &c->way[level];
}

static bool add(struct mc_on_way *w, uint64_t root, uint32_t ordinal)
{
    void *roots = w->root, *ordinals = w->ordinal;
    bool memory = mc_widen(&roots, &w->root_room, w->count + 1, sizeof *w->root);
    w->root = roots;
    memory = memory && mc_widen(&ordinals, &w->ordinal_room, w->count + 1, sizeof *w->ordinal);
    w->ordinal = ordinals;
    if (!memory) return false;
    w->root[w->count] = root;
    w->ordinal[w->count++] = ordinal;
    return true;
}

uint32_t mc_cluster_look_for(struct mc_engine *e, uint64_t state)
{
    struct mc_cluster *c = e->cluster;
    uint64_t roots[MC_CHUNK];
    struct mc_on_way *w = state < e->levels_end ? on_level(c, mc_cluster_level_of(e, state)) : NULL;
    return w && mc_cluster_roots(e, state, roots) && add(w, roots[0], 0);
}

uint64_t mc_cluster_name_size(const struct mc_engine *e) { return mc_name_size(&e->space); }

uint64_t mc_cluster_names(const struct mc_engine *e, uint32_t level)
{
    return level < e->cluster->ways_room ? e->cluster->way[level].count : 0;
}

void mc_cluster_put_names(struct mc_engine *e, uint32_t level, uint8_t *names)
{
    uint64_t size = mc_name_size(&e->space), count = mc_cluster_names(e, level);
    for (uint64_t i = 0; i < count; i++) {
        mc_decode(e->cluster->own, e->cluster->way[level].root[i]);
        mc_put_name(e->cluster->own, names + i * size);
    }
}

struct looking { const struct mc_visits *wanted; uint32_t ordinal; bool found; };

static bool is_wanted(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct looking *x = context;
    (void)w;
    if (s->fault || mc_visits_find(x->wanted, s->root) == UINT32_MAX) return true;
    x->ordinal = s->ordinal;
    x->found = true;
    return false;
}

/* Its first successor that is wanted. */
static bool leads_on(struct mc_engine *e, uint64_t root, uint32_t *ordinal)
{
    struct mc_worker *w = &e->searcher[0]->worker;
    struct looking x = {&e->cluster->wanted, 0, false};
    enum mc_end end;
    if (w->halves && mc_expand_halves(w, root, &end)) {
        for (uint32_t i = 0; i < w->halves->roots && !x.found; i++) {
            x.found = mc_visits_find(x.wanted, w->halves->root[i]) != UINT32_MAX;
            x.ordinal = i;
        }
    } else {
        mc_decode(w, root);
        mc_expand(w, is_wanted, &x);
    }
    *ordinal = x.ordinal;
    return x.found;
}

uint32_t mc_cluster_look_before(struct mc_engine *e, uint32_t level, const uint8_t *names, uint64_t count)
{
    struct mc_cluster *c = e->cluster;
    struct mc_on_way *w = on_level(c, level);
    uint64_t size = mc_name_size(&e->space), roots[MC_CHUNK], n;
    uint32_t number, ordinal;
    bool memory = w && mc_visits_new(&c->wanted);
    for (uint64_t i = 0; memory && i < count; i++) {
        uint64_t root = mc_root_of_name(c->own, names + i * size);
        if (mc_visits_find(&c->wanted, root) == UINT32_MAX) memory = mc_visits_add(&c->wanted, root, &number);
    }
    uint64_t first = level < c->levels ? c->level[level] : 0, end = level < c->levels ? c->level[level + 1] : 0;
    for (uint64_t at = first; memory && at < end && w->count < c->most_on_ways; at += n) {
        n = mc_cluster_roots(e, at, roots);
        if (!n || e->interrupted) memory = false;
        for (uint64_t i = 0; memory && i < n && at + i < end; i++)
            if (leads_on(e, roots[i], &ordinal)) memory = add(w, roots[i], ordinal);
    }
    mc_visits_free(&c->wanted);
    memset(&c->wanted, 0, sizeof c->wanted);
    return memory && !e->space.crew.out_of_memory;
}

/* --- forwards ------------------------------------------------------------------------------------------------- */

void mc_cluster_way_begin(struct mc_engine *e, uint8_t *name)
{
    mc_initial(e->cluster->own);
    mc_put_name(e->cluster->own, name);
}

uint32_t mc_cluster_way_step(struct mc_engine *e, uint32_t level, const uint8_t *name)
{
    const struct mc_cluster *c = e->cluster;
    uint64_t root = mc_root_of_name(c->own, name);
    const struct mc_on_way *w = level < c->ways_room ? &c->way[level] : NULL;
    for (uint64_t i = 0; w && i < w->count; i++)
        if (w->root[i] == root) return w->ordinal[i];
    return UINT32_MAX;
}

struct going { uint32_t ordinal; uint64_t root; bool found; };

static bool is_next(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct going *x = context;
    (void)w;
    if (s->ordinal != x->ordinal || s->fault) return true;
    x->root = s->root;
    x->found = true;
    return false;
}

uint32_t mc_cluster_way_go(struct mc_engine *e, const uint8_t *name, uint32_t ordinal, uint8_t *next)
{
    struct mc_worker *own = e->cluster->own;
    struct going x = {ordinal, 0, false};
    mc_root_of_name(own, name);
    mc_expand(own, is_next, &x);
    if (!x.found) return 0;
    mc_decode(own, x.root);
    mc_put_name(own, next);
    return 1;
}

void mc_cluster_way_end(struct mc_engine *e)
{
    struct mc_cluster *c = e->cluster;
    for (uint64_t i = 0; i < c->ways_room; i++) {
        mc_release(c->way[i].root, 8 * c->way[i].root_room);
        mc_release(c->way[i].ordinal, 4 * c->way[i].ordinal_room);
    }
    mc_release(c->way, c->ways_room * sizeof *c->way);
    c->way = NULL;
    c->ways_room = 0;
}
