/* The Cortex-M cores: products, divisions, and what the M4 has in addition for signals. See thumb.h. */
#include "thumb_core.h"

static int32_t low(uint32_t v) { return (int16_t)v; }
static int32_t high(uint32_t v) { return (int16_t)(v >> 16); }
static int32_t half(uint32_t v, bool top) { return top ? high(v) : low(v); }

/* It wraps, and the flag says so. */
static uint32_t noted(struct thumb *t, int64_t v)
{
    if (v != (int32_t)v) t->flags |= THUMB_Q;
    return (uint32_t)v;
}

static uint32_t saturated(struct thumb *t, int64_t v)
{
    if (v == (int32_t)v) return (uint32_t)v;
    t->flags |= THUMB_Q;
    return v > 0 ? INT32_MAX : (uint32_t)INT32_MIN;
}

/* --- products of 32 bits: FB0x to FB7x ----------------------------------------------------------------------- */

static uint32_t differences(uint32_t x, uint32_t y)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 32; i += 8) {
        int32_t d = (int32_t)(x >> i & 0xFF) - (int32_t)(y >> i & 0xFF);
        sum += (uint32_t)(d < 0 ? -d : d);
    }
    return sum;
}

/* The upper half of a product, added to or taken from `a`. */
static uint32_t upper(uint32_t x, uint32_t y, uint32_t a, bool takes, bool rounds)
{
    uint64_t p = (uint64_t)((int64_t)(int32_t)x * (int32_t)y), from = (uint64_t)a << 32;
    return (uint32_t)(((takes ? from - p : from + p) + (rounds ? 0x80000000u : 0)) >> 32);
}

static enum thumb_stop short_product(struct thumb *t, uint32_t w, uint32_t v)
{
    uint32_t a = v >> 12, d = v >> 8 & 15, way = v >> 4 & 3, x = t->r[w & 15], y = t->r[v & 15], kind = w >> 4 & 7;
    int64_t from = a == PC ? 0 : (int32_t)t->r[a];
    if (v & 0xC0 || sp_or_pc(d) || sp_or_pc(w & 15) || sp_or_pc(v & 15) || a == SP) return THUMB_ILLEGAL;
    if (kind == 0) { /* MLA, MUL, MLS */
        if (way > 1 || (way && a == PC)) return THUMB_ILLEGAL;
        t->cycles += a != PC;
        t->r[d] = way ? t->r[a] - x * y : (uint32_t)from + x * y;
        return THUMB_RUNS;
    }
    if (!has_dsp(t)) return THUMB_ILLEGAL;
    uint32_t turned = way & 1 ? y >> 16 | y << 16 : y;
    if (kind != 1 && way > 1) return THUMB_ILLEGAL;
    switch (kind) {
    case 1: t->r[d] = noted(t, (int64_t)half(x, way & 2) * half(y, way & 1) + from); return THUMB_RUNS; /* SMLAxy */
    case 2: t->r[d] = noted(t, (int64_t)low(x) * low(turned) + (int64_t)high(x) * high(turned) + from); return THUMB_RUNS;
    case 3: t->r[d] = noted(t, ((int64_t)(int32_t)x * half(y, way & 1) >> 16) + from); return THUMB_RUNS; /* SMLAW */
    case 4: t->r[d] = noted(t, (int64_t)low(x) * low(turned) - (int64_t)high(x) * high(turned) + from); return THUMB_RUNS;
    case 5: t->r[d] = upper(x, y, (uint32_t)from, false, way & 1); return THUMB_RUNS; /* SMMLA */
    case 6: /* SMMLS */
        if (a == PC) return THUMB_ILLEGAL;
        t->r[d] = upper(x, y, (uint32_t)from, true, way & 1);
        return THUMB_RUNS;
    default: /* USADA8 */
        if (way) return THUMB_ILLEGAL;
        t->r[d] = differences(x, y) + (uint32_t)from;
        return THUMB_RUNS;
    }
}

