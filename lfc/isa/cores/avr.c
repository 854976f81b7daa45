/* The instruction set of the AVR, as its manual has it (Atmel-0856, "AVR Instruction Set Manual"; cycles of AVRe). */
#include "avr.h"

enum { C = 0, Z = 1, N = 2, V = 3, S = 4, H = 5, T = 6, I = 7 };
enum { X = 26, Y = 28, ZP = 30, SMALL_PC = 0xFFF };

static uint16_t word_at(const struct avr *a, uint32_t pc)
{
    uint32_t at = pc * 2;
    return at + 1 < a->flash_size ? (uint16_t)(a->flash[at] | a->flash[at + 1] << 8) : 0xFFFF;
}

static bool flag(const struct avr *a, int bit) { return a->data[AVR_SREG] >> bit & 1; }

static inline void set_flag(struct avr *a, int bit, bool on)
{
    a->data[AVR_SREG] = (uint8_t)((a->data[AVR_SREG] & ~(1u << bit)) | (unsigned)on << bit);
}

static uint16_t pair(const struct avr *a, uint32_t r) { return (uint16_t)(a->data[r] | a->data[r + 1] << 8); }

static void set_pair(struct avr *a, uint32_t r, uint32_t v)
{
    a->data[r] = (uint8_t)v;
    a->data[r + 1] = (uint8_t)(v >> 8);
}

static uint16_t stack(const struct avr *a) { return pair(a, AVR_SPL); }

static bool load(struct avr *a, uint32_t at, uint8_t *v)
{
    at &= AVR_DATA - 1;
    if (!(a->allowed[at] & AVR_READ)) {
        a->where = at;
        return false;
    }
    if (a->allowed[at] & AVR_ASK && !a->ask(a, at)) {
        a->where = at;
        return false;
    }
    a->allowed[at] |= AVR_WAS_READ;
    *v = a->data[at];
    return true;
}

/* `lowest`: below it an interrupt may destroy what is stored on the stack. */
static bool store_above(struct avr *a, uint32_t lowest, uint32_t at, uint8_t v)
{
    at &= AVR_DATA - 1;
    uint8_t allowed = a->allowed[at];
    if (!(allowed & AVR_WRITE) || (allowed & AVR_STACK && at < lowest)) {
        a->where = at;
        return false;
    }
    a->allowed[at] |= allowed & AVR_STACK ? AVR_WAS_WRITTEN | AVR_READ : AVR_WAS_WRITTEN;
    if (allowed & AVR_STACK && at < a->lowest_stack) a->lowest_stack = at;
    a->data[at] = v;
    if (allowed & AVR_TELL) a->tell(a, at, v);
    return true;
}

static bool store(struct avr *a, uint32_t at, uint8_t v) { return store_above(a, stack(a) + 1u, at, v); }

static bool push(struct avr *a, uint8_t v)
{
    uint16_t at = stack(a);
    if (!store_above(a, at, at, v)) return false;
    set_pair(a, AVR_SPL, at - 1u);
    if (at < a->lowest_stack) a->lowest_stack = at;
    return true;
}

static bool pop(struct avr *a, uint8_t *v)
{
    uint16_t at = (uint16_t)(stack(a) + 1);
    if (!load(a, at, v)) return false;
    set_pair(a, AVR_SPL, at);
    if (a->allowed[at] & AVR_STACK) a->allowed[at] &= (uint8_t)~AVR_READ;
    return true;
}

/* The stack pointer was set: what lies below it is gone. */
static void stack_moved(struct avr *a)
{
    for (uint32_t at = a->lowest_stack; at <= stack(a); at++)
        if (a->allowed[at] & AVR_STACK) a->allowed[at] &= (uint8_t)~AVR_READ;
}

static bool push_pc(struct avr *a, uint32_t pc)
{
    return push(a, (uint8_t)pc) && push(a, (uint8_t)(pc >> 8)) && (!a->wide_pc || push(a, (uint8_t)(pc >> 16)));
}

