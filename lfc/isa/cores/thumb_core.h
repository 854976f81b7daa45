/* What the parts of the simulator of the Cortex-M cores share: registers, flags, memory. See thumb.h. */
#ifndef MC_THUMB_INSIDE_H
#define MC_THUMB_INSIDE_H

#include <string.h>

#include "thumb.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are taken as they lie in memory");

enum { SP = THUMB_SP, LR = THUMB_LR, PC = THUMB_PC };

static inline bool is_main(const struct thumb *t) { return t->core >= THUMB_M3; } /* ARMv7-M, ARMv8-M */
static inline bool has_dsp(const struct thumb *t) { return t->core >= THUMB_M4; }
static inline bool is_v8(const struct thumb *t) { return t->core == THUMB_M33; }

/* Of an instruction in an IT block that is not its last: it must not jump. */
static inline bool must_go_on(const struct thumb *t) { return t->it_now && (t->it_now & 0xF) != 8; }

static inline bool sp_or_pc(uint32_t r) { return r == SP || r == PC; }

/* As an operand: the program counter is two narrow instructions further. */
static inline uint32_t get(const struct thumb *t, uint32_t r) { return r == PC ? t->now + 4 : t->r[r]; }

/* Not for the program counter. */
static inline void put(struct thumb *t, uint32_t r, uint32_t v)
{
    if (r == SP) thumb_set_sp(t, v);
    else t->r[r] = v;
}

/* --- flags --------------------------------------------------------------------------------------------------- */

static inline bool carry(const struct thumb *t) { return t->flags & THUMB_C; }

static inline void set_nz(struct thumb *t, uint32_t v)
{
    t->flags = (t->flags & ~(THUMB_N | THUMB_Z)) | (v & THUMB_N) | (v ? 0 : THUMB_Z);
}

static inline void set_nzc(struct thumb *t, uint32_t v, bool c)
{
    t->flags = (t->flags & ~(THUMB_N | THUMB_Z | THUMB_C)) | (v & THUMB_N) | (v ? 0 : THUMB_Z) | (c ? THUMB_C : 0);
}

static inline uint32_t add(struct thumb *t, uint32_t x, uint32_t y, bool c, bool sets)
{
    uint64_t sum = (uint64_t)x + y + c;
    uint32_t v = (uint32_t)sum;
    if (sets) {
        set_nzc(t, v, sum >> 32);
        t->flags = (t->flags & ~(uint32_t)THUMB_V) | ((~(x ^ y) & (x ^ v)) >> 31 ? THUMB_V : 0);
    }
    return v;
}

static inline bool holds(const struct thumb *t, uint32_t condition)
{
    uint32_t f = t->flags;
    bool n = f & THUMB_N, z = f & THUMB_Z, c = f & THUMB_C, v = f & THUMB_V, found;
    switch (condition >> 1) {
    case 0: found = z; break;
    case 1: found = c; break;
    case 2: found = n; break;
    case 3: found = v; break;
    case 4: found = c && !z; break;
    case 5: found = n == v; break;
    case 6: found = n == v && !z; break;
    default: return true;
    }
    return found != (condition & 1);
}

enum shift { LSL, LSR, ASR, ROR, RRX };

/* By 0 nothing changes; `c`: what comes out last. */
static inline uint32_t shifted(uint32_t v, enum shift how, uint32_t n, bool *c)
{
    if (how == RRX) {
        uint32_t r = v >> 1 | (uint32_t)*c << 31;
        *c = v & 1;
        return r;
    }
    if (!n) return v;
    switch (how) {
    case LSL:
        *c = n <= 32 && (v >> (32 - n) & 1);
        return n < 32 ? v << n : 0;
    case LSR:
        *c = n <= 32 && (v >> (n - 1) & 1);
        return n < 32 ? v >> n : 0;
    case ASR:
        if (n > 32) n = 32;
        *c = (uint32_t)((int64_t)(int32_t)v >> (n - 1)) & 1;
        return (uint32_t)((int64_t)(int32_t)v >> n);
    default:
        n &= 31;
        v = n ? v >> n | v << (32 - n) : v;
        *c = v >> 31;
        return v;
    }
}

