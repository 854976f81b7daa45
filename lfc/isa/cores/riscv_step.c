/* The RISC-V cores: arithmetic, jumps, and one step. See riscv.h. */
#include "riscv_core.h"

enum { BRANCH_COSTS = 3, JALR_COSTS = 3, JAL_COSTS = 1, WORD_COSTS = 1, PART_COSTS = 2, MULTIPLY_COSTS = 4, DIVIDE_COSTS = 32 };

void riscv_reset(struct riscv *t)
{
    memset(t->x, 0, sizeof t->x);
    t->mstatus = RISCV_MPP;
    t->mie = t->mip = t->mtvec = t->mscratch = t->mepc = t->mcause = t->mtval = 0;
    t->reserved = false;
    t->pc = t->flash_start;
}

/* OP and OP-IMM; funct3 */
enum { ADD, SLL, SLT, SLTU, XOR, SRL, OR, AND };

static uint32_t calculated(uint32_t how, bool other, uint32_t x, uint32_t y)
{
    switch (how) {
    case ADD: return other ? x - y : x + y;
    case SLL: return x << (y & 31);
    case SLT: return (int32_t)x < (int32_t)y;
    case SLTU: return x < y;
    case XOR: return x ^ y;
    case SRL: return other ? (uint32_t)((int32_t)x >> (y & 31)) : x >> (y & 31);
    case OR: return x | y;
    default: return x & y;
    }
}

static uint32_t divided(uint32_t how, uint32_t x, uint32_t y)
{
    bool is_signed = !(how & 1), over = is_signed && x == 0x80000000u && y == UINT32_MAX;
    if (how < 6) { /* DIV, DIVU */
        if (!y) return UINT32_MAX;
        return over ? x : is_signed ? (uint32_t)((int32_t)x / (int32_t)y) : x / y;
    }
    if (!y) return x;
    return over ? 0 : is_signed ? (uint32_t)((int32_t)x % (int32_t)y) : x % y;
}

static uint32_t multiplied(uint32_t how, uint32_t x, uint32_t y)
{
    uint64_t ux = x, uy = y;
    int64_t sx = (int32_t)x, sy = (int32_t)y;
    switch (how) {
    case 0: return x * y;
    case 1: return (uint32_t)((uint64_t)(sx * sy) >> 32);
    case 2: return (uint32_t)((uint64_t)sx * uy >> 32);
    default: return (uint32_t)(ux * uy >> 32);
    }
}

static enum riscv_stop two_registers(struct riscv *t, uint32_t w)
{
    uint32_t how = bits(w, 12, 3), top = w >> 25, x = t->x[bits(w, 15, 5)], y = t->x[bits(w, 20, 5)], v;
    if (top == 1) {
        if (!(t->has & RISCV_M)) return RISCV_ILLEGAL;
        v = how < 4 ? multiplied(how, x, y) : divided(how, x, y);
        t->cycles += how < 4 ? MULTIPLY_COSTS : DIVIDE_COSTS;
    } else {
        if (top && !(top == 0x20 && (how == ADD || how == SRL))) return RISCV_ILLEGAL;
        v = calculated(how, top, x, y);
    }
    put(t, bits(w, 7, 5), v);
    return RISCV_RUNS;
}

static enum riscv_stop constant(struct riscv *t, uint32_t w)
{
    uint32_t how = bits(w, 12, 3), top = w >> 25, y = extended(w >> 20, 12);
    bool shifts = how == SLL || how == SRL;
    if (shifts && top && !(top == 0x20 && how == SRL)) return RISCV_ILLEGAL;
    put(t, bits(w, 7, 5), calculated(how, shifts && top, t->x[bits(w, 15, 5)], y));
    return RISCV_RUNS;
}

static enum riscv_stop load(struct riscv *t, uint32_t w)
{
    uint32_t how = bits(w, 12, 3), size = 1u << (how & 3), v = 0;
    if (how == 3 || how > 5) return RISCV_ILLEGAL;
    enum riscv_stop said = riscv_load(t, t->x[bits(w, 15, 5)] + extended(w >> 20, 12), size, &v);
    if (said) return said;
    t->cycles += size == 4 ? WORD_COSTS : PART_COSTS;
    put(t, bits(w, 7, 5), how < 2 ? extended(v, 8 * size) : v);
    return RISCV_RUNS;
}

static enum riscv_stop store(struct riscv *t, uint32_t w)
{
    uint32_t how = bits(w, 12, 3), offset = extended(w >> 25 << 5 | bits(w, 7, 5), 12);
    if (how > 2) return RISCV_ILLEGAL;
    return riscv_store(t, t->x[bits(w, 15, 5)] + offset, 1u << how, t->x[bits(w, 20, 5)]);
}