static bool pop_pc(struct avr *a)
{
    uint8_t high = 0, middle, low;
    if ((a->wide_pc && !pop(a, &high)) || !pop(a, &middle) || !pop(a, &low)) return false;
    a->pc = (uint32_t)high << 16 | (uint32_t)middle << 8 | low;
    return true;
}

/* --- flags --------------------------------------------------------------------------------------------------- */

enum { ARITHMETIC = 1 << C | 1 << Z | 1 << N | 1 << V | 1 << S | 1 << H, LOGIC = 1 << Z | 1 << N | 1 << V | 1 << S };

/* N, Z and S of a result, with V as it is given. */
static uint32_t signs(uint8_t r, uint32_t overflow)
{
    uint32_t negative = r >> 7;
    return (uint32_t)(r == 0) << Z | negative << N | overflow << V | (negative ^ overflow) << S;
}

static void set_flags(struct avr *a, uint32_t which, uint32_t flags)
{
    a->data[AVR_SREG] = (uint8_t)((a->data[AVR_SREG] & ~which) | flags);
}

static void sign(struct avr *a) { set_flag(a, S, flag(a, N) != flag(a, V)); }

/* N, Z and S; V stays. */
static void negative_zero(struct avr *a, uint8_t r)
{
    set_flags(a, 1 << Z | 1 << N | 1 << S, signs(r, flag(a, V)) & ~(1u << V));
}

static uint8_t add(struct avr *a, uint8_t d, uint8_t r, bool carry)
{
    uint8_t v = (uint8_t)(d + r + carry);
    uint32_t carries = (uint32_t)((d & r) | (r & ~v) | (~v & d));
    uint32_t overflow = ((d & r & ~v) | (~d & ~r & v)) >> 7 & 1;
    set_flags(a, ARITHMETIC, signs(v, overflow) | (carries >> 3 & 1) << H | (carries >> 7 & 1) << C);
    return v;
}

/* With `keeps`: Z is only ever cleared (CPC, SBC, SBCI). */
static uint8_t subtract(struct avr *a, uint8_t d, uint8_t r, bool borrow, bool keeps)
{
    uint8_t v = (uint8_t)(d - r - borrow);
    uint32_t borrows = (uint32_t)((~d & r) | (r & v) | (v & ~d));
    uint32_t overflow = ((d & ~r & ~v) | (~d & r & v)) >> 7 & 1;
    uint32_t flags = signs(v, overflow) | (borrows >> 3 & 1) << H | (borrows >> 7 & 1) << C;
    if (keeps) flags &= ~(1u << Z) | (a->data[AVR_SREG] & 1u << Z);
    set_flags(a, ARITHMETIC, flags);
    return v;
}

static uint8_t logic(struct avr *a, uint8_t v)
{
    set_flags(a, LOGIC, signs(v, 0));
    return v;
}

static void product(struct avr *a, uint32_t v, bool fractional)
{
    set_flag(a, C, v >> 15 & 1);
    if (fractional) v <<= 1;
    v &= 0xFFFF;
    set_pair(a, 0, v);
    set_flag(a, Z, v == 0);
}

/* Shifts right: what comes in at the top is given. */
static uint8_t shifted(struct avr *a, uint8_t d, uint8_t top)
{
    uint8_t v = (uint8_t)(d >> 1 | top << 7);
    set_flag(a, C, d & 1);
    set_flag(a, N, v >> 7);
    set_flag(a, V, flag(a, N) != flag(a, C));
    negative_zero(a, v);
    return v;
}

/* --- instructions -------------------------------------------------------------------------------------------- */

static bool has_two_words(uint16_t op)
{
    return (op & 0xFC0F) == 0x9000 || (op & 0xFE0C) == 0x940C; /* LDS, STS; JMP, CALL */
}

/* The next instruction is not executed. */
static void skip(struct avr *a)
{
    uint32_t words = has_two_words(word_at(a, a->pc)) ? 2 : 1;
    a->pc += words;
    a->cycles += words;
}

static enum avr_stop load_into(struct avr *a, uint32_t r, uint32_t at)
{
    a->cycles++;
    return load(a, at, &a->data[r]) ? AVR_RUNS : AVR_BAD_LOAD;
}

