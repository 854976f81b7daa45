/* A sketch of a set: about how many different hashes have been added, to within a percent or so, in 16 KB. Two sketches
 * joined are the sketch of the union. (HyperLogLog, with Ertl's estimate.) */
#ifndef MC_SKETCH_H
#define MC_SKETCH_H

#include <stdint.h>

enum { MC_SKETCH_BITS = 14, MC_SKETCH_SIZE = 1 << MC_SKETCH_BITS, MC_SKETCH_RANKS = 64 - MC_SKETCH_BITS };

struct mc_sketch { uint8_t rank[MC_SKETCH_SIZE]; };

/* Hashes must be as if by chance in all their bits. */
static inline void mc_sketch_add(struct mc_sketch *s, uint64_t hash)
{
    uint64_t i = hash >> (64 - MC_SKETCH_BITS), rest = hash << MC_SKETCH_BITS;
    uint8_t rank = (uint8_t)(rest ? __builtin_clzll(rest) + 1 : MC_SKETCH_RANKS);
    if (rank > s->rank[i]) s->rank[i] = rank;
}

static inline void mc_sketch_join(struct mc_sketch *to, const struct mc_sketch *from)
{
    for (uint32_t i = 0; i < MC_SKETCH_SIZE; i++)
        if (from->rank[i] > to->rank[i]) to->rank[i] = from->rank[i];
}

static inline double mc_sketch_count(const struct mc_sketch *s)
{
    uint32_t count[MC_SKETCH_RANKS + 1] = {0};
    double z = 0, m = MC_SKETCH_SIZE;
    for (uint32_t i = 0; i < MC_SKETCH_SIZE; i++) count[s->rank[i]]++;
    if (count[0] == MC_SKETCH_SIZE) return 0;
    for (uint32_t k = MC_SKETCH_RANKS; k > 0; k--) z = 0.5 * (z + count[k]);
    double x = count[0] / m, y = 1, sigma = x, before; /* of the registers that nothing has touched */
    do {
        before = sigma;
        x *= x;
        sigma += x * y;
        y += y;
    } while (sigma != before);
    return 0.72134752044448170 * m * m / (z + m * sigma);
}

#endif
