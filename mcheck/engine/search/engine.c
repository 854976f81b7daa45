/* Making and ending an engine, and what it says of itself. See engine.h for the terms and docs/contributing/engine.md for the design. */
#include "api/invariants.h"
#include "api/oversized_action.h"
#include "model/clocks_and_zones.h"
#include "search/bfs.h"

struct mc_engine *mc_new(const struct mc_program *p, const struct mc_options *o)
{
    if (p->components > MC_MOST_COMPONENTS || p->slots > MC_NOBODY) return NULL;
    struct mc_engine *e = aligned_alloc(128, (sizeof *e + 127) & ~127ull);
    if (!e) return NULL;
    memset(e, 0, sizeof *e);
    e->threads = o->threads < 1 ? 1 : o->threads > MC_MOST_THREADS ? MC_MOST_THREADS : o->threads;
    e->searcher = calloc(MC_MOST_THREADS, sizeof *e->searcher);
    e->errors = calloc(MC_ERRORS_ROOM, sizeof *e->errors);
    if (e->searcher && e->errors && mc_space_new(&e->space, p, o) && mc_timing_new(&e->space) && mc_roots_new(&e->store.roots)) return e;
    return NULL; /* the process has no memory to go on with */
}

static void free_searcher(struct mc_searcher *x)
{
    mc_worker_free(&x->worker);
    for (uint64_t i = 0; i < x->next.count; i++) free(x->next.at[i].root);
    for (uint32_t i = 0; i < x->spares; i++) free(x->spare[i]);
    mc_release(x->log.byte, x->log.room);
    free(x->next.at);
    free(x->candidate);
    free(x->spare);
    free(x->errors);
    free(x->blocks);
    free(x);
}

void mc_free(struct mc_engine *e)
{
    for (uint32_t i = 0; i < e->made; i++) free_searcher(e->searcher[i]);
    if (e->spills) e->spills->free(e);
    if (e->saves) e->saves->free(e);
    if (e->shares) e->shares->free(e);
    mc_free_reductions(&e->space);
    mc_timing_free(&e->space);
    mc_space_free(&e->space);
    mc_roots_free(&e->store.roots);
    for (uint64_t i = 0; i < e->level.count; i++) free(e->level.at[i].root);
    free(e->level.at);
    mc_values_free(&e->letters);
    free(e->searcher);
    free(e->marks);
    free(e->within);
    free(e->errors);
    free(e);
}

void mc_watch(struct mc_engine *e, const struct mc_invariants *i) { e->space.invariants = i; }
uint64_t mc_unclear(const struct mc_engine *e) { return __atomic_load_n(&e->space.unclear, __ATOMIC_RELAXED); }

void mc_interrupt(struct mc_engine *e) { e->interrupted = 1; }
const struct mc_statistics *mc_get_statistics(struct mc_engine *e) { return &e->s; }

uint32_t mc_get_crowded(struct mc_engine *e, struct mc_crowded *out, uint8_t *block)
{
    const struct mc_space *s = &e->space;
    *out = s->crowded;
    if (!s->crowded_block) return 0;
    memcpy(block, s->crowded_block, s->p.block_size);
    return s->crowded.why;
}