static enum avr_stop store_from(struct avr *a, uint32_t r, uint32_t at)
{
    a->cycles++;
    return store(a, at, a->data[r]) ? AVR_RUNS : AVR_BAD_STORE;
}

static enum avr_stop program_byte(struct avr *a, uint32_t r, uint32_t at)
{
    a->cycles += 2;
    if (at >= a->flash_size) {
        a->where = at;
        return AVR_BAD_LOAD;
    }
    a->data[r] = a->flash[at];
    return AVR_RUNS;
}

static enum avr_stop call(struct avr *a, uint32_t target, uint32_t cycles)
{
    a->cycles += cycles + a->wide_pc;
    if (!push_pc(a, a->pc)) return AVR_BAD_STORE;
    a->pc = a->small ? target & SMALL_PC : target;
    return AVR_RUNS;
}

static enum avr_stop come_back(struct avr *a)
{
    a->cycles += 3 + a->wide_pc;
    return pop_pc(a) ? AVR_RUNS : AVR_BAD_LOAD;
}

/* 1001 00xd dddd ....: loads and stores through pointers, LPM, PUSH and POP. */
static enum avr_stop through_pointer(struct avr *a, uint16_t op)
{
    uint32_t d = op >> 4 & 31, z = pair(a, ZP), far = (uint32_t)a->data[AVR_RAMPZ] << 16 | z;
    bool stores = op >> 9 & 1;
    static const uint8_t base[16] = {0, ZP, ZP, 0, 0, 0, 0, 0, 0, Y, Y, 0, X, X, X, 0};
    uint32_t kind = op & 15;
    enum avr_stop said;
    switch (kind) {
    case 0: { /* LDS, STS */
        uint32_t at = word_at(a, a->pc++);
        return stores ? store_from(a, d, at) : load_into(a, d, at);
    }
    case 4: case 5:
        if (stores) return AVR_ILLEGAL; /* XCH, LAS, ... of the XMEGA */
        if (kind == 5 && (d | 1) == ZP + 1) return AVR_ILLEGAL; /* undefined */
        said = program_byte(a, d, z);
        if (kind == 5) set_pair(a, ZP, z + 1);
        return said;
    case 6: case 7:
        if (stores || !a->wide_pc) return AVR_ILLEGAL; /* ELPM */
        if (kind == 7 && (d | 1) == ZP + 1) return AVR_ILLEGAL;
        said = program_byte(a, d, far);
        if (kind == 7) {
            set_pair(a, ZP, far + 1);
            a->data[AVR_RAMPZ] = (uint8_t)((far + 1) >> 16);
        }
        return said;
    case 15:
        a->cycles++;
        if (stores) return push(a, a->data[d]) ? AVR_RUNS : AVR_BAD_STORE;
        return pop(a, &a->data[d]) ? AVR_RUNS : AVR_BAD_LOAD;
    default: break;
    }
    if (!base[kind]) return AVR_ILLEGAL;
    uint32_t p = base[kind], at = pair(a, p);
    bool before = kind == 2 || kind == 10 || kind == 14, after = kind == 1 || kind == 9 || kind == 13;
    if ((before || after) && (d | 1) == (p | 1)) return AVR_ILLEGAL; /* the manual: the result is undefined */
    if (before) at = (at - 1) & 0xFFFF;
    said = stores ? store_from(a, d, at) : load_into(a, d, at);
    if (said == AVR_RUNS && (before || after)) set_pair(a, p, at + after);
    return said;
}

