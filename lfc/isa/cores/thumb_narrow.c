/* The Cortex-M cores: narrow instructions, and one step. See thumb.h. */
#include "thumb_core.h"

uint32_t thumb_index(const struct thumb *t, uint32_t address) { return find(t, address, 1); }

uint32_t thumb_address(const struct thumb *t, uint32_t at)
{
    for (uint32_t i = 0; i < t->regions; i++)
        if (at - t->region[i].at < t->region[i].size) return t->region[i].start + (at - t->region[i].at);
    return 0;
}

void thumb_set_sp(struct thumb *t, uint32_t sp)
{
    uint32_t from = t->r[SP];
    t->r[SP] = sp & ~3u;
    if (t->r[SP] <= from) return;
    uint32_t at = find(t, from, 1), count = t->r[SP] - from;
    if (at == THUMB_NOWHERE || thumb_index(t, t->r[SP] - 1) != at + count - 1) { /* it was elsewhere */
        at = find(t, t->lowest_stack, 1);
        if (t->r[SP] <= t->lowest_stack) return; /* nothing of it was stored above */
        count = t->r[SP] - t->lowest_stack;
        if (at == THUMB_NOWHERE || thumb_index(t, t->r[SP] - 1) != at + count - 1) return;
    }
    for (uint8_t *m = t->allowed + at, *end = m + count; m < end; m++)
        if (*m & THUMB_STACK) *m &= (uint8_t)~THUMB_READ;
}

static uint32_t half_at(const struct thumb *t, uint32_t o)
{
    const uint8_t *d = t->data + t->flash_at + o;
    return (uint32_t)(d[0] | d[1] << 8);
}

enum thumb_stop thumb_reset(struct thumb *t)
{
    memset(t->r, 0, sizeof t->r);
    t->flags = t->it = t->it_now = t->primask = t->faultmask = t->basepri = t->control = t->other_sp = t->ipsr = t->waits = 0;
    t->event = t->exclusive = false;
    t->r[LR] = UINT32_MAX;
    t->where = t->flash_start;
    if (t->flash_size < 8) return THUMB_OUTSIDE;
    t->r[SP] = (half_at(t, 0) | half_at(t, 2) << 16) & ~3u;
    uint32_t start = half_at(t, 4) | half_at(t, 6) << 16;
    t->where = start;
    t->r[PC] = start & ~1u;
    return start & 1 ? THUMB_RUNS : THUMB_NO_THUMB;
}

/* --- narrow instructions ------------------------------------------------------------------------------------- */

/* 000: shifts by a constant, additions of three operands. */
static enum thumb_stop shift_add(struct thumb *t, uint32_t op, bool sets)
{
    uint32_t *d = &t->r[op & 7], m = t->r[op >> 3 & 7], n = op >> 6 & 31;
    bool c = carry(t);
    switch (op >> 11 & 3) {
    case 0:
        if (!n && !sets) return THUMB_ILLEGAL; /* MOVS: not in an IT block */
        *d = shifted(m, LSL, n, &c);
        break;
    case 1: *d = shifted(m, LSR, n ? n : 32, &c); break;
    case 2: *d = shifted(m, ASR, n ? n : 32, &c); break;
    default:
        n = op & 0x400 ? n & 7 : t->r[n & 7];
        *d = op & 0x200 ? add(t, m, ~n, true, sets) : add(t, m, n, false, sets);
        return THUMB_RUNS;
    }
    if (sets) set_nzc(t, *d, c);
    return THUMB_RUNS;
}

/* 010000: two low registers. */
static void two_registers(struct thumb *t, uint32_t op, bool sets)
{
    uint32_t *d = &t->r[op & 7], n = *d, m = t->r[op >> 3 & 7], v;
    bool c = carry(t);
    switch (op >> 6 & 15) {
    case 0: v = n & m; break;
    case 1: v = n ^ m; break;
    case 2: v = shifted(n, LSL, m & 0xFF, &c); break;
    case 3: v = shifted(n, LSR, m & 0xFF, &c); break;
    case 4: v = shifted(n, ASR, m & 0xFF, &c); break;
    case 5: *d = add(t, n, m, c, sets); return;
    case 6: *d = add(t, n, ~m, c, sets); return;
    case 7: v = shifted(n, ROR, m & 0xFF, &c); break;
    case 8: set_nz(t, n & m); return; /* TST */
    case 9: *d = add(t, ~m, 0, true, sets); return; /* RSB */
    case 10: add(t, n, ~m, true, true); return; /* CMP */
    case 11: add(t, n, m, false, true); return; /* CMN */
    case 12: v = n | m; break;
    case 13: /* MUL */
        *d = n * m;
        if (sets) set_nz(t, *d);
        return;
    case 14: v = n & ~m; break;
    default: v = ~m; break;
    }
    *d = v;
    if (sets) set_nzc(t, v, c);
}

