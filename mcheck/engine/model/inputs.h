/* What is known of inputs while an execution has not asked for their values; see policies.c. */
#ifndef MC_INPUTS_H
#define MC_INPUTS_H

#include "model/context.h"

/* The least value from `low` on whose bits are as they are known to be; it may be above `high`. */
static inline uint64_t mc_least_from_low(const struct mc_input *x)
{
    uint64_t v = x->low;
    while (v <= x->high && (v & x->mask) != x->bits) {
        uint32_t bit = 31u - (uint32_t)__builtin_clz((uint32_t)(v & x->mask) ^ x->bits); /* the highest that differs */
        v = (x->bits >> bit & 1 ? v >> bit | 1 : (v >> bit) + 1) << bit;
        v |= x->bits & ((1ull << bit) - 1);
    }
    return v;
}

static inline bool mc_has_values(const struct mc_input *x) { return x->low <= x->high && mc_least_from_low(x) <= x->high; }
static inline uint32_t mc_least_left(const struct mc_input *x) { return (uint32_t)mc_least_from_low(x); }

#endif
