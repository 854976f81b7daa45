/* The Cortex-M cores: wide loads and stores, and jumps by tables. See thumb.h. */
#include "thumb_core.h"

/* LDM, STM: upwards, or downwards to below the register. */
static enum thumb_stop several(struct thumb *t, uint32_t w, uint32_t v)
{
    uint32_t n = w & 15, size = 4 * (uint32_t)__builtin_popcount(v), base = t->r[n], pc = 0;
    bool loads = w & 0x10, back = w & 0x20, down = w & 0x100;
    uint32_t at = down ? base - size : base, after = down ? at : base + size;
    enum thumb_stop said;
    if (down == (w >> 7 & 1) || n == PC || size < 8 || v >> SP & 1 || (back && v >> n & 1)) return THUMB_ILLEGAL;
    if (!loads) {
        if (v >> PC) return THUMB_ILLEGAL;
        said = store_several(t, v, at, n == SP && back ? after : t->r[SP]);
        if (said == THUMB_RUNS && back) put(t, n, after);
        return said;
    }
    if (v >> PC && (v >> LR & 1 || must_go_on(t))) return THUMB_ILLEGAL;
    if ((said = load_several(t, v, at, &pc))) return said;
    if (back) put(t, n, after);
    return v >> PC ? interwork(t, pc, n == SP ? THUMB_RETURNED : THUMB_JUMPED, true) : THUMB_RUNS;
}

/* LDRD, STRD. */
static enum thumb_stop two_words(struct thumb *t, uint32_t w, uint32_t v)
{
    uint32_t n = w & 15, r = v >> 12, second = v >> 8 & 15, way = (v & 0xFF) * 4, base = t->r[n], lowest;
    bool loads = w & 0x10, back = w & 0x20, before = w & 0x100;
    enum thumb_stop said;
    if (sp_or_pc(r) || sp_or_pc(second) || (back && (n == r || n == second))) return THUMB_ILLEGAL;
    if (n == PC) {
        if (!loads || back) return THUMB_ILLEGAL;
        base = (t->now + 4) & ~3u;
    }
    uint32_t moved = w & 0x80 ? base + way : base - way, at = before ? moved : base;
    t->cycles += 2;
    if (loads) {
        if (r == second) return THUMB_ILLEGAL;
        uint32_t low, high;
        if ((said = load(t, at, 4, true, &low)) || (said = load(t, at + 4, 4, true, &high))) return said;
        t->r[r] = low;
        t->r[second] = high;
    } else {
        lowest = n == SP && back ? moved : t->r[SP];
        if ((said = store_above(t, lowest, at, 4, true, t->r[r])) || (said = store_above(t, lowest, at + 4, 4, true, t->r[second])))
            return said;
    }
    if (back) put(t, n, moved);
    return THUMB_RUNS;
}

static enum thumb_stop load_exclusive(struct thumb *t, uint32_t r, uint32_t n, uint32_t at, uint32_t size)
{
    if (sp_or_pc(r) || n == PC) return THUMB_ILLEGAL;
    t->exclusive = true;
    t->exclusive_at = at;
    t->cycles++;
    return load(t, at, size, true, &t->r[r]);
}

/* Only what the same core has marked, at the same address, is stored. */
static enum thumb_stop store_exclusive(struct thumb *t, uint32_t d, uint32_t r, uint32_t n, uint32_t at, uint32_t size)
{
    if (sp_or_pc(d) || sp_or_pc(r) || n == PC || d == n || d == r) return THUMB_ILLEGAL;
    bool mine = t->exclusive && t->exclusive_at == at;
    t->cycles++;
    t->exclusive = false;
    if (mine) {
        enum thumb_stop said = store(t, at, size, true, t->r[r]);
        if (said) return said;
    } else if (at & (size - 1)) {
        t->where = at;
        return THUMB_UNALIGNED;
    }
    t->r[d] = !mine;
    return THUMB_RUNS;
}

static enum thumb_stop by_table(struct thumb *t, uint32_t n, uint32_t m, bool halves)
{
    uint32_t way;
    if (n == SP || sp_or_pc(m) || must_go_on(t)) return THUMB_ILLEGAL;
    enum thumb_stop said = load(t, get(t, n) + (t->r[m] << halves), halves ? 2 : 1, false, &way);
    if (said) return said;
    t->cycles++;
    branch(t, t->now + 4 + 2 * way, THUMB_BY_TABLE);
    return THUMB_RUNS;
}

/* The sizes of those that acquire and release. */
static bool ordered_size(const struct thumb *t, uint32_t v, uint32_t *size)
{
    *size = 1u << (v >> 4 & 3);
    return is_v8(t) && (v & 0xF00) == 0xF00 && *size < 8;
}