/* 1001 010x xxxx xxxx: one register, jumps and calls, flags, and the rest. */
static enum avr_stop one_register(struct avr *a, uint16_t op)
{
    uint32_t d = op >> 4 & 31;
    uint8_t *r = &a->data[d], v = *r;
    uint32_t z = pair(a, ZP), far = (uint32_t)a->data[AVR_EIND] << 16 | z;
    switch (op & 15) {
    case 0: *r = logic(a, (uint8_t)~v); set_flag(a, C, true); return AVR_RUNS; /* COM */
    case 1: /* NEG */
        *r = (uint8_t)-v;
        set_flag(a, H, ((*r | v) >> 3) & 1);
        set_flag(a, C, *r != 0);
        set_flag(a, V, *r == 0x80);
        negative_zero(a, *r);
        return AVR_RUNS;
    case 2: *r = (uint8_t)(v << 4 | v >> 4); return AVR_RUNS; /* SWAP */
    case 3: *r = (uint8_t)(v + 1); set_flag(a, V, *r == 0x80); negative_zero(a, *r); return AVR_RUNS; /* INC */
    case 5: *r = shifted(a, v, v >> 7); return AVR_RUNS; /* ASR */
    case 6: *r = shifted(a, v, 0); return AVR_RUNS; /* LSR */
    case 7: *r = shifted(a, v, flag(a, C)); return AVR_RUNS; /* ROR */
    case 10: *r = (uint8_t)(v - 1); set_flag(a, V, *r == 0x7F); negative_zero(a, *r); return AVR_RUNS; /* DEC */
    case 12: case 13: case 14: case 15: { /* JMP, CALL */
        if (a->small) return AVR_ILLEGAL;
        uint32_t target = (uint32_t)(op >> 3 & 0x3E) << 16 | (uint32_t)(op & 1) << 16 | word_at(a, a->pc);
        a->pc++;
        if (op & 2) return call(a, target, 3);
        a->cycles += 2;
        a->pc = target;
        return AVR_RUNS;
    }
    default: break;
    }
    if ((op & 0xFF8F) == 0x9408) { set_flag(a, op >> 4 & 7, true); return AVR_RUNS; }  /* BSET */
    if ((op & 0xFF8F) == 0x9488) { set_flag(a, op >> 4 & 7, false); return AVR_RUNS; } /* BCLR */
    switch (op) {
    case 0x9409: a->cycles++; a->pc = z; return AVR_RUNS; /* IJMP */
    case 0x9419: if (!a->wide_pc) return AVR_ILLEGAL; a->cycles++; a->pc = far; return AVR_RUNS; /* EIJMP */
    case 0x9509: return call(a, z, 2); /* ICALL */
    case 0x9519: return a->wide_pc ? call(a, far, 2) : AVR_ILLEGAL; /* EICALL */
    case 0x9508: return come_back(a); /* RET */
    case 0x9518: set_flag(a, I, true); return come_back(a); /* RETI */
    case 0x9588: return AVR_SLEEPS;
    case 0x9598: return AVR_BREAKS;
    case 0x95A8: return AVR_RUNS; /* WDR */
    case 0x95C8: return program_byte(a, 0, z); /* LPM */
    case 0x95D8: return a->wide_pc ? program_byte(a, 0, (uint32_t)a->data[AVR_RAMPZ] << 16 | z) : AVR_ILLEGAL; /* ELPM */
    default: return AVR_ILLEGAL;
    }
}

/* 1001 0110 and 1001 0111: ADIW, SBIW. */
static void add_word(struct avr *a, uint16_t op)
{
    uint32_t d = 24 + (op >> 4 & 3) * 2, k = (op & 15) | (op >> 2 & 0x30), v = pair(a, d);
    uint32_t r = (op & 0x100 ? v - k : v + k) & 0xFFFF;
    bool high = v >> 15, result = r >> 15;
    set_pair(a, d, r);
    set_flag(a, V, op & 0x100 ? high && !result : !high && result);
    set_flag(a, C, op & 0x100 ? result && !high : !result && high);
    set_flag(a, N, result);
    set_flag(a, Z, r == 0);
    sign(a);
    a->cycles++;
}

/* 1001 10xx: bits of the low I/O registers. */
static enum avr_stop io_bit(struct avr *a, uint16_t op)
{
    uint32_t at = 0x20 + (op >> 3 & 31), bit = op & 7;
    uint8_t v;
    if (!load(a, at, &v)) return AVR_BAD_LOAD;
    bool on = v >> bit & 1;
    switch (op >> 8 & 3) {
    case 0: a->cycles++; return store(a, at, (uint8_t)(v & ~(1u << bit))) ? AVR_RUNS : AVR_BAD_STORE; /* CBI */
    case 2: a->cycles++; return store(a, at, (uint8_t)(v | 1u << bit)) ? AVR_RUNS : AVR_BAD_STORE;    /* SBI */
    case 1: if (!on) skip(a); return AVR_RUNS; /* SBIC */
    default: if (on) skip(a); return AVR_RUNS; /* SBIS */
    }
}

