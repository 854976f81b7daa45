/* The RISC-V cores: status registers, traps, sleep. See riscv.h. */
#include "riscv_core.h"

enum {
    MSTATUS = 0x300, MISA = 0x301, M_IE = 0x304, MTVEC = 0x305, MSCRATCH = 0x340, MEPC = 0x341, MCAUSE = 0x342, MTVAL = 0x343,
    MIP = 0x344, MCYCLE = 0xB00, MCYCLEH = 0xB80, MVENDORID = 0xF11, MARCHID = 0xF12, MIMPID = 0xF13, MHARTID = 0xF14
};
enum { SOFTWARE = 3, TIMER = 7, EXTERNAL = 11, VECTORED = 1, IS_INTERRUPT = 1u << 31 };

uint32_t riscv_waits(const struct riscv *t)
{
    uint32_t there = t->mip & t->mie;
    if (there >> EXTERNAL & 1) return EXTERNAL;
    if (there >> SOFTWARE & 1) return SOFTWARE;
    if (there >> TIMER & 1) return TIMER;
    return there ? (uint32_t)__builtin_ctz(there) : 0;
}

void riscv_trap(struct riscv *t, uint32_t cause, uint32_t value)
{
    bool clic = t->has & RISCV_CLIC;
    uint32_t base = t->mtvec & (clic ? ~63u : ~3u);
    t->mepc = t->pc;
    t->mcause = cause;
    t->mtval = value;
    t->mstatus = (t->mstatus & ~(uint32_t)(RISCV_MIE | RISCV_MPIE)) | (t->mstatus & RISCV_MIE ? RISCV_MPIE : 0) | RISCV_MPP;
    t->pc = !clic && t->mtvec & VECTORED && cause & IS_INTERRUPT ? base + 4 * (cause & 0xFF) : base;
    t->cycles += 4;
}

static void leave(struct riscv *t)
{
    t->mstatus = (t->mstatus & ~(uint32_t)RISCV_MIE) | (t->mstatus & RISCV_MPIE ? RISCV_MIE : 0) | RISCV_MPIE;
    t->pc = t->mepc;
    t->went = RISCV_LEFT;
    t->cycles += 4;
}

/* A register that is there; NULL: one that is read only, with its value. */
static bool find_register(struct riscv *t, uint32_t number, uint32_t **held, uint32_t *value)
{
    *held = NULL;
    switch (number) {
    case MSTATUS: *held = &t->mstatus; break;
    case M_IE: *held = &t->mie; break;
    case MTVEC: *held = &t->mtvec; break;
    case MSCRATCH: *held = &t->mscratch; break;
    case MEPC: *held = &t->mepc; break;
    case MCAUSE: *held = &t->mcause; break;
    case MTVAL: *held = &t->mtval; break;
    case MIP: *value = t->mip; return true;
    case MCYCLE: *value = (uint32_t)t->cycles; return true;
    case MCYCLEH: *value = (uint32_t)(t->cycles >> 32); return true;
    case MARCHID: *value = t->marchid; return true;
    case MISA: case MVENDORID: case MIMPID: case MHARTID: *value = 0; return true;
    default: return false;
    }
    *value = **held;
    return true;
}

/* The bits of it that can be written. */
static uint32_t writable(const struct riscv *t, uint32_t number)
{
    if (number == MTVEC && t->has & RISCV_CLIC) return ~0u;
    return number == MSTATUS ? RISCV_MIE | RISCV_MPIE : number == MEPC ? ~1u : number == MTVEC ? ~2u : ~0u;
}

static enum riscv_stop status_register(struct riscv *t, uint32_t w)
{
    uint32_t number = w >> 20, how = bits(w, 12, 2), source = bits(w, 15, 5), old = 0, *held;
    uint32_t by = bits(w, 14, 1) ? source : t->x[source];
    bool writes = how == 1 || source;
    if (!find_register(t, number, &held, &old) || (writes && number >> 10 == 3)) return RISCV_ILLEGAL;
    if (writes && held) {
        uint32_t v = how == 1 ? by : how == 2 ? old | by : old & ~by, can = writable(t, number);
        *held = (old & ~can) | (v & can);
    }
    put(t, bits(w, 7, 5), old);
    t->cycles += 2;
    return RISCV_RUNS;
}

enum riscv_stop riscv_system(struct riscv *t, uint32_t w)
{
    if (bits(w, 12, 2)) return status_register(t, w);
    switch (w) {
    case 0x00000073: return RISCV_CALLS_SUPERVISOR;
    case 0x00100073: return RISCV_BREAKS;
    case 0x10500073: return RISCV_SLEEPS;
    case 0x30200073: leave(t); return RISCV_RUNS;
    default: return RISCV_ILLEGAL;
    }
}
