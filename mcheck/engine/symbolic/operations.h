/* What operations make of numbers: as the terms of Python have them (mcheck/symbolic/values/terms.py), which are LLVM's. */
#ifndef MC_OPERATIONS_H
#define MC_OPERATIONS_H

#include "api/symbolic.h"

#include <stdbool.h>

static inline uint64_t mc_low_bits(uint64_t v, uint32_t width) { return width >= 64 ? v : v & ((1ull << width) - 1); }

/* With the sign of so many bits. */
static inline int64_t mc_signed(uint64_t v, uint32_t width)
{
    return (int64_t)(v << (64 - width)) >> (64 - width);
}

/* Rounded towards 0; no overflow that C does not define. */
static inline uint64_t mc_quotient(uint64_t a, uint64_t b, uint32_t w)
{
    int64_t x = mc_signed(a, w), y = mc_signed(b, w);
    uint64_t p = x < 0 ? 0 - (uint64_t)x : (uint64_t)x, q = y < 0 ? 0 - (uint64_t)y : (uint64_t)y;
    return (x < 0) != (y < 0) ? 0 - p / q : p / q;
}

static inline bool mc_fits(__int128 v, uint32_t w) { return v >= -((__int128)1 << (w - 1)) && v < (__int128)1 << (w - 1); }

static inline uint64_t mc_funnel(uint64_t high, uint64_t low, uint64_t by, uint32_t w, bool left)
{
    unsigned __int128 both = (unsigned __int128)high << w | low;
    by %= w;
    return left ? (uint64_t)(both << by >> w) : (uint64_t)(both >> by);
}

static inline uint64_t mc_swapped(uint64_t v, uint32_t w)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < w; i += 8) found = found << 8 | (v >> i & 0xff);
    return found;
}

static inline uint64_t mc_compared(enum mc_term_op op, uint32_t of, uint64_t a, uint64_t b)
{
    int64_t x = mc_signed(a, of), y = mc_signed(b, of);
    switch (op) {
    case MC_TERM_EQ: return a == b;
    case MC_TERM_NE: return a != b;
    case MC_TERM_ULT: return a < b;
    case MC_TERM_ULE: return a <= b;
    case MC_TERM_UGT: return a > b;
    case MC_TERM_UGE: return a >= b;
    case MC_TERM_SLT: return x < y;
    case MC_TERM_SLE: return x <= y;
    case MC_TERM_SGT: return x > y;
    default: return x >= y;
    }
}

static inline uint64_t mc_overflows(enum mc_term_op op, uint32_t of, uint64_t a, uint64_t b)
{
    __int128 x = mc_signed(a, of), y = mc_signed(b, of);
    switch (op) {
    case MC_TERM_SADD_OVERFLOWS: return !mc_fits(x + y, of);
    case MC_TERM_SSUB_OVERFLOWS: return !mc_fits(x - y, of);
    case MC_TERM_SMUL_OVERFLOWS: return !mc_fits(x * y, of);
    case MC_TERM_UADD_OVERFLOWS: return ((unsigned __int128)a + b) >> of != 0;
    case MC_TERM_USUB_OVERFLOWS: return a < b;
    default: return ((unsigned __int128)a * b) >> of != 0;
    }
}

/* Before it is cut to the width of the result. `of`: bits of the operands, 1 to 64. */
static inline uint64_t mc_operated(enum mc_term_op op, uint32_t of, uint64_t a, uint64_t b, uint64_t c)
{
    switch (op) {
    case MC_TERM_ADD: return a + b;
    case MC_TERM_SUB: return a - b;
    case MC_TERM_MUL: return a * b;
    case MC_TERM_UDIV: return b ? a / b : 0;
    case MC_TERM_UREM: return b ? a % b : 0;
    case MC_TERM_SDIV: return b ? mc_quotient(a, b, of) : 0;
    case MC_TERM_SREM: return b ? a - b * mc_quotient(a, b, of) : 0;
    case MC_TERM_AND: return a & b;
    case MC_TERM_OR: return a | b;
    case MC_TERM_XOR: return a ^ b;
    case MC_TERM_SHL: return b < of ? a << b : 0;
    case MC_TERM_LSHR: return b < of ? a >> b : 0;
    case MC_TERM_ASHR: return (uint64_t)(mc_signed(a, of) >> (b < of ? b : of - 1));
    case MC_TERM_UMIN: return a < b ? a : b;
    case MC_TERM_UMAX: return a > b ? a : b;
    case MC_TERM_SMIN: return mc_signed(a, of) < mc_signed(b, of) ? a : b;
    case MC_TERM_SMAX: return mc_signed(a, of) > mc_signed(b, of) ? a : b;
    case MC_TERM_USUB_SAT: return a > b ? a - b : 0;
    case MC_TERM_ZEXT:
    case MC_TERM_TRUNC: return a;
    case MC_TERM_SEXT: return (uint64_t)mc_signed(a, of);
    case MC_TERM_ABS: return mc_signed(a, of) < 0 ? 0 - a : a;
    case MC_TERM_BSWAP: return mc_swapped(a, of);
    case MC_TERM_CTPOP: return (uint64_t)__builtin_popcountll(a);
    case MC_TERM_FSHL: return mc_funnel(a, b, c, of, true);
    case MC_TERM_FSHR: return mc_funnel(a, b, c, of, false);
    case MC_TERM_SELECT: return a ? b : c;
    case MC_TERM_BYTE: return b < 8 ? a >> 8 * b & 0xff : 0;
    default: return op <= MC_TERM_SGE ? mc_compared(op, of, a, b) : mc_overflows(op, of, a, b);
    }
}

#endif