/* 0000 00..: NOP, MOVW, multiplications with a sign. */
static enum avr_stop first_page(struct avr *a, uint16_t op)
{
    if (op < 0x0100) return op ? AVR_ILLEGAL : AVR_RUNS; /* NOP */
    if ((op & 0xFF00) == 0x0100) { /* MOVW */
        set_pair(a, (op >> 4 & 15) * 2, pair(a, (op & 15) * 2));
        return AVR_RUNS;
    }
    if (a->small) return AVR_ILLEGAL;
    a->cycles++;
    if ((op & 0xFF00) == 0x0200) { /* MULS */
        product(a, (uint32_t)((int8_t)a->data[16 + (op >> 4 & 15)] * (int8_t)a->data[16 + (op & 15)]), false);
        return AVR_RUNS;
    }
    uint8_t d = a->data[16 + (op >> 4 & 7)], r = a->data[16 + (op & 7)];
    switch (op & 0x88) {
    case 0x00: product(a, (uint32_t)((int8_t)d * r), false); break;          /* MULSU */
    case 0x08: product(a, (uint32_t)d * r, true); break;                     /* FMUL */
    case 0x80: product(a, (uint32_t)((int8_t)d * (int8_t)r), true); break;   /* FMULS */
    default: product(a, (uint32_t)((int8_t)d * r), true); break;             /* FMULSU */
    }
    return AVR_RUNS;
}

/* Two registers: 0000 01.. to 0010 11.. */
static void two_registers(struct avr *a, uint16_t op)
{
    uint8_t *d = &a->data[op >> 4 & 31], r = a->data[(op & 15) | (op >> 5 & 16)];
    switch (op >> 10) {
    case 1: subtract(a, *d, r, flag(a, C), true); break;       /* CPC */
    case 2: *d = subtract(a, *d, r, flag(a, C), true); break;  /* SBC */
    case 3: *d = add(a, *d, r, false); break;                  /* ADD */
    case 4: if (*d == r) skip(a); break;                       /* CPSE */
    case 5: subtract(a, *d, r, false, false); break;           /* CP */
    case 6: *d = subtract(a, *d, r, false, false); break;      /* SUB */
    case 7: *d = add(a, *d, r, flag(a, C)); break;             /* ADC */
    case 8: *d = logic(a, *d & r); break;                      /* AND */
    case 9: *d = logic(a, *d ^ r); break;                      /* EOR */
    case 10: *d = logic(a, *d | r); break;                     /* OR */
    default: *d = r; break;                                    /* MOV */
    }
}

/* A register from r16 on and a constant: 0011 to 0111, 1110. */
static void with_constant(struct avr *a, uint16_t op)
{
    uint8_t *d = &a->data[16 + (op >> 4 & 15)], k = (uint8_t)((op & 15) | (op >> 4 & 0xF0));
    switch (op >> 12) {
    case 3: subtract(a, *d, k, false, false); break;          /* CPI */
    case 4: *d = subtract(a, *d, k, flag(a, C), true); break; /* SBCI */
    case 5: *d = subtract(a, *d, k, false, false); break;     /* SUBI */
    case 6: *d = logic(a, *d | k); break;                     /* ORI */
    case 7: *d = logic(a, *d & k); break;                     /* ANDI */
    default: *d = k; break;                                   /* LDI */
    }
}

static int32_t distance(uint16_t op, uint32_t bits) /* 12 bits at 0, 7 bits at 3 */
{
    int32_t v = bits == 12 ? op & 0xFFF : op >> 3 & 0x7F;
    return v >= 1 << (bits - 1) ? v - (1 << bits) : v;
}