/* --- of 64 bits, and divisions: FB8x to FBFx ----------------------------------------------------------------- */

enum { DIVISION_COSTS = 11, LONG_COSTS = 4, LONG_SUM_COSTS = 6 }; /* beyond one cycle, at most; products: of the M3 */

static uint32_t quotient(uint32_t x, uint32_t y, bool has_sign)
{
    if (!y) return 0;
    if (!has_sign) return x / y;
    return (int32_t)y == -1 ? 0 - x : (uint32_t)((int32_t)x / (int32_t)y);
}

static enum thumb_stop long_product(struct thumb *t, uint32_t w, uint32_t v)
{
    uint32_t l = v >> 12, h = v >> 8 & 15, kind = w >> 4 & 7, way = v >> 4 & 15, x = t->r[w & 15], y = t->r[v & 15];
    if (sp_or_pc(h) || sp_or_pc(w & 15) || sp_or_pc(v & 15)) return THUMB_ILLEGAL;
    if (kind == 1 || kind == 3) {
        if (way != 15 || l != PC) return THUMB_ILLEGAL;
        t->cycles += DIVISION_COSTS;
        t->r[h] = quotient(x, y, kind == 1);
        return THUMB_RUNS;
    }
    if (sp_or_pc(l) || l == h) return THUMB_ILLEGAL;
    uint64_t from = (uint64_t)t->r[h] << 32 | t->r[l], signs = (uint64_t)((int64_t)(int32_t)x * (int32_t)y), plain = (uint64_t)x * y;
    uint32_t turned = way & 1 ? y >> 16 | y << 16 : y, costs = way ? 0 : kind < 4 ? LONG_COSTS : LONG_SUM_COSTS;
    if (way && !has_dsp(t)) return THUMB_ILLEGAL;
    switch (kind << 4 | way) {
    case 0x00: from = signs; break;  /* SMULL */
    case 0x20: from = plain; break;  /* UMULL */
    case 0x40: from += signs; break; /* SMLAL */
    case 0x60: from += plain; break; /* UMLAL */
    case 0x48: case 0x49: case 0x4A: case 0x4B: from += (uint64_t)((int64_t)half(x, way & 2) * half(y, way & 1)); break;
    case 0x4C: case 0x4D: from += (uint64_t)((int64_t)low(x) * low(turned) + (int64_t)high(x) * high(turned)); break;
    case 0x5C: case 0x5D: from += (uint64_t)((int64_t)low(x) * low(turned) - (int64_t)high(x) * high(turned)); break;
    case 0x66: from = plain + t->r[h] + t->r[l]; break; /* UMAAL */
    default: return THUMB_ILLEGAL;
    }
    if (!has_dsp(t)) t->cycles += costs;
    t->r[l] = (uint32_t)from;
    t->r[h] = (uint32_t)(from >> 32);
    return THUMB_RUNS;
}

enum thumb_stop thumb_multiply(struct thumb *t, uint32_t w, uint32_t v)
{
    return w & 0x80 ? long_product(t, w, v) : short_product(t, w, v);
}

/* --- on bytes and halves at once: FAxx ----------------------------------------------------------------------- */

enum how { PLAIN, SATURATED, HALVED };

/* One lane of so many bits; `ge`: the flags of its bytes. */
static uint32_t lane(int32_t v, uint32_t bits, bool has_sign, enum how how, bool *ge)
{
    int32_t most = has_sign ? (1 << (bits - 1)) - 1 : (1 << bits) - 1, least = has_sign ? -most - 1 : 0;
    *ge = v >= 0;
    if (how == HALVED) v >>= 1;
    if (how == SATURATED) v = v > most ? most : v < least ? least : v;
    return (uint32_t)v & ((1u << bits) - 1);
}

static int32_t part(uint32_t v, uint32_t at, uint32_t bits, bool has_sign)
{
    v >>= at;
    if (bits == 8) return has_sign ? (int8_t)v : (uint8_t)v;
    return has_sign ? (int16_t)v : (uint16_t)v;
}