static enum riscv_stop branch(struct riscv *t, uint32_t w)
{
    uint32_t how = bits(w, 12, 3), x = t->x[bits(w, 15, 5)], y = t->x[bits(w, 20, 5)];
    uint32_t way = w >> 31 << 12 | bits(w, 7, 1) << 11 | bits(w, 25, 6) << 5 | bits(w, 8, 4) << 1;
    if (how == 2 || how == 3) return RISCV_ILLEGAL;
    bool holds = how < 2 ? x == y : how < 6 ? (int32_t)x < (int32_t)y : x < y;
    t->cycles += BRANCH_COSTS;
    if (holds != (how & 1)) {
        t->pc = t->now + extended(way, 13);
        t->went = RISCV_BRANCHED;
    }
    return RISCV_RUNS;
}

static enum riscv_stop jump(struct riscv *t, uint32_t w)
{
    uint32_t rd = bits(w, 7, 5), way = w >> 31 << 20 | bits(w, 12, 8) << 12 | bits(w, 20, 1) << 11 | bits(w, 21, 10) << 1;
    put(t, rd, t->pc);
    t->pc = t->now + extended(way, 21);
    t->went = rd ? RISCV_CALLED : RISCV_BRANCHED;
    t->cycles += JAL_COSTS;
    return RISCV_RUNS;
}

static enum riscv_stop jump_by_register(struct riscv *t, uint32_t w)
{
    uint32_t rd = bits(w, 7, 5), rs1 = bits(w, 15, 5), target = t->x[rs1] + extended(w >> 20, 12);
    if (bits(w, 12, 3)) return RISCV_ILLEGAL;
    put(t, rd, t->pc);
    t->pc = target & ~1u;
    t->went = rd ? RISCV_CALLED_BY_POINTER : rs1 == RISCV_RA || rs1 == RISCV_T0 ? RISCV_RETURNED : RISCV_JUMPED;
    t->cycles += JALR_COSTS;
    return RISCV_RUNS;
}

/* Does it name a register that RV32E has not? */
static bool is_beyond(uint32_t kind, uint32_t w)
{
    uint32_t rd = w >> 11 & 1, rs1 = w >> 19 & 1, rs2 = w >> 24 & 1;
    switch (kind) {
    case LUI: case AUIPC: case JAL: return rd;
    case STORE: case BRANCH: return rs1 | rs2;
    case REGISTER: case ATOMIC: return rd | rs1 | rs2;
    case SYSTEM: return rd | (rs1 & ~(w >> 14));
    case FENCE: return false;
    default: return rd | rs1;
    }
}

static enum riscv_stop execute(struct riscv *t, uint32_t w)
{
    uint32_t kind = bits(w, 2, 5);
    if ((w & 3) != 3 || (t->has & RISCV_E && is_beyond(kind, w))) return RISCV_ILLEGAL;
    switch (kind) {
    case LOAD: return load(t, w);
    case FENCE: return bits(w, 12, 3) > 1 ? RISCV_ILLEGAL : RISCV_RUNS;
    case IMMEDIATE: return constant(t, w);
    case AUIPC: put(t, bits(w, 7, 5), t->now + (w & 0xFFFFF000)); return RISCV_RUNS;
    case STORE: return store(t, w);
    case ATOMIC: return riscv_atomic(t, w);
    case REGISTER: return two_registers(t, w);
    case LUI: put(t, bits(w, 7, 5), w & 0xFFFFF000); return RISCV_RUNS;
    case BRANCH: return branch(t, w);
    case JALR: return jump_by_register(t, w);
    case JAL: return jump(t, w);
    case SYSTEM: return riscv_system(t, w);
    default: return RISCV_ILLEGAL;
    }
}

enum riscv_stop riscv_step(struct riscv *t)
{
    uint32_t o = t->pc - t->flash_start, w;
    t->now = t->where = t->pc;
    t->went = RISCV_WENT_ON;
    if (o >= t->flash_size || t->flash_size - o < 2) return RISCV_OUTSIDE;
    const uint8_t *d = t->data + t->flash_at + o;
    t->op = w = (uint32_t)(d[0] | d[1] << 8);
    bool is_wide = (w & 3) == 3;
    if (is_wide) {
        if (t->flash_size - o < 4) return RISCV_OUTSIDE;
        t->op = w |= (uint32_t)d[2] << 16 | (uint32_t)d[3] << 24;
    } else {
        w = riscv_expanded(w);
    }
    if (t->executed) {
        t->executed[o / 2] = 1;
        if (is_wide) t->executed[o / 2 + 1] = 1;
    }
    t->pc += is_wide ? 4 : 2;
    t->cycles++;
    return execute(t, w);
}

enum riscv_stop riscv_run_to(struct riscv *t, uint32_t stop, uint64_t cycles)
{
    t->end = t->cycles + cycles;
    while (t->pc != stop) {
        if (t->cycles >= t->end) return RISCV_TOO_LONG;
        if (t->mstatus & RISCV_MIE && t->mip & t->mie) return RISCV_INTERRUPTED;
        enum riscv_stop said = riscv_step(t);
        if (said != RISCV_RUNS) return said;
    }
    return RISCV_AT_STOP;
}
