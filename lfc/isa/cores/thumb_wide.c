/* The Cortex-M cores: wide instructions that compute, and wide branches. See thumb.h. */
#include "thumb_core.h"

/* --- on registers and constants ------------------------------------------------------------------------------ */

enum operation { AND, BIC, ORR, ORN, EOR, PACK = 6, ADD = 8, ADC = 10, SBC = 11, SUB = 13, RSB = 14 };

/* Which registers each may have. `simple`: the second operand moves the stack pointer by no more than 8 times a register. */
static bool are_fine(uint32_t operation, bool sets, uint32_t n, uint32_t d, bool is_constant, bool simple)
{
    bool compares = d == PC && sets;
    switch (operation) {
    case AND: case EOR: return (compares || !sp_or_pc(d)) && !sp_or_pc(n);
    case ORR: case ORN: return !sp_or_pc(d) && n != SP;
    case ADD: case SUB:
        if (n == SP) return compares || (d != PC && (d != SP || is_constant || simple));
        return (compares || !sp_or_pc(d)) && n != PC;
    default: return !sp_or_pc(d) && !sp_or_pc(n);
    }
}

static enum thumb_stop compute(struct thumb *t, uint32_t w, uint32_t d, uint32_t y, bool c)
{
    uint32_t n = w & 15, x = t->r[n], v;
    bool sets = w & 0x10;
    switch (w >> 5 & 15) {
    case AND: v = x & y; break;
    case BIC: v = x & ~y; break;
    case ORR: v = n == PC ? y : x | y; break;
    case ORN: v = n == PC ? ~y : x | ~y; break;
    case EOR: v = x ^ y; break;
    case ADD: v = add(t, x, y, false, sets); break;
    case ADC: v = add(t, x, y, carry(t), sets); break;
    case SBC: v = add(t, x, ~y, carry(t), sets); break;
    case SUB: v = add(t, x, ~y, true, sets); break;
    case RSB: v = add(t, ~x, y, true, sets); break;
    default: return THUMB_ILLEGAL;
    }
    if (sets && (w >> 5 & 15) < ADD) set_nzc(t, v, c);
    if (d != PC) put(t, d, v);
    return THUMB_RUNS;
}

/* What a shift by a constant of 5 bits means. */
static void read_shift(uint32_t type, uint32_t five, enum shift *how, uint32_t *by)
{
    *how = (enum shift)type;
    *by = five;
    if (type == ROR && !five) *how = RRX;
    if ((type == LSR || type == ASR) && !five) *by = 32;
}

static enum thumb_stop with_shifted(struct thumb *t, uint32_t w, uint32_t v)
{
    uint32_t operation = w >> 5 & 15, n = w & 15, d = v >> 8 & 15, m = v & 15, five = (v >> 10 & 0x1C) | (v >> 6 & 3), by;
    bool sets = w & 0x10, c = carry(t);
    enum shift how;
    if (v & 0x8000) return THUMB_ILLEGAL;
    read_shift(v >> 4 & 3, five, &how, &by);
    if (operation == PACK) {
        if (!has_dsp(t) || sets || v & 0x10 || sp_or_pc(d) || sp_or_pc(n) || sp_or_pc(m)) return THUMB_ILLEGAL;
        uint32_t y = shifted(t->r[m], how, by, &c), x = t->r[n];
        t->r[d] = v & 0x20 ? (x & 0xFFFF0000) | (y & 0xFFFF) : (y & 0xFFFF0000) | (x & 0xFFFF);
        return THUMB_RUNS;
    }
    bool moves = operation == ORR && n == PC && how == LSL && !by && !sets; /* MOV: also of the stack pointer */
    if (moves ? d == PC || m == PC || (d == SP && m == SP) : sp_or_pc(m) || !are_fine(operation, sets, n, d, false, how == LSL && by <= 3))
        return THUMB_ILLEGAL;
    uint32_t y = shifted(t->r[m], how, by, &c);
    return compute(t, w, d, y, c);
}

/* The constant of 12 bits. */
static bool expand(uint32_t twelve, uint32_t *v, bool *c)
{
    uint32_t low = twelve & 0xFF;
    if (twelve >> 10) {
        *v = shifted(0x80 | (twelve & 0x7F), ROR, twelve >> 7, c);
        return true;
    }
    switch (twelve >> 8) {
    case 0: *v = low; return true;
    case 1: *v = low * 0x00010001u; break;
    case 2: *v = low * 0x01000100u; break;
    default: *v = low * 0x01010101u; break;
    }
    return low != 0; /* UNPREDICTABLE otherwise */
}