/* 1111: branches, bits of registers. */
static enum avr_stop last_page(struct avr *a, uint16_t op)
{
    uint8_t *d = &a->data[op >> 4 & 31];
    uint32_t bit = op & 7;
    if (op < 0xF800) { /* BRBS, BRBC */
        if (flag(a, (int)bit) == !(op >> 10 & 1)) {
            a->pc += (uint32_t)distance(op, 7);
            a->cycles++;
        }
        return AVR_RUNS;
    }
    if (op & 8) return AVR_ILLEGAL;
    switch (op >> 9 & 3) {
    case 0: *d = (uint8_t)((*d & ~(1u << bit)) | (unsigned)flag(a, T) << bit); break; /* BLD */
    case 1: set_flag(a, T, *d >> bit & 1); break;                                     /* BST */
    case 2: if (!(*d >> bit & 1)) skip(a); break;                                     /* SBRC */
    default: if (*d >> bit & 1) skip(a); break;                                       /* SBRS */
    }
    return AVR_RUNS;
}

enum avr_stop avr_step_once(struct avr *a)
{
    if (a->pc * 2 + 1 >= a->flash_size) return AVR_OUTSIDE;
    uint16_t op = word_at(a, a->pc);
    if (a->executed) {
        a->executed[a->pc] = 1;
        if (has_two_words(op)) a->executed[a->pc + 1] = 1;
    }
    a->pc++;
    a->cycles++;
    switch (op >> 12) {
    case 0: if (op < 0x0400) return first_page(a, op); /* fall through */
    case 1: case 2: two_registers(a, op); return AVR_RUNS;
    case 3: case 4: case 5: case 6: case 7: case 14: with_constant(a, op); return AVR_RUNS;
    case 8: case 10: { /* LDD, STD */
        uint32_t q = (op & 7) | (op >> 7 & 0x18) | (op >> 8 & 0x20), at = pair(a, op & 8 ? Y : ZP) + q, d = op >> 4 & 31;
        return op & 0x200 ? store_from(a, d, at) : load_into(a, d, at);
    }
    case 9:
        if (op < 0x9400) return through_pointer(a, op);
        if (op < 0x9600) return one_register(a, op);
        if (op < 0x9800) { add_word(a, op); return AVR_RUNS; }
        if (op < 0x9C00) return io_bit(a, op);
        if (a->small) return AVR_ILLEGAL;
        a->cycles++; /* MUL */
        product(a, (uint32_t)a->data[op >> 4 & 31] * a->data[(op & 15) | (op >> 5 & 16)], false);
        return AVR_RUNS;
    case 11: { /* IN, OUT */
        uint32_t at = 0x20 + ((op & 15) | (op >> 5 & 0x30)), d = op >> 4 & 31;
        if (op & 0x800) {
            if (!store(a, at, a->data[d])) return AVR_BAD_STORE;
            if (at == AVR_SPL) stack_moved(a);
            return AVR_RUNS;
        }
        return load(a, at, &a->data[d]) ? AVR_RUNS : AVR_BAD_LOAD;
    }
    case 12: a->pc += (uint32_t)distance(op, 12); a->cycles++; break; /* RJMP */
    case 13: return call(a, a->pc + (uint32_t)distance(op, 12), 2); /* RCALL */
    default: return last_page(a, op);
    }
    a->pc &= a->small ? SMALL_PC : 0x3FFFFF;
    return AVR_RUNS;
}

enum avr_stop avr_run_to(struct avr *a, uint32_t stop, uint64_t cycles)
{
    a->end = a->cycles + cycles;
    while (a->pc != stop) {
        if (a->cycles >= a->end) return AVR_TOO_LONG;
        bool is_on = flag(a, I);
        if (a->waits && is_on && !a->was_off) return AVR_INTERRUPTED;
        enum avr_stop said = avr_step_once(a);
        a->was_off = !is_on;
        if (said != AVR_RUNS) return said;
    }
    return AVR_AT_STOP;
}

enum { INTERRUPT_CYCLES = 4 };

enum avr_stop avr_interrupt(struct avr *a, uint32_t vector)
{
    if (!push_pc(a, a->pc)) return AVR_BAD_STORE;
    set_flag(a, I, false);
    a->cycles += INTERRUPT_CYCLES + a->wide_pc;
    a->pc = a->small ? vector : 2 * vector;
    return AVR_RUNS;
}
