/* Making and ending an engine, and what it says of itself. See engine.h for the terms and docs/checker.md for the design. */
#include <time.h>

#include "search.h"

double mc_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct mc_engine *mc_new(const struct mc_program *p, const struct mc_options *o)
{
    if (p->components > MC_MOST_COMPONENTS || p->slots > MC_NOBODY) return NULL;
    struct mc_engine *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    if (!mc_space_new(&e->space, p, o) || !mc_worker_new(&e->worker, &e->space)) return NULL;
    mc_roots_new(&e->roots, 6);
    e->frontier = mc_reserve(1ull << MC_FRONTIER_ROOM_BITS);
    e->log = mc_reserve(1ull << MC_LOG_ROOM_BITS);
    e->errors = calloc(MC_ERRORS_ROOM, sizeof *e->errors);
    return e;
}

void mc_free(struct mc_engine *e)
{
    mc_worker_free(&e->worker);
    mc_space_free(&e->space);
    mc_roots_free(&e->roots);
    mc_release(e->frontier, 1ull << MC_FRONTIER_ROOM_BITS);
    mc_release(e->log, 1ull << MC_LOG_ROOM_BITS);
    free(e->errors);
    free(e);
}

void mc_interrupt(struct mc_engine *e) { e->interrupted = 1; }
const struct mc_statistics *mc_get_statistics(struct mc_engine *e) { return &e->s; }

uint32_t mc_get_error(struct mc_engine *e, uint32_t number, struct mc_error *out)
{
    if (number >= e->s.errors) return 0;
    *out = e->errors[number];
    return 1;
}