static enum thumb_stop with_constant(struct thumb *t, uint32_t w, uint32_t v)
{
    uint32_t d = v >> 8 & 15, y;
    bool c = carry(t);
    if ((w >> 5 & 15) == PACK || !expand((w & 0x400) << 1 | (v >> 4 & 0x700) | (v & 0xFF), &y, &c)) return THUMB_ILLEGAL;
    if (!are_fine(w >> 5 & 15, w & 0x10, w & 15, d, true, true)) return THUMB_ILLEGAL;
    return compute(t, w, d, y, c);
}

/* --- plain constants and fields of bits ---------------------------------------------------------------------- */

static uint32_t saturated(struct thumb *t, int64_t v, uint32_t bits, bool has_sign)
{
    int64_t high = has_sign ? ((int64_t)1 << (bits - 1)) - 1 : ((int64_t)1 << bits) - 1, low = has_sign ? -high - 1 : 0;
    if (v >= low && v <= high) return (uint32_t)v;
    t->flags |= THUMB_Q;
    return (uint32_t)(v > high ? high : low);
}

static enum thumb_stop saturate(struct thumb *t, uint32_t w, uint32_t v, uint32_t d, uint32_t five)
{
    bool has_sign = !(w & 0x80), by_halves = w & 0x20 && !five, c = false;
    uint32_t n = w & 15, bits = (v & 0x1F) + has_sign, x = t->r[n];
    if (w & 0x400 || v & 0x20 || sp_or_pc(d) || sp_or_pc(n)) return THUMB_ILLEGAL;
    if (by_halves) {
        if (!has_dsp(t) || v & 0x10) return THUMB_ILLEGAL;
        uint32_t low = saturated(t, (int16_t)x, bits, has_sign) & 0xFFFF;
        t->r[d] = saturated(t, (int16_t)(x >> 16), bits, has_sign) << 16 | low;
        return THUMB_RUNS;
    }
    t->r[d] = saturated(t, (int32_t)shifted(x, w & 0x20 ? ASR : LSL, five, &c), bits, has_sign);
    return THUMB_RUNS;
}

static enum thumb_stop plain(struct thumb *t, uint32_t w, uint32_t v)
{
    uint32_t n = w & 15, d = v >> 8 & 15, x = t->r[n], low = v & 0x1F, five = (v >> 10 & 0x1C) | (v >> 6 & 3);
    uint32_t twelve = (w & 0x400) << 1 | (v >> 4 & 0x700) | (v & 0xFF), sixteen = n << 12 | twelve;
    switch (w >> 4 & 31) {
    case 0: case 10: /* ADDW, SUBW, ADR */
        if (n == SP ? d == PC : sp_or_pc(d)) return THUMB_ILLEGAL;
        if (n == PC) x = (t->now + 4) & ~3u;
        put(t, d, w & 0x80 ? x - twelve : x + twelve);
        return THUMB_RUNS;
    case 4: case 12: /* MOVW, MOVT */
        if (sp_or_pc(d)) return THUMB_ILLEGAL;
        t->r[d] = w & 0x80 ? sixteen << 16 | (t->r[d] & 0xFFFF) : sixteen;
        return THUMB_RUNS;
    case 16: case 18: case 24: case 26: return saturate(t, w, v, d, five);
    case 20: case 28: /* SBFX, UBFX */
        if (w & 0x400 || v & 0x20 || sp_or_pc(d) || sp_or_pc(n) || five + low > 31) return THUMB_ILLEGAL;
        x <<= 31 - five - low;
        t->r[d] = w & 0x80 ? x >> (31 - low) : (uint32_t)((int32_t)x >> (31 - low));
        return THUMB_RUNS;
    case 22: { /* BFI, BFC */
        if (w & 0x400 || v & 0x20 || sp_or_pc(d) || n == SP || low < five) return THUMB_ILLEGAL;
        uint32_t field = (uint32_t)((2ull << (low - five)) - 1) << five;
        t->r[d] = (t->r[d] & ~field) | (n == PC ? 0 : x << five & field);
        return THUMB_RUNS;
    }
    default: return THUMB_ILLEGAL;
    }
}

/* --- on three registers: FAxx -------------------------------------------------------------------------------- */

static uint32_t extended(uint32_t v, uint32_t how)
{
    switch (how) {
    case 0: return (uint32_t)(int16_t)v;
    case 1: return v & 0xFFFF;
    case 4: return (uint32_t)(int8_t)v;
    default: return v & 0xFF;
    }
}

