/* States go into the table of a breadth-first search, which grows while all threads but one rest. */
#include "search/bfs.h"
#include "store/grown_set.h"

/* Small steps keep the memory small, large ones the time. */
static uint64_t more_lines(const struct mc_engine *e)
{
    uint64_t lines = e->store.roots.lines;
    if (lines < 1u << 14) return lines * 2;
    if (lines < 1u << 17 && !e->space.o.compact) return lines + lines / 2;
    return lines + lines / (e->space.o.compact ? 8 : 4);
}

/* What a thread has not counted yet has room beside the limit, and a line that is full is seen. */
static bool roots_are_full(const struct mc_engine *e)
{
    return __atomic_load_n(&e->store.roots.count, __ATOMIC_RELAXED) + e->threads * MC_WINDOW >= e->store.roots.limit;
}

static void grow_roots(struct mc_engine *e, uint64_t mixed)
{
    mc_alone(&e->space.crew);
    bool fits = mc_fits(&e->store.roots, mixed);
    if (fits && !mc_room_for(e, mc_lines_bytes(more_lines(e)) - mc_roots_bytes(&e->store.roots))) {
        mc_halt_for_memory(e); /* what is under way still finds room */
    } else if (roots_are_full(e) || !fits) {
        uint32_t a, b;
        mc_halves(&e->space, &a, &b);
        if (!mc_roots_grow(&e->store.roots, more_lines(e), 2ull * a, 2ull * b, &e->space.crew)) e->space.crew.out_of_memory = true;
    }
    mc_together(&e->space.crew);
}

static void grow_full_roots(struct mc_engine *e, uint64_t lines)
{
    mc_alone(&e->space.crew);
    if (e->store.roots.lines == lines) {
        uint32_t a, b;
        mc_halves(&e->space, &a, &b);
        if (!mc_roots_grow(&e->store.roots, more_lines(e), 2ull * a, 2ull * b, &e->space.crew)) e->space.crew.out_of_memory = true;
    }
    mc_together(&e->space.crew);
}

uint32_t mc_insert_batch(struct mc_engine *e, const struct mc_pending *batch, uint32_t n, uint8_t *results)
{
    struct mc_crew *crew = &e->space.crew;
    bool shared = !mc_works_alone(crew);
    uint32_t done = 0;
    for (;;) {
        done += mc_insert_or_cover(&e->store, batch + done, n - done, results + done, shared);
        if (done == n || crew->out_of_memory) return done;
        if (results[done] == MC_NARROW) grow_roots(e, batch[done].mixed);
        else grow_full_roots(e, e->store.roots.lines);
        if (crew->out_of_memory) return done;
    }
}

void mc_count_fresh(struct mc_engine *e, uint64_t fresh)
{
    struct mc_crew *crew = &e->space.crew;
    __atomic_fetch_add(&e->store.roots.count, fresh, __ATOMIC_RELAXED);
    if (mc_wanted_alone(crew)) mc_rest(crew);
    while (roots_are_full(e) && !crew->out_of_memory && !e->halt) grow_roots(e, 0);
}