/* LDA, LDAEX: nothing that comes later is read before. */
static enum thumb_stop acquired(struct thumb *t, uint32_t r, uint32_t n, uint32_t at, uint32_t v)
{
    uint32_t size;
    if (!ordered_size(t, v, &size) || (v & 15) != 15) return THUMB_ILLEGAL;
    if (v & 0x40) return load_exclusive(t, r, n, at, size);
    if (sp_or_pc(r) || n == PC) return THUMB_ILLEGAL;
    t->cycles++;
    return load(t, at, size, true, &t->r[r]);
}

/* STL, STLEX: all that came earlier is written before. */
static enum thumb_stop released(struct thumb *t, uint32_t d, uint32_t r, uint32_t n, uint32_t at, uint32_t v)
{
    uint32_t size;
    if (!ordered_size(t, v, &size)) return THUMB_ILLEGAL;
    if (v & 0x40) return store_exclusive(t, d, r, n, at, size);
    if (d != 15 || sp_or_pc(r) || n == PC) return THUMB_ILLEGAL;
    t->cycles++;
    return store(t, at, size, true, t->r[r]);
}

/* E8xx, E9xx with bit 6. */
static enum thumb_stop double_or_exclusive(struct thumb *t, uint32_t w, uint32_t v)
{
    uint32_t n = w & 15, base = t->r[n];
    if (w & 0x120) return two_words(t, w, v);
    switch (w & 0xFFF0) {
    case 0xE840: return store_exclusive(t, v >> 8 & 15, v >> 12, n, base + (v & 0xFF) * 4, 4);
    case 0xE850: return (v & 0xF00) == 0xF00 ? load_exclusive(t, v >> 12, n, base + (v & 0xFF) * 4, 4) : THUMB_ILLEGAL;
    case 0xE8C0:
        if (v & 0x80) return released(t, v & 15, v >> 12, n, base, v);
        if ((v & 0xFE0) != 0xF40) return THUMB_ILLEGAL;
        return store_exclusive(t, v & 15, v >> 12, n, base, v & 0x10 ? 2 : 1);
    default: /* E8D0 */
        if (v & 0x80) return acquired(t, v >> 12, n, base, v);
        if ((v & 0xFFE0) == 0xF000) return by_table(t, n, v & 15, v & 0x10);
        return (v & 0xFEF) == 0xF4F ? load_exclusive(t, v >> 12, n, base, v & 0x10 ? 2 : 1) : THUMB_ILLEGAL;
    }
}

/* One value of 1, 2 or 4 bytes: F8xx, F9xx. */
static enum thumb_stop single(struct thumb *t, uint32_t w, uint32_t v)
{
    uint32_t n = w & 15, r = v >> 12, log = w >> 5 & 3, size = 1u << log, base = t->r[n], at, moved = 0, c;
    bool loads = w & 0x10, has_sign = w & 0x100, back = false;
    if (log == 3 || (has_sign && (log == 2 || !loads)) || (!loads && n == PC)) return THUMB_ILLEGAL;
    if (loads ? r == PC && log != 2 : r == PC) return THUMB_ILLEGAL; /* hints for a cache */
    if (r == SP && log != 2) return THUMB_ILLEGAL;
    if (n == PC) {
        base = (t->now + 4) & ~3u;
        at = w & 0x80 ? base + (v & 0xFFF) : base - (v & 0xFFF);
    } else if (w & 0x80) {
        at = base + (v & 0xFFF);
    } else if (v & 0x800) {
        bool before = v & 0x400, up = v & 0x200;
        back = v & 0x100;
        if ((!before && !back) || (before && up && !back)) return THUMB_ILLEGAL; /* none, or as if it had no privileges */
        moved = up ? base + (v & 0xFF) : base - (v & 0xFF);
        at = before ? moved : base;
        if (back && n == r) return THUMB_ILLEGAL;
    } else {
        if (v & 0x7C0 || sp_or_pc(v & 15)) return THUMB_ILLEGAL;
        at = base + (t->r[v & 15] << (v >> 4 & 3));
    }
    t->cycles++;
    if (!loads) {
        enum thumb_stop said = store_above(t, n == SP && back ? moved : t->r[SP], at, size, false, t->r[r]);
        if (said == THUMB_RUNS && back) put(t, n, moved);
        return said;
    }
    if (r == PC && must_go_on(t)) return THUMB_ILLEGAL;
    enum thumb_stop said = load(t, at, size, r == PC, &c);
    if (said) return said;
    if (has_sign) c = size == 1 ? (uint32_t)(int8_t)c : (uint32_t)(int16_t)c;
    if (back) put(t, n, moved);
    if (r == PC) return interwork(t, c, n == SP ? THUMB_RETURNED : THUMB_JUMPED, true);
    put(t, r, c);
    return THUMB_RUNS;
}

enum thumb_stop thumb_wide_memory(struct thumb *t, uint32_t w, uint32_t v)
{
    if (w >= 0xF800) return single(t, w, v);
    return w & 0x40 ? double_or_exclusive(t, w, v) : several(t, w, v);
}
