/* Which of the boxes that are known cover a new one. Sets of values have numbers; of two sets it is remembered whether the one
 * lies within the other. */
#include "api/symbolic.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { REMEMBERED = 1 << 16 };

struct bounds { uint64_t low, high; };
struct intervals { uint64_t first, count; };

struct mc_coverage {
    struct intervals *sets;
    struct bounds *bounds;
    uint64_t sets_used, sets_room, bounds_used, bounds_room;
    uint64_t within[REMEMBERED]; /* x << 33 | y << 1 | whether x lies within y; 0: nothing */
};

struct mc_coverage *mc_coverage_new(void) { return calloc(1, sizeof(struct mc_coverage)); }

void mc_coverage_free(struct mc_coverage *c)
{
    if (!c) return;
    free(c->sets);
    free(c->bounds);
    free(c);
}

static bool room(void **at, uint64_t *room_now, uint64_t wanted, size_t size)
{
    if (wanted <= *room_now) return true;
    uint64_t more = *room_now ? *room_now : 64;
    while (more < wanted) more *= 2;
    void *p = realloc(*at, more * size);
    if (!p) return false;
    *at = p;
    *room_now = more;
    return true;
}

uint32_t mc_coverage_set(struct mc_coverage *c, uint32_t set, const uint64_t *bounds, uint32_t count)
{
    if (set != c->sets_used || set >= UINT32_MAX / 4) return 0;
    if (!room((void **)&c->sets, &c->sets_room, c->sets_used + 1, sizeof *c->sets)) return 0;
    if (!room((void **)&c->bounds, &c->bounds_room, c->bounds_used + count, sizeof *c->bounds)) return 0;
    c->sets[c->sets_used++] = (struct intervals){c->bounds_used, count};
    for (uint32_t i = 0; i < count; i++) c->bounds[c->bounds_used++] = (struct bounds){bounds[2 * i], bounds[2 * i + 1]};
    return 1;
}

/* Each interval of x in one of y: intervals are sorted, and do not touch. */
static bool lies_within(const struct mc_coverage *c, uint32_t x, uint32_t y)
{
    struct intervals a = c->sets[x], b = c->sets[y];
    uint64_t j = 0;
    for (uint64_t i = 0; i < a.count; i++) {
        struct bounds own = c->bounds[a.first + i];
        while (j < b.count && c->bounds[b.first + j].high < own.low) j++;
        if (j == b.count || c->bounds[b.first + j].low > own.low || c->bounds[b.first + j].high < own.high) return false;
    }
    return true;
}

static bool is_within(struct mc_coverage *c, uint32_t x, uint32_t y)
{
    uint64_t key = (uint64_t)x << 33 | (uint64_t)y << 1;
    uint64_t *place = &c->within[(x * 0x9e3779b1u ^ y * 0x85ebca6bu) >> 16 & (REMEMBERED - 1)];
    if ((*place & ~1ull) != key || !key) *place = key | lies_within(c, x, y);
    return *place & 1;
}

uint32_t mc_coverage_next(struct mc_coverage *c, const uint32_t *box, uint32_t symbols, const uint32_t *known, uint32_t count,
                          uint32_t first, uint32_t *outside)
{
    for (uint32_t k = first; k < count; k++) {
        const uint32_t *other = known + (uint64_t)k * symbols;
        uint32_t found = MC_COVERED;
        for (uint32_t i = 0; i < symbols; i++) {
            if (box[i] == other[i] || is_within(c, box[i], other[i])) continue;
            found = found == MC_COVERED ? i : MC_BEYOND;
            if (found == MC_BEYOND) break;
        }
        if (found == MC_BEYOND) continue;
        *outside = found;
        return k;
    }
    return count;
}