/* 010001: high registers, jumps by registers. */
static enum thumb_stop high_registers(struct thumb *t, uint32_t op)
{
    uint32_t m = op >> 3 & 15, d = (op & 7) | (op >> 4 & 8);
    if ((op >> 8 & 3) == 3) { /* BX, BLX */
        if (op & 7 || m == PC || must_go_on(t)) return THUMB_ILLEGAL;
        if (!(op & 0x80)) return interwork(t, t->r[m], m == LR ? THUMB_RETURNED : THUMB_JUMPED, false);
        uint32_t target = t->r[m], back = t->r[PC] | 1;
        t->where = target;
        if (!(target & 1)) return THUMB_NO_THUMB;
        t->r[LR] = back;
        branch(t, target, THUMB_CALLED_BY_POINTER);
        return THUMB_RUNS;
    }
    uint32_t v = get(t, m);
    switch (op >> 8 & 3) {
    case 0: /* ADD */
        if (d == PC && m == PC) return THUMB_ILLEGAL;
        v += get(t, d);
        break;
    case 1: /* CMP */
        if ((d < 8 && m < 8) || d == PC || m == PC) return THUMB_ILLEGAL;
        add(t, t->r[d], ~v, true, true);
        return THUMB_RUNS;
    default: break; /* MOV */
    }
    if (d != PC) {
        put(t, d, v);
        return THUMB_RUNS;
    }
    if (must_go_on(t)) return THUMB_ILLEGAL;
    branch(t, v, op & 0x200 && m == LR ? THUMB_RETURNED : THUMB_BY_TABLE);
    return THUMB_RUNS;
}

static enum thumb_stop load_into(struct thumb *t, uint32_t r, uint32_t address, uint32_t size)
{
    t->cycles++;
    return load(t, address, size, false, &t->r[r]);
}

static enum thumb_stop store_from(struct thumb *t, uint32_t r, uint32_t address, uint32_t size)
{
    t->cycles++;
    return store(t, address, size, false, t->r[r]);
}

/* 0101: through two registers. */
static enum thumb_stop through_two(struct thumb *t, uint32_t op)
{
    uint32_t r = op & 7, address = t->r[op >> 3 & 7] + t->r[op >> 6 & 7];
    enum thumb_stop said;
    switch (op >> 9 & 7) {
    case 0: return store_from(t, r, address, 4);
    case 1: return store_from(t, r, address, 2);
    case 2: return store_from(t, r, address, 1);
    case 4: return load_into(t, r, address, 4);
    case 5: return load_into(t, r, address, 2);
    case 6: return load_into(t, r, address, 1);
    case 3:
        said = load_into(t, r, address, 1);
        t->r[r] = (uint32_t)(int8_t)t->r[r];
        return said;
    default:
        said = load_into(t, r, address, 2);
        t->r[r] = (uint32_t)(int16_t)t->r[r];
        return said;
    }
}

static enum thumb_stop push(struct thumb *t, uint32_t list)
{
    uint32_t sp = t->r[SP] - 4 * (uint32_t)__builtin_popcount(list);
    if (!list) return THUMB_ILLEGAL;
    enum thumb_stop said = store_several(t, list, sp, sp);
    t->r[SP] = sp;
    return said;
}

static enum thumb_stop pop(struct thumb *t, uint32_t list)
{
    uint32_t pc = 0;
    if (!list || (list >> PC && must_go_on(t))) return THUMB_ILLEGAL;
    enum thumb_stop said = load_several(t, list, t->r[SP], &pc);
    if (said) return said;
    thumb_set_sp(t, t->r[SP] + 4 * (uint32_t)__builtin_popcount(list));
    return list >> PC ? interwork(t, pc, THUMB_RETURNED, true) : THUMB_RUNS;
}