/* --- memory -------------------------------------------------------------------------------------------------- */

static inline uint32_t find(const struct thumb *t, uint32_t address, uint32_t size)
{
    for (const struct thumb_region *r = t->region, *end = r + t->regions; r < end; r++) {
        uint32_t o = address - r->start;
        if (o < r->size) return r->size - o >= size ? r->at + o : THUMB_NOWHERE;
    }
    return THUMB_NOWHERE;
}

/* Of so many bytes: what may be done with all of them, and with any. */
static inline void rights(const uint8_t *m, uint32_t size, uint32_t *all, uint32_t *any)
{
    *all = *any = m[0];
    for (uint32_t i = 1; i < size; i++) {
        *all &= m[i];
        *any |= m[i];
    }
}

/* May it lie across words? Not in memory of devices, and never on the smaller cores. */
static inline bool is_misplaced(const struct thumb *t, uint32_t address, uint32_t size, bool always)
{
    if (!(address & (size - 1))) return false;
    uint32_t top = address >> 29;
    return always || !is_main(t) || top == 2 || top >= 5;
}

enum { UNALIGNED_COSTS = 2 };

/* Of the stack, where only some bytes were written: compilers load a whole word and use those. */
static inline enum thumb_stop load_partly(const struct thumb *t, uint32_t at, uint32_t size, uint32_t *v)
{
    *v = 0;
    for (uint32_t i = 0; i < size; i++)
        *v |= (uint32_t)(t->allowed[at + i] & THUMB_READ ? t->data[at + i] : t->unwritten) << 8 * i;
    return THUMB_RUNS;
}

/* `aligned`: it must be, on every core. */
static inline enum thumb_stop load(struct thumb *t, uint32_t address, uint32_t size, bool aligned, uint32_t *v)
{
    uint32_t all, any;
    t->where = address;
    if (address & (size - 1)) {
        if (is_misplaced(t, address, size, aligned)) return THUMB_UNALIGNED;
        t->cycles += UNALIGNED_COSTS;
    }
    uint32_t at = find(t, address, size);
    if (at == THUMB_NOWHERE) return THUMB_BAD_LOAD;
    rights(t->allowed + at, size, &all, &any);
    if (!(all & THUMB_READ)) {
        if (any & THUMB_READ && all & THUMB_STACK && address >= t->r[SP] && !(address & (size - 1))) return load_partly(t, at, size, v);
        while (t->allowed[at++] & THUMB_READ) t->where++;
        return THUMB_BAD_LOAD;
    }
    if (any & THUMB_ASK && !t->ask(t, at, address, size)) return THUMB_BAD_LOAD;
    const uint8_t *d = t->data + at;
    *v = size == 1 ? d[0] : size == 2 ? (uint32_t)(d[0] | d[1] << 8) : d[0] | d[1] << 8 | d[2] << 16 | (uint32_t)d[3] << 24;
    return THUMB_RUNS;
}

/* `lowest`: below it an exception may destroy what is stored on the stack. */
static inline enum thumb_stop store_above(struct thumb *t, uint32_t lowest, uint32_t address, uint32_t size, bool aligned, uint32_t v)
{
    uint32_t all, any;
    t->where = address;
    if (address & (size - 1)) {
        if (is_misplaced(t, address, size, aligned)) return THUMB_UNALIGNED;
        t->cycles += UNALIGNED_COSTS;
    }
    uint32_t at = find(t, address, size);
    if (at == THUMB_NOWHERE) return THUMB_BAD_STORE;
    rights(t->allowed + at, size, &all, &any);
    if (!(all & THUMB_WRITE)) {
        while (t->allowed[at++] & THUMB_WRITE) t->where++;
        return THUMB_BAD_STORE;
    }
    if (any & THUMB_STACK) {
        if (address < lowest) return THUMB_BAD_STORE;
        for (uint32_t i = 0; i < size; i++)
            if (t->allowed[at + i] & THUMB_STACK) t->allowed[at + i] |= THUMB_READ;
        if (address < t->lowest_stack) t->lowest_stack = address;
    }
    memcpy(t->data + at, &v, size);
    if (any & THUMB_TELL) t->tell(t, at, address, size);
    return THUMB_RUNS;
}