/* Additions and subtractions: `kind` 0 ADD8, 1 ADD16, 2 ASX, 4 SUB8, 5 SUB16, 6 SAX. */
static enum thumb_stop lanes(struct thumb *t, uint32_t kind, uint32_t way, uint32_t d, uint32_t x, uint32_t y)
{
    bool has_sign = !(way & 4), ge;
    uint32_t bits = kind == 0 || kind == 4 ? 8 : 16, found = 0, flags = 0;
    if (kind == 3 || kind == 7 || (way & 3) == 3) return THUMB_ILLEGAL;
    for (uint32_t at = 0; at < 32; at += bits) {
        bool takes = kind == 2 ? at == 0 : kind == 6 ? at == 16 : kind >= 4;
        uint32_t other = kind == 2 || kind == 6 ? 16 - at : at;
        int32_t a = part(x, at, bits, has_sign), b = part(y, other, bits, has_sign), sum = takes ? a - b : a + b;
        found |= lane(sum, bits, has_sign, (enum how)(way & 3), &ge) << at;
        if (!has_sign && !takes) ge = sum >> bits & 1; /* it carries */
        if (ge) flags |= (bits == 8 ? 1u : 3u) << (16 + at / 8);
    }
    t->r[d] = found;
    if ((way & 3) == PLAIN) t->flags = (t->flags & ~(uint32_t)THUMB_GE) | flags;
    return THUMB_RUNS;
}

static uint32_t selected(const struct thumb *t, uint32_t x, uint32_t y)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 4; i++)
        if (t->flags >> (16 + i) & 1) mask |= 0xFFu << 8 * i;
    return (x & mask) | (y & ~mask);
}

static uint32_t turned_right(uint32_t v, uint32_t by) { return by ? v >> by | v << (32 - by) : v; }

/* Extended and added: bytes or halves, one or two of them. */
static uint32_t extended_sum(uint32_t kind, uint32_t x, uint32_t y)
{
    switch (kind) {
    case 0: return x + (uint32_t)(int16_t)y;
    case 1: return x + (uint16_t)y;
    case 2: return ((x + (uint32_t)(int8_t)y) & 0xFFFF) | ((x >> 16) + (uint32_t)(int8_t)(y >> 16)) << 16;
    case 3: return ((x + (uint8_t)y) & 0xFFFF) | ((x >> 16) + (uint8_t)(y >> 16)) << 16;
    case 4: return x + (uint32_t)(int8_t)y;
    default: return x + (uint8_t)y;
    }
}

enum thumb_stop thumb_parallel(struct thumb *t, uint32_t w, uint32_t v)
{
    uint32_t n = w & 15, d = v >> 8 & 15, first = w >> 4 & 15, second = v >> 4 & 15, x = t->r[n], y = t->r[v & 15];
    if (first < 6 && second >= 8 && second < 12) {
        if (n == SP) return THUMB_ILLEGAL;
        t->r[d] = extended_sum(first, n == PC ? 0 : x, turned_right(y, (second & 3) * 8));
        return THUMB_RUNS;
    }
    if (first < 8 || sp_or_pc(n)) return THUMB_ILLEGAL;
    if (second < 8) return lanes(t, first & 7, second, d, x, y);
    int64_t a = (int32_t)y, b = (int32_t)x;
    switch (first << 4 | second) {
    case 0x88: t->r[d] = saturated(t, a + b); return THUMB_RUNS; /* QADD */
    case 0x89: t->r[d] = saturated(t, a + (int32_t)saturated(t, 2 * b)); return THUMB_RUNS;
    case 0x8A: t->r[d] = saturated(t, a - b); return THUMB_RUNS;
    case 0x8B: t->r[d] = saturated(t, a - (int32_t)saturated(t, 2 * b)); return THUMB_RUNS;
    case 0xA8: t->r[d] = selected(t, x, y); return THUMB_RUNS;
    default: return THUMB_ILLEGAL;
    }
}