/* 1011 1111: IT and hints. */
static enum thumb_stop make_conditional(struct thumb *t, uint32_t op)
{
    uint32_t condition = op >> 4 & 15, mask = op & 15;
    if (!mask) return thumb_hint(t, condition);
    if (!is_main(t) || t->it_now || condition == 15 || (condition == 14 && mask & (mask - 1))) return THUMB_ILLEGAL;
    t->it = op & 0xFF;
    return THUMB_RUNS;
}

static enum thumb_stop compare_and_branch(struct thumb *t, uint32_t op)
{
    if (!is_main(t) || t->it_now) return THUMB_ILLEGAL;
    if ((t->r[op & 7] != 0) == (op >> 11 & 1)) branch(t, t->now + 4 + ((op >> 3 & 31) << 1 | (op >> 9 & 1) << 6), THUMB_BRANCHED);
    return THUMB_RUNS;
}

static uint32_t swapped_halves(uint32_t v) { return (v & 0xFF00FF00) >> 8 | (v & 0x00FF00FF) << 8; }

/* 1011 */
static enum thumb_stop miscellaneous(struct thumb *t, uint32_t op)
{
    uint32_t *d = &t->r[op & 7], m = t->r[op >> 3 & 7];
    switch (op >> 8 & 15) {
    case 0: thumb_set_sp(t, op & 0x80 ? t->r[SP] - 4 * (op & 0x7F) : t->r[SP] + 4 * (op & 0x7F)); return THUMB_RUNS;
    case 2:
        switch (op >> 6 & 3) {
        case 0: *d = (uint32_t)(int16_t)m; break;
        case 1: *d = (uint32_t)(int8_t)m; break;
        case 2: *d = m & 0xFFFF; break;
        default: *d = m & 0xFF; break;
        }
        return THUMB_RUNS;
    case 1: case 3: case 9: case 11: return compare_and_branch(t, op);
    case 4: return push(t, op & 0xFF);
    case 5: return push(t, (op & 0xFF) | 1 << LR);
    case 6: return thumb_change_state(t, op);
    case 10:
        switch (op >> 6 & 3) {
        case 0: *d = __builtin_bswap32(m); return THUMB_RUNS;
        case 1: *d = swapped_halves(m); return THUMB_RUNS;
        case 3: *d = (uint32_t)(int16_t)swapped_halves(m); return THUMB_RUNS;
        default: return THUMB_ILLEGAL;
        }
    case 12: return pop(t, op & 0xFF);
    case 13: return pop(t, (op & 0xFF) | 1 << PC);
    case 14: return THUMB_BREAKS;
    case 15: return make_conditional(t, op);
    default: return THUMB_ILLEGAL;
    }
}

/* 1100: LDM, STM. */
static enum thumb_stop several(struct thumb *t, uint32_t op)
{
    uint32_t n = op >> 8 & 7, list = op & 0xFF, at = t->r[n], count = (uint32_t)__builtin_popcount(list);
    enum thumb_stop said;
    if (!list) return THUMB_ILLEGAL;
    if (op & 0x800) {
        said = load_several(t, list, at, NULL);
        if (!(list >> n & 1)) t->r[n] = at + 4 * count;
        return said;
    }
    if (list & ((1u << n) - 1) && list >> n & 1) return THUMB_ILLEGAL; /* nobody knows which of its values is stored */
    said = store_several(t, list, at, t->r[SP]);
    t->r[n] = at + 4 * count;
    return said;
}

static enum thumb_stop conditional_branch(struct thumb *t, uint32_t op)
{
    uint32_t condition = op >> 8 & 15;
    if (condition == 14) return THUMB_ILLEGAL;
    if (condition == 15) return THUMB_CALLS_SUPERVISOR;
    if (t->it_now) return THUMB_ILLEGAL;
    if (holds(t, condition)) branch(t, t->now + 4 + 2 * (uint32_t)(int8_t)op, THUMB_BRANCHED);
    return THUMB_RUNS;
}