static inline enum thumb_stop store(struct thumb *t, uint32_t address, uint32_t size, bool aligned, uint32_t v)
{
    return store_above(t, t->r[SP], address, size, aligned, v);
}

/* --- jumps --------------------------------------------------------------------------------------------------- */

static const uint8_t thumb_refill[] = {2, 1, 3, 3, 3};      /* of the pipeline, after a jump */
static const uint8_t thumb_long_refill[] = {3, 2, 3, 3, 3}; /* after BL, and after a load of the program counter */

static inline void branch(struct thumb *t, uint32_t target, enum thumb_way way)
{
    t->cycles += way == THUMB_CALLED ? thumb_long_refill[t->core] : thumb_refill[t->core];
    t->r[PC] = target & ~1u;
    t->went = way;
}

/* To what says by its lowest bit which instruction set it is in. */
static inline enum thumb_stop interwork(struct thumb *t, uint32_t target, enum thumb_way way, bool loaded)
{
    t->where = target;
    if (t->ipsr && (is_v8(t) ? target >> 24 == 0xFF : target >> 28 == 0xF)) return THUMB_LEAVES;
    if (!(target & 1)) return THUMB_NO_THUMB;
    t->cycles += loaded ? thumb_long_refill[t->core] : thumb_refill[t->core];
    t->r[PC] = target & ~1u;
    t->went = way;
    return THUMB_RUNS;
}

/* Registers by a list of bits from an address on, the lowest first. The program counter is the last. */
static inline enum thumb_stop load_several(struct thumb *t, uint32_t list, uint32_t address, uint32_t *pc)
{
    enum thumb_stop said;
    for (uint32_t r = 0; list; r++, list >>= 1) {
        if (!(list & 1)) continue;
        if ((said = load(t, address, 4, true, r == PC ? pc : &t->r[r]))) return said;
        address += 4;
        t->cycles++;
    }
    return THUMB_RUNS;
}

static inline enum thumb_stop store_several(struct thumb *t, uint32_t list, uint32_t address, uint32_t lowest)
{
    enum thumb_stop said;
    for (uint32_t r = 0; list; r++, list >>= 1) {
        if (!(list & 1)) continue;
        if ((said = store_above(t, lowest, address, 4, true, t->r[r]))) return said;
        address += 4;
        t->cycles++;
    }
    return THUMB_RUNS;
}

/* --- the parts ----------------------------------------------------------------------------------------------- */

enum thumb_stop thumb_wide(struct thumb *t, uint32_t w, uint32_t v);          /* 32 bits: two half-words */
enum thumb_stop thumb_wide_memory(struct thumb *t, uint32_t w, uint32_t v);   /* of these, loads and stores */
enum thumb_stop thumb_parallel(struct thumb *t, uint32_t w, uint32_t v);      /* those that the M4 has in addition: FAxx */
enum thumb_stop thumb_multiply(struct thumb *t, uint32_t w, uint32_t v);      /* FBxx */
enum thumb_stop thumb_system(struct thumb *t, uint32_t w, uint32_t v);        /* special registers, barriers, wide hints */
enum thumb_stop thumb_change_state(struct thumb *t, uint32_t w);              /* CPS */
enum thumb_stop thumb_hint(struct thumb *t, uint32_t hint);

#endif