static uint32_t reversed(uint32_t v)
{
    v = (v & 0x55555555) << 1 | (v >> 1 & 0x55555555);
    v = (v & 0x33333333) << 2 | (v >> 2 & 0x33333333);
    v = (v & 0x0F0F0F0F) << 4 | (v >> 4 & 0x0F0F0F0F);
    return __builtin_bswap32(v);
}

static enum thumb_stop three_registers(struct thumb *t, uint32_t w, uint32_t v)
{
    uint32_t n = w & 15, d = v >> 8 & 15, m = v & 15, x = t->r[n], y = t->r[m], first = w >> 4 & 15, second = v >> 4 & 15;
    bool c = carry(t);
    if ((v & 0xF000) != 0xF000 || sp_or_pc(d) || sp_or_pc(m)) return THUMB_ILLEGAL;
    if (first < 8 && !second) { /* shifts */
        if (sp_or_pc(n)) return THUMB_ILLEGAL;
        t->r[d] = shifted(x, (enum shift)(first >> 1), y & 0xFF, &c);
        if (w & 0x10) set_nzc(t, t->r[d], c);
        return THUMB_RUNS;
    }
    if (first < 6 && first != 2 && first != 3 && second >= 8 && second < 12 && n == PC) { /* SXTH, ... */
        t->r[d] = extended(shifted(y, ROR, (second & 3) * 8, &c), first);
        return THUMB_RUNS;
    }
    if (first == 9 && second >= 8 && second < 12) { /* REV, ...: the register is there twice */
        if (n != m) return THUMB_ILLEGAL;
        uint32_t halves = (y & 0xFF00FF00) >> 8 | (y & 0x00FF00FF) << 8;
        t->r[d] = second == 8 ? __builtin_bswap32(y) : second == 9 ? halves : second == 10 ? reversed(y) : (uint32_t)(int16_t)halves;
        return THUMB_RUNS;
    }
    if (first == 11 && second == 8) { /* CLZ */
        if (n != m) return THUMB_ILLEGAL;
        t->r[d] = y ? (uint32_t)__builtin_clz(y) : 32;
        return THUMB_RUNS;
    }
    return has_dsp(t) ? thumb_parallel(t, w, v) : THUMB_ILLEGAL;
}

/* --- branches ------------------------------------------------------------------------------------------------ */

static enum thumb_stop branch_wide(struct thumb *t, uint32_t w, uint32_t v)
{
    uint32_t s = w >> 10 & 1, j1 = v >> 13 & 1, j2 = v >> 11 & 1, next = t->now + 4, top = 0 - s;
    if (!(v & 0x1000)) {
        if (v & 0x4000) return THUMB_ILLEGAL; /* BLX: to the other instruction set */
        if ((w & 0x380) == 0x380) return thumb_system(t, w, v);
        if (!is_main(t) || t->it_now) return THUMB_ILLEGAL;
        uint32_t way = top << 20 | j2 << 19 | j1 << 18 | (w & 0x3F) << 12 | (v & 0x7FF) << 1;
        if (holds(t, w >> 6 & 15)) branch(t, next + way, THUMB_BRANCHED);
        return THUMB_RUNS;
    }
    uint32_t way = top << 24 | (1 ^ j1 ^ s) << 23 | (1 ^ j2 ^ s) << 22 | (w & 0x3FF) << 12 | (v & 0x7FF) << 1;
    if (must_go_on(t)) return THUMB_ILLEGAL;
    if (v & 0x4000) {
        t->r[LR] = next | 1;
        branch(t, next + way, THUMB_CALLED);
        return THUMB_RUNS;
    }
    if (!is_main(t)) return THUMB_ILLEGAL;
    branch(t, next + way, THUMB_BRANCHED);
    return THUMB_RUNS;
}

enum thumb_stop thumb_wide(struct thumb *t, uint32_t w, uint32_t v)
{
    if (w >> 11 == 0x1E && v & 0x8000) return branch_wide(t, w, v);
    if (!is_main(t)) return THUMB_ILLEGAL;
    switch (w >> 9 & 0x7F) {
    case 0x74: return thumb_wide_memory(t, w, v); /* E8xx, E9xx */
    case 0x75: return with_shifted(t, w, v);      /* EAxx, EBxx */
    case 0x78: case 0x7A: return with_constant(t, w, v); /* F0xx, F1xx, F4xx, F5xx */
    case 0x79: case 0x7B: return plain(t, w, v);         /* F2xx, F3xx, F6xx, F7xx */
    case 0x7C: return thumb_wide_memory(t, w, v); /* F8xx, F9xx */
    case 0x7D: return w & 0x100 ? thumb_multiply(t, w, v) : three_registers(t, w, v);
    default: return THUMB_ILLEGAL; /* coprocessors, floating point */
    }
}