static enum thumb_stop narrow(struct thumb *t, uint32_t op)
{
    bool sets = !t->it_now;
    uint32_t r = op & 7, n = t->r[op >> 3 & 7], five = op >> 6 & 31, *high = &t->r[op >> 8 & 7], eight = op & 0xFF;
    switch (op >> 11) {
    case 0: case 1: case 2: case 3: return shift_add(t, op, sets);
    case 4:
        *high = eight;
        if (sets) set_nz(t, eight);
        return THUMB_RUNS;
    case 5: add(t, *high, ~eight, true, true); return THUMB_RUNS;
    case 6: *high = add(t, *high, eight, false, sets); return THUMB_RUNS;
    case 7: *high = add(t, *high, ~eight, true, sets); return THUMB_RUNS;
    case 8:
        if (op & 0x400) return high_registers(t, op);
        two_registers(t, op, sets);
        return THUMB_RUNS;
    case 9: return load_into(t, op >> 8 & 7, ((t->now + 4) & ~3u) + 4 * eight, 4);
    case 10: case 11: return through_two(t, op);
    case 12: return store_from(t, r, n + 4 * five, 4);
    case 13: return load_into(t, r, n + 4 * five, 4);
    case 14: return store_from(t, r, n + five, 1);
    case 15: return load_into(t, r, n + five, 1);
    case 16: return store_from(t, r, n + 2 * five, 2);
    case 17: return load_into(t, r, n + 2 * five, 2);
    case 18: return store_from(t, op >> 8 & 7, t->r[SP] + 4 * eight, 4);
    case 19: return load_into(t, op >> 8 & 7, t->r[SP] + 4 * eight, 4);
    case 20: *high = ((t->now + 4) & ~3u) + 4 * eight; return THUMB_RUNS;
    case 21: *high = t->r[SP] + 4 * eight; return THUMB_RUNS;
    case 22: case 23: return miscellaneous(t, op);
    case 24: case 25: return several(t, op);
    case 26: case 27: return conditional_branch(t, op);
    default: /* 28 */
        if (must_go_on(t)) return THUMB_ILLEGAL;
        branch(t, t->now + 4 + (uint32_t)((int32_t)(op << 21) >> 20), THUMB_BRANCHED);
        return THUMB_RUNS;
    }
}

/* --- a step -------------------------------------------------------------------------------------------------- */

enum { FIRST_WIDE = 0xE800, BREAKPOINT = 0xBE };

enum thumb_stop thumb_step(struct thumb *t)
{
    uint32_t o = t->r[PC] - t->flash_start;
    t->now = t->where = t->r[PC];
    t->went = THUMB_WENT_ON;
    if (o >= t->flash_size || t->flash_size - o < 2) return THUMB_OUTSIDE;
    uint32_t op = half_at(t, o), second = 0;
    bool is_wide = op >= FIRST_WIDE;
    if (is_wide) {
        if (t->flash_size - o < 4) return THUMB_OUTSIDE;
        second = half_at(t, o + 2);
    }
    if (t->executed) {
        t->executed[o / 2] = 1;
        if (is_wide) t->executed[o / 2 + 1] = 1;
    }
    t->op = is_wide ? op << 16 | second : op;
    t->r[PC] += is_wide ? 4 : 2;
    t->cycles++;
    t->it_now = t->it;
    if (t->it) {
        uint32_t condition = t->it >> 4;
        t->it = t->it & 7 ? (t->it & 0xE0) | (t->it << 1 & 0x1F) : 0;
        if (!holds(t, condition) && op >> 8 != BREAKPOINT) {
            t->went = THUMB_SKIPPED;
            return THUMB_RUNS;
        }
    }
    return is_wide ? thumb_wide(t, op, second) : narrow(t, op);
}

enum thumb_stop thumb_run_to(struct thumb *t, uint32_t stop, uint64_t cycles)
{
    t->end = t->cycles + cycles;
    while (t->r[PC] != stop) {
        if (t->cycles >= t->end) return THUMB_TOO_LONG;
        if (t->waits && !(t->ipsr | t->primask | t->faultmask)) return THUMB_INTERRUPTED;
        enum thumb_stop said = thumb_step(t);
        if (said == THUMB_LEAVES) said = thumb_leave(t);
        if (said != THUMB_RUNS) return said;
    }
    return THUMB_AT_STOP;
}
